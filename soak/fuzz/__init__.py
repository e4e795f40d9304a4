"""Arbitrary bytes at the core's doors: whatever they are, they are read or turned away, and never a panic.

Inputs are kept in seeds/fuzz, a folder for each door, and added to. Everything here is decided by a number, so that a
run can be repeated.
"""

"""Measures what the documentation promises: `python -m bench`, or `make bench`. What and how stands in README.md.

This process starts the others (a server, a relay to compare it with, clients), tells them what to do and reads clocks.
Nothing here is imported by the server.
"""

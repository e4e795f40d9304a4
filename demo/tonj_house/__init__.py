"""Tonj, house edition: a whole match for stakes between two clients, looked on by a third, and its deal checked."""

from demo.tonj_house.match import demo

__all__ = ["demo"]

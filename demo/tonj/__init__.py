"""Tonj, server edition: a whole match between two clients, looked on by a third, and its deal checked afterwards."""

from demo.tonj.match import demo

__all__ = ["demo"]

"""Trix: a whole match of twenty deals among four clients, looked on by a fifth, and its deals checked afterwards."""

from demo.trix.match import demo

__all__ = ["demo"]

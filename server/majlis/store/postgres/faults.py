"""What an error of the driver or the server means for whoever had asked for something."""

import enum
from typing import TypeVar

import asyncpg

from majlis.store import protocol

_E = TypeVar("_E", bound=Exception)


class Fate(enum.Enum):
    """What became of a transaction that failed."""

    ITS_OWN = enum.auto()
    """Rolled back, for something that it wanted to write."""
    ROLLED_BACK = enum.auto()
    """Rolled back, for something else; a later try may succeed."""
    UNKNOWN = enum.auto()
    """The connection is of no use any more, and nobody knows."""


# Classes of SQLSTATE: data, constraints, limits of the program.
_ITS_OWN = ("22", "23", "54")
# A server that ends a session may have committed before: one that waits for a standby is only no longer waited for.
_ENDED = ("57P01", "57P02", "57P05", "40003")
_CONNECTION = "08"


def fate(error: BaseException) -> Fate:
    """What an error says of the transaction in which it came up."""
    if isinstance(error, asyncpg.PostgresError):
        state = error.sqlstate or ""
        if state in _ENDED or state.startswith(_CONNECTION):
            return Fate.UNKNOWN
        return Fate.ITS_OWN if state.startswith(_ITS_OWN) else Fate.ROLLED_BACK
    if isinstance(error, ValueError | TypeError | OverflowError):
        return Fate.ITS_OWN  # found by the driver, before anything was sent
    return Fate.UNKNOWN


def text(error: BaseException) -> str:
    """One line for people, with no value that was to be written."""
    if isinstance(error, asyncpg.PostgresError):
        return str(error.args[0])
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, ValueError | TypeError | OverflowError):
        return "a value that cannot be sent"
    return str(error) or type(error).__name__


def because(error: BaseException, told: _E) -> _E:
    """What is told, with its cause: the log knows what happened by the types of both."""
    told.__cause__ = error
    return told


def failed(error: BaseException) -> Exception:
    """What whoever asked a question or wrote beside appends is told."""
    if fate(error) is Fate.ITS_OWN:
        return because(error, ValueError(f"cannot be stored: {text(error)}"))
    return because(error, protocol.Unavailable(text(error)))

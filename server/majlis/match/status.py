"""Where a match stands, by the numbers that log, store and wire share."""

import enum


class MatchStatus(enum.IntEnum):
    """Numbers of `majlis.v1.MatchStatus`."""

    WAITING = 1
    """Seats are still to be taken, or players still to connect."""
    ACTIVE = 2
    """It is being played."""
    ENDED = 3
    """It has ended with an outcome."""
    VOID = 4
    """It ended without a result."""


def is_over(status: int) -> bool:
    """Whether nothing can happen in the match any more."""
    return status >= MatchStatus.ENDED


def results(before: int, after: int, filled: bool) -> tuple[str, ...]:
    """Kinds of result that consumers are to be told of when a match's status changes so.

    `seated` when its last free seat was taken, `started`, `ended`, `void`; several when one record does it all, none
    when nothing of note changed.
    """
    kinds = ["seated"] if filled else []
    if before < MatchStatus.ACTIVE <= after != MatchStatus.VOID:
        kinds.append("started")
    if before != after and is_over(after):
        kinds.append("void" if after == MatchStatus.VOID else "ended")
    return tuple(kinds)


def released(before: int, after: int, filled: bool) -> tuple[str, ...]:
    """Kinds of names that a match gives up when it changes so.

    A full one is no longer found at its table, one that has started has no join code any more. A void one leaves table
    and rematch to the next; its code goes on leading to it, so that whoever comes too late is told so.
    """
    if before != MatchStatus.WAITING:
        return ()
    if after == MatchStatus.VOID:
        return ("rematch", "table")
    kinds = ["table"] if filled else []
    if after != MatchStatus.WAITING:
        kinds.append("code")
    return tuple(kinds)

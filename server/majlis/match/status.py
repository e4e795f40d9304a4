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


def results(before: int, after: int) -> tuple[str, ...]:
    """Kinds of result that consumers are to be told of when a match's status changes so.

    `started`, `ended`, `void`; several when one record does it all, none when nothing of note changed.
    """
    if before == after:
        return ()
    kinds = []
    if before < MatchStatus.ACTIVE <= after != MatchStatus.VOID:
        kinds.append("started")
    if is_over(after):
        kinds.append("void" if after == MatchStatus.VOID else "ended")
    return tuple(kinds)

"""Who sits where, and who may look.

A player's seat follows from the subject of his token, never from what he sends. Who is connected is not known here.
"""

import enum
from collections.abc import Sequence

from majlis import _core


class Visibility(enum.IntEnum):
    """Who may look at a match that he does not sit at; numbers of `majlis.v1.Visibility`."""

    SEATED = 1
    """Seated players only; to others there is no such match."""
    LINK = 2
    """Whoever knows the match id."""
    PUBLIC = 3
    """Everybody."""


def viewer_of(players: Sequence[str | None], player_id: str) -> int:
    """The seat of a player, from 0, or `_core.SPECTATOR`. `players` are those seated, by seat, None on a free one."""
    try:
        return players.index(player_id)
    except ValueError:
        return _core.SPECTATOR


def may_see(visibility: int, viewer: int) -> bool:
    """Whether a viewer may know of a match with this visibility."""
    return viewer != _core.SPECTATOR or visibility in (Visibility.LINK, Visibility.PUBLIC)

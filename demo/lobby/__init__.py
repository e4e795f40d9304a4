"""The lobby: how players come to a match without a matchmaker, and what that takes where there are fees.

At a `table` and again in a `rematch`, in a private `room`, and for `stakes`; `guest` is a player who calls the lobby.
"""

from demo.lobby.ways import demo

__all__ = ["demo"]

"""Who calls: the subject, role and name that a verified token gives. How tokens are verified stands in `identity`."""

import dataclasses
import enum


class Role(enum.StrEnum):
    """What a caller is here for; each method says which of these it serves (`methods`)."""

    PLAYER = "player"
    SPECTATOR = "spectator"
    MATCHMAKER = "matchmaker"
    WALLET = "wallet"


@dataclasses.dataclass(frozen=True, slots=True)
class Caller:
    """A token's holder, until the token expires."""

    subject: str
    role: Role | None
    """None for whoever calls an open method."""
    expires_ms: int
    name: str
    """What others are shown of him; his subject where the token says nothing else."""

    @property
    def player_id(self) -> str:
        """The player whose seats this caller may take; empty, which sits nowhere, unless he plays."""
        return self.subject if self.role is Role.PLAYER else ""

    @property
    def spectator_id(self) -> str:
        """Who looks on, where he is no player: he sits nowhere, also where a player of the same name does."""
        return "" if self.role is Role.PLAYER else self.subject


NOBODY = Caller("", None, 0, "")
"""Calls a method that is open to all; his token is not looked at."""

"""A lobby request that is known again: kept by player, method and request id for a day, with what it came to."""

import dataclasses

from majlis.store import protocol

KEPT_MS = 24 * 60 * 60 * 1000


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """Who asked for what, and when."""

    player_id: str
    display_name: str
    """To be shown on his seat; empty shows his id."""
    method: str
    request_id: str
    """His own, unique among his requests to this method."""
    body_hash: bytes
    """SHA-256 of what he asked for, 32 bytes."""
    received_ms: int

    @property
    def name(self) -> str:
        """What it is stored under; no other player, method or id has the same."""
        return f"{self.method} {len(self.player_id)} {self.player_id} {self.request_id}"

    @property
    def claim(self) -> protocol.Claim:
        """Stores it with the match that it came to."""
        return protocol.Claim("request", self.name, self.body_hash, self.received_ms + KEPT_MS)

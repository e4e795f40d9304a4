"""Who is shown as connected though he has no stream just now: for a grace after his last one ended.

A phone that changes networks is back within it, and nobody is told anything. That a seat is connected because a stream
of its player is open is the audience's affair; here are only those who went, by match and not by sitting, so that they
outlast one that is dropped and loaded again. Presence is shown, and never moves a clock or has a number.
"""

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(slots=True)
class _Gone:
    player_id: str
    since_ms: int


class Presence:
    """Of one runtime."""

    def __init__(self, grace_ms: int) -> None:
        """With a grace of so long; with 0 who goes is gone."""
        self._grace_ms = grace_ms
        self._held = False
        self._gone: dict[str, dict[int, _Gone]] = {}  # by match and seat; no inner one is empty

    def went(self, match_id: str, seat: int, player_id: str, now_ms: int) -> bool:
        """A player's last stream has ended; whether that is to be told now, and not by `elapsed`."""
        if not self._grace_ms and not self._held:
            return True
        self._gone.setdefault(match_id, {})[seat] = _Gone(player_id, now_ms)
        return False

    def came(self, match_id: str, seat: int, player_id: str) -> bool:
        """A player who had no stream has opened one; whether that is news, because he was not shown as connected."""
        gone = self._gone.get(match_id, {}).get(seat)
        if gone is None:
            return True
        self._forget(match_id, seat)
        return gone.player_id != player_id

    def shown(self, match_id: str, players: Sequence[str | None]) -> set[int]:
        """The seats of those who went and are still shown as connected."""
        return {seat for seat, gone in self._gone.get(match_id, {}).items() if players[seat] == gone.player_id}

    def reseat(self, match_id: str, players: Sequence[str | None]) -> None:
        """Forgets whose seat is not his any more: who takes it next does not come back."""
        for seat, gone in list(self._gone.get(match_id, {}).items()):
            if players[seat] != gone.player_id:
                self._forget(match_id, seat)

    def elapsed(self, now_ms: int) -> list[tuple[str, int, str]]:
        """Whose grace is over: match, seat and player. They are shown no more, and this is to be told.

        Never before its time: where the clock was set back the grace begins again.
        """
        if self._held:
            return []
        over = []
        for match_id, seats in self._gone.items():
            for seat, gone in seats.items():
                gone.since_ms = min(gone.since_ms, now_ms)
                if now_ms - gone.since_ms >= self._grace_ms:
                    over.append((match_id, seat, gone.player_id))
        for match_id, seat, _ in over:
            self._forget(match_id, seat)
        return over

    def hold(self) -> None:
        """From now on who goes stays shown: a server that stops ends the streams itself, and that is no leaving."""
        self._held = True

    def _forget(self, match_id: str, seat: int) -> None:
        del self._gone[match_id][seat]
        if not self._gone[match_id]:
            del self._gone[match_id]

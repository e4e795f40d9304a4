"""What the runtime tells of itself, as plain calls: the app makes metrics and log lines of them.

Called on the hot path: an implementation returns at once and never raises. No player, card or token is told.
"""

from typing import Protocol


class Observer(Protocol):
    """Whoever keeps count. `game` is the name of a game (`tonj`), `kind` of an action (`move`, `reveal` …)."""

    def accepted(self, game: str, kind: str, verdict: str) -> None:
        """An action is durable, or there was nothing to keep of it.

        The verdict is `accepted`, `claim_opened` or `penalty`.
        """

    def refused(self, game: str, kind: str, reason: str) -> None:
        """An action was refused."""

    def repeated(self, game: str, kind: str) -> None:
        """A request that had been answered before got its answer again."""

    def staged(self, queue: float, decide: float, commit: float, publish: float) -> None:
        """How long an accepted action took, in seconds: its wait, its judging, its append, and handing it out."""

    def lost(self, game: str) -> None:
        """Somebody else appended first; the match was caught up and the action judged again."""

    def doubted(self, game: str, landed: bool) -> None:
        """The outcome of an append was unknown, and has been found out."""

    def founded(self, game: str) -> None:
        """A match was made."""

    def lobby(self, game: str, step: str) -> None:
        """Something happened on the way to a match.

        The step is `table_opened`, `table_joined`, `room_opened`, `room_joined`, `rematch_opened`, `rematch_joined`,
        `left` or `stake_confirmed`.
        """

    def over(self, game: str, status: int) -> None:
        """A match came to its end, with this `MatchStatus`."""

    def loaded(self, game: str, records: int, seconds: float) -> None:
        """A match came into memory: so many records, in so long."""

    def dropped(self, game: str, why: str) -> None:
        """A match left the memory: `idle`, `crowded`, `reset` or `stopped`."""

    def feed_opened(self, how: str) -> None:
        """A watcher came: with a `snapshot`, a `gap`, or at the `head`."""

    def feed_closed(self, why: str) -> None:
        """A watcher went: `gone`, `over`, `failed` while opening, or the reason of the refusal that ended it."""

    def lagged(self) -> None:
        """A watcher's backlog gave way to a snapshot."""

    def placed(self, count: int) -> None:
        """So many results got their places, and may be read."""

    def results_opened(self) -> None:
        """A consumer of results came."""

    def results_closed(self) -> None:
        """A consumer of results went."""

    def fired(self, game: str, late_ms: int) -> None:
        """A clock ran out, so long after its deadline."""

    def outage(self, seconds: float) -> None:
        """The server or its store was away for so long; running clocks are given it back."""

    def failed(self, where: str, error: BaseException) -> None:
        """A fault of the program or the store that no caller is told of."""


class Silent:
    """Keeps no count."""

    def accepted(self, game: str, kind: str, verdict: str) -> None:
        """Nothing."""

    def refused(self, game: str, kind: str, reason: str) -> None:
        """Nothing."""

    def repeated(self, game: str, kind: str) -> None:
        """Nothing."""

    def staged(self, queue: float, decide: float, commit: float, publish: float) -> None:
        """Nothing."""

    def lost(self, game: str) -> None:
        """Nothing."""

    def doubted(self, game: str, landed: bool) -> None:
        """Nothing."""

    def founded(self, game: str) -> None:
        """Nothing."""

    def lobby(self, game: str, step: str) -> None:
        """Nothing."""

    def over(self, game: str, status: int) -> None:
        """Nothing."""

    def loaded(self, game: str, records: int, seconds: float) -> None:
        """Nothing."""

    def dropped(self, game: str, why: str) -> None:
        """Nothing."""

    def feed_opened(self, how: str) -> None:
        """Nothing."""

    def feed_closed(self, why: str) -> None:
        """Nothing."""

    def lagged(self) -> None:
        """Nothing."""

    def placed(self, count: int) -> None:
        """Nothing."""

    def results_opened(self) -> None:
        """Nothing."""

    def results_closed(self) -> None:
        """Nothing."""

    def fired(self, game: str, late_ms: int) -> None:
        """Nothing."""

    def outage(self, seconds: float) -> None:
        """Nothing."""

    def failed(self, where: str, error: BaseException) -> None:
        """Nothing."""

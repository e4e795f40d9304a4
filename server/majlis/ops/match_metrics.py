"""Prometheus metrics of the matches: what the runtime tells of itself, counted. Its faults go to the log as well.

Labels are games, kinds, reasons and the like, a bounded number of each; never a match or a player.
"""

import structlog
from prometheus_client import CollectorRegistry, Gauge

from majlis.ops.tally import Spread, Tally

log = structlog.get_logger(__name__)

STAGE_SECONDS = (0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0)
LOAD_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5)
LATE_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 60.0)


class MatchMetrics:
    """Counts for the runtime, which knows this class as its observer."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def tally(name: str, text: str, *labels: str) -> Tally:
            return Tally(registry, f"majlis_{name}", text, *labels)

        def spread(name: str, text: str, bounds: tuple[float, ...], label: str) -> Spread:
            return Spread(registry, f"majlis_{name}_seconds", text, bounds, label)

        self._actions = tally("actions", "Actions by result.", "game", "kind", "result")
        stages = spread("action_stage", "Time of accepted actions, by stage.", STAGE_SECONDS, "stage")
        self._queue, self._decide = stages.series("queue"), stages.series("decide")
        self._commit, self._publish = stages.series("commit"), stages.series("publish")
        self._lost = tally("appends_lost", "Appends that somebody else's forestalled.", "game")
        self._doubted = tally("appends_in_doubt", "Appends of unknown outcome, found out.", "game", "landed")
        self._founded = tally("matches_founded", "Matches made.", "game")
        self._lobby = tally("lobby", "Steps on the way to a match.", "game", "step")
        self._over = tally("matches_over", "Matches that came to their end.", "game", "status")
        self._in_memory = Gauge("majlis_matches_loaded", "Matches in memory.", ["game"], registry=registry)
        self._loads = spread("match_load", "Time to bring a match into memory.", LOAD_SECONDS, "game")
        self._dropped = tally("matches_dropped", "Matches that left the memory.", "game", "why")
        self._feeds = Gauge("majlis_feeds_open", "Watchers.", registry=registry)
        self._opened = tally("feeds_opened", "Watchers that came.", "how")
        self._closed = tally("feeds_closed", "Watchers that went.", "why")
        self._lagged = tally("feeds_lagged", "Backlogs that gave way to a snapshot.")
        self._placed = tally("results_placed", "Results that consumers may read.")
        self._result_feeds = Gauge("majlis_result_feeds_open", "Consumers that follow results.", registry=registry)
        self._late = spread("clock_lateness", "From a deadline to its effect.", LATE_SECONDS, "game")
        self._outages = tally("outage_seconds", "Time of outages, given back to players.")
        self._failures = tally("failures", "Faults that no caller was told of.", "where")

    def accepted(self, game: str, kind: str, verdict: str) -> None:
        """An action is durable."""
        self._actions.add(game, kind, verdict)

    def refused(self, game: str, kind: str, reason: str) -> None:
        """An action was refused."""
        self._actions.add(game, kind, reason)

    def repeated(self, game: str, kind: str) -> None:
        """A request got its first answer again."""
        self._actions.add(game, kind, "repeated")

    def staged(self, queue: float, decide: float, commit: float, publish: float) -> None:
        """How long an accepted action took, in seconds."""
        self._queue.observe(queue)
        self._decide.observe(decide)
        self._commit.observe(commit)
        self._publish.observe(publish)

    def lost(self, game: str) -> None:
        """Somebody else appended first."""
        self._lost.add(game)

    def doubted(self, game: str, landed: bool) -> None:
        """An unknown outcome has been found out."""
        self._doubted.add(game, "yes" if landed else "no")

    def founded(self, game: str) -> None:
        """A match was made."""
        self._founded.add(game)

    def lobby(self, game: str, step: str) -> None:
        """Something happened on the way to a match."""
        self._lobby.add(game, step)

    def over(self, game: str, status: int) -> None:
        """A match came to its end."""
        self._over.add(game, str(status))

    def loaded(self, game: str, records: int, seconds: float) -> None:
        """A match came into memory."""
        self._in_memory.labels(game).inc()
        self._loads.series(game).observe(seconds)
        log.debug("loaded a match", game=game, records=records)

    def dropped(self, game: str, why: str) -> None:
        """A match left the memory."""
        self._in_memory.labels(game).dec()
        self._dropped.add(game, why)

    def feed_opened(self, how: str) -> None:
        """A watcher came."""
        self._feeds.inc()
        self._opened.add(how)

    def feed_closed(self, why: str) -> None:
        """A watcher went."""
        self._feeds.dec()
        self._closed.add(why)

    def lagged(self) -> None:
        """A watcher's backlog gave way to a snapshot."""
        self._lagged.add()

    def placed(self, count: int) -> None:
        """Results got their places."""
        self._placed.add(by=count)

    def results_opened(self) -> None:
        """A consumer of results came."""
        self._result_feeds.inc()

    def results_closed(self) -> None:
        """A consumer of results went."""
        self._result_feeds.dec()

    def fired(self, game: str, late_ms: int) -> None:
        """A clock ran out."""
        self._late.series(game).observe(late_ms / 1000)

    def outage(self, seconds: float) -> None:
        """The server or its store was away."""
        self._outages.add(by=seconds)
        log.warning("was away; running clocks get the time back", seconds=seconds)

    def failed(self, where: str, error: BaseException) -> None:
        """A fault that no caller is told of."""
        self._failures.add(where)
        log.error("failed", where=where, exc_info=error)

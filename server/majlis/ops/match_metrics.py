"""Prometheus metrics of the matches: what the runtime tells of itself, counted. Its faults go to the log as well.

Labels are games, kinds, reasons and the like, a bounded number of each; never a match or a player.
"""

import prometheus_client
import structlog
from prometheus_client import Counter, Gauge, Histogram

log = structlog.get_logger(__name__)

STAGE_SECONDS = (0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0)
LOAD_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5)
LATE_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 60.0)


class MatchMetrics:
    """Counts for the runtime, which knows this class as its observer."""

    def __init__(self, registry: prometheus_client.CollectorRegistry) -> None:
        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"majlis_{name}_total", text, labels, registry=registry)

        def histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(f"majlis_{name}_seconds", text, labels, buckets=buckets, registry=registry)

        self._actions = counter("actions", "Actions by result.", "game", "kind", "result")
        stages = histogram("action_stage", "Time of accepted actions, by stage.", STAGE_SECONDS, "stage")
        self._stages = [stages.labels(stage) for stage in ("queue", "decide", "commit", "publish")]
        self._lost = counter("appends_lost", "Appends that somebody else's forestalled.", "game")
        self._doubted = counter("appends_in_doubt", "Appends of unknown outcome, found out.", "game", "landed")
        self._founded = counter("matches_founded", "Matches made.", "game")
        self._over = counter("matches_over", "Matches that came to their end.", "game", "status")
        self._in_memory = Gauge("majlis_matches_loaded", "Matches in memory.", ["game"], registry=registry)
        self._loads = histogram("match_load", "Time to bring a match into memory.", LOAD_SECONDS, "game")
        self._dropped = counter("matches_dropped", "Matches that left the memory.", "game", "why")
        self._feeds = Gauge("majlis_feeds_open", "Watchers.", registry=registry)
        self._opened = counter("feeds_opened", "Watchers that came.", "how")
        self._closed = counter("feeds_closed", "Watchers that went.", "why")
        self._lagged = counter("feeds_lagged", "Backlogs that gave way to a snapshot.")
        self._late = histogram("clock_lateness", "From a deadline to its effect.", LATE_SECONDS, "game")
        self._outages = counter("outage_seconds", "Time of outages, given back to players.")
        self._failures = counter("failures", "Faults that no caller was told of.", "where")

    def accepted(self, game: str, kind: str, verdict: str) -> None:
        """An action is durable."""
        self._actions.labels(game, kind, verdict).inc()

    def refused(self, game: str, kind: str, reason: str) -> None:
        """An action was refused."""
        self._actions.labels(game, kind, reason).inc()

    def repeated(self, game: str, kind: str) -> None:
        """A request got its first answer again."""
        self._actions.labels(game, kind, "repeated").inc()

    def staged(self, queue: float, decide: float, commit: float, publish: float) -> None:
        """How long an accepted action took, in seconds."""
        for stage, seconds in zip(self._stages, (queue, decide, commit, publish), strict=True):
            stage.observe(seconds)

    def lost(self, game: str) -> None:
        """Somebody else appended first."""
        self._lost.labels(game).inc()

    def doubted(self, game: str, landed: bool) -> None:
        """An unknown outcome has been found out."""
        self._doubted.labels(game, "yes" if landed else "no").inc()

    def founded(self, game: str) -> None:
        """A match was made."""
        self._founded.labels(game).inc()

    def over(self, game: str, status: int) -> None:
        """A match came to its end."""
        self._over.labels(game, status).inc()

    def loaded(self, game: str, records: int, seconds: float) -> None:
        """A match came into memory."""
        self._in_memory.labels(game).inc()
        self._loads.labels(game).observe(seconds)
        log.debug("loaded a match", game=game, records=records)

    def dropped(self, game: str, why: str) -> None:
        """A match left the memory."""
        self._in_memory.labels(game).dec()
        self._dropped.labels(game, why).inc()

    def feed_opened(self, how: str) -> None:
        """A watcher came."""
        self._feeds.inc()
        self._opened.labels(how).inc()

    def feed_closed(self, why: str) -> None:
        """A watcher went."""
        self._feeds.dec()
        self._closed.labels(why).inc()

    def lagged(self) -> None:
        """A watcher's backlog gave way to a snapshot."""
        self._lagged.inc()

    def fired(self, game: str, late_ms: int) -> None:
        """A clock ran out."""
        self._late.labels(game).observe(late_ms / 1000)

    def outage(self, seconds: float) -> None:
        """The server or its store was away."""
        self._outages.inc(seconds)
        log.warning("was away; running clocks get the time back", seconds=seconds)

    def failed(self, where: str, error: BaseException) -> None:
        """A fault that no caller is told of."""
        self._failures.labels(where).inc()
        log.error("failed", where=where, exc_info=error)

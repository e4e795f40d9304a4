"""Prometheus metrics of the gRPC calls, by the names that dashboards for gRPC servers expect."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry

from majlis.ops.tally import Spread, Tally

METHOD = ("grpc_type", "grpc_service", "grpc_method")
SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class CallMetrics:
    """Counts calls as they begin and end."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._started = Tally(registry, "grpc_server_started", "Calls begun.", *METHOD)
        self._handled = Tally(registry, "grpc_server_handled", "Calls ended, by code.", *METHOD, "grpc_code")
        self._seconds = Spread(
            registry, "grpc_server_handling_seconds", "From a call's arrival to its end.", SECONDS, *METHOD
        )

    def of(self, kind: str, service: str, method: str) -> tuple[Callable[[], None], Callable[[str, float], None]]:
        """What counts one method's calls: a function for a beginning, and one for an end with its code and seconds.

        `kind` is `unary`, `server_stream` or `bidi_stream`.
        """
        labels = (kind, service, method)
        seconds = self._seconds.series(*labels)
        # Series exist from the start, so that a rate over the first call is seen.
        self._started.add(*labels, by=0)
        self._handled.add(*labels, "OK", by=0)

        def begun() -> None:
            self._started.add(*labels)

        def ended(code: str, lasted: float) -> None:
            self._handled.add(*labels, code)
            seconds.observe(lasted)

        return begun, ended

"""Prometheus metrics of the gRPC calls, by the names that dashboards for gRPC servers expect."""

from collections.abc import Callable

import prometheus_client

METHOD = ("grpc_type", "grpc_service", "grpc_method")
SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class CallMetrics:
    """Counts calls as they begin and end."""

    def __init__(self, registry: prometheus_client.CollectorRegistry) -> None:
        self._started = prometheus_client.Counter(
            "grpc_server_started_total", "Calls begun.", METHOD, registry=registry
        )
        self._handled = prometheus_client.Counter(
            "grpc_server_handled_total", "Calls ended, by code.", (*METHOD, "grpc_code"), registry=registry
        )
        self._seconds = prometheus_client.Histogram(
            "grpc_server_handling_seconds",
            "From a call's arrival to its end.",
            METHOD,
            buckets=SECONDS,
            registry=registry,
        )

    def of(self, kind: str, service: str, method: str) -> tuple[Callable[[], None], Callable[[str, float], None]]:
        """What counts one method's calls: a function for a beginning, and one for an end with its code and seconds.

        The labelled series are looked up here and not with every call. `kind` is `unary` or `server_stream`.
        """
        labels = (kind, service, method)
        codes: dict[str, prometheus_client.Counter] = {}
        seconds = self._seconds.labels(*labels)

        def ended(code: str, lasted: float) -> None:
            counter = codes.get(code)
            if counter is None:
                counter = codes[code] = self._handled.labels(*labels, code)
            counter.inc()
            seconds.observe(lasted)

        # Series exist from the start, so that a rate over the first call is seen.
        self._handled.labels(*labels, "OK")
        return self._started.labels(*labels).inc, ended

"""The port that Prometheus scrapes, with a thread of its own: a scrape never waits for a match, nor a match for it."""

import prometheus_client

from majlis.ops.address import Address


class MetricsPort:
    """Serves a registry over HTTP until it is closed."""

    def __init__(self, address: Address, registry: prometheus_client.CollectorRegistry) -> None:
        """Listens.

        Raises:
            OSError: the address cannot be listened on.
        """
        self._server, self._thread = prometheus_client.start_http_server(address.port, address.host, registry)
        self.address = Address(address.host, self._server.server_port)

    def close(self) -> None:
        """Ends it; blocks until the thread is done."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

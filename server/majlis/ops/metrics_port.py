"""The port that Prometheus scrapes, with threads of its own: a scrape never waits for a match, nor a match for it."""

import socket
import socketserver
import sys
import threading
from wsgiref import simple_server

import prometheus_client
import structlog

from majlis.ops.address import Address

log = structlog.get_logger(__name__)

_POLL_SECONDS = 0.05
"""How soon it notices that it is to end."""
_REQUEST_SECONDS = 10.0
"""For how long a connection may say nothing; each has a thread."""


class MetricsPort:
    """Serves a registry over HTTP until it is closed."""

    def __init__(self, address: Address, registry: prometheus_client.CollectorRegistry) -> None:
        """Listens.

        Raises:
            OSError: the address cannot be listened on.
        """
        kind = _ServerV6 if ":" in address.host else _Server
        self._server = kind((address.host, address.port), _Silent)
        self._server.set_app(prometheus_client.make_wsgi_app(registry))
        self.address = Address(address.host, self._server.server_port)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_POLL_SECONDS,), name="metrics", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Ends it; blocks until it has."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True

    def server_bind(self) -> None:
        # Not the library's own, which asks the name service for this machine's name.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()

    def handle_error(self, request: object, client_address: object) -> None:
        # A probe that hangs up, or says nothing: no fault of ours, and the library would print a traceback.
        log.debug("a scrape broke off", exc_info=sys.exc_info())


class _ServerV6(_Server):
    address_family = socket.AF_INET6


class _Silent(simple_server.WSGIRequestHandler):
    timeout = _REQUEST_SECONDS

    def log_message(self, format: str, *args: object) -> None:
        """Scrapes are not worth a line."""

"""The port that Prometheus scrapes."""

import socket
import struct
import urllib.error
import urllib.request

import pytest
from prometheus_client import CollectorRegistry

from majlis.ops import metrics_port
from majlis.ops.address import Address
from majlis.ops.metrics_port import MetricsPort
from majlis.ops.tally import Tally


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_it_serves_the_registry_until_it_is_closed(host: str) -> None:
    registry = CollectorRegistry()
    Tally(registry, "moves", "Moves.").add(by=3)
    port = MetricsPort(Address(host, 0), registry)
    url = f"http://{port.address}/metrics"
    with urllib.request.urlopen(url, timeout=10) as answer:
        assert "moves_total 3.0\n" in answer.read().decode()
        assert answer.headers["content-type"].startswith("text/plain; version=")
    port.close()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url, timeout=10)


def test_whoever_hangs_up_or_says_nothing_is_let_go_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(metrics_port._Silent, "timeout", 0.05)
    port = MetricsPort(Address("127.0.0.1", 0), CollectorRegistry())
    where = (port.address.host, port.address.port)
    try:
        for said in (b"", b"GET /metrics", b"GET /metrics HTTP/1.0\r\n\r\n"):
            with socket.create_connection(where) as hasty:
                hasty.sendall(said)
                # Closed at once and with a reset, as a load balancer's probe does.
                hasty.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with socket.create_connection(where, timeout=10) as silent:
            assert silent.recv(1) == b""
        with urllib.request.urlopen(f"http://{port.address}/metrics", timeout=10) as answer:
            assert answer.status == 200
    finally:
        port.close()
    assert capsys.readouterr().err == ""


def test_a_taken_address_is_an_error() -> None:
    port = MetricsPort(Address("127.0.0.1", 0), CollectorRegistry())
    try:
        with pytest.raises(OSError, match="in use"):
            MetricsPort(port.address, CollectorRegistry())
    finally:
        port.close()

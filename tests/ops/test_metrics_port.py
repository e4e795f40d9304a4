"""The port that Prometheus scrapes."""

import urllib.error
import urllib.request

import pytest
from prometheus_client import CollectorRegistry

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


def test_a_taken_address_is_an_error() -> None:
    port = MetricsPort(Address("127.0.0.1", 0), CollectorRegistry())
    try:
        with pytest.raises(OSError, match="in use"):
            MetricsPort(port.address, CollectorRegistry())
    finally:
        port.close()

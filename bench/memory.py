"""Resident memory of the server for each loaded match, and for each open stream: slopes between two numbers of them."""

import pathlib
import time

from bench import programs
from bench.report import Line, Report, Target

WARM, MORE = 1_000, 3_000
STREAMS_WARM, STREAMS_MORE = 300, 1_200
CONNECTIONS_WARM, CONNECTIONS_MORE = 50, 300
MATCH_KIB = Target(16.0, text="≤ 16 KiB")
WATCHER_KIB = Target(40.0, text="≤ 40 KiB")
SETTLED = 1.5
"""Seconds in which the server has freed what it frees."""


def measure(report: Report, data: pathlib.Path) -> None:
    """Matches first, then streams on few connections, then streams on one connection each."""
    # Nothing may leave the memory while it is counted.
    with programs.server(data, "--idle-seconds", "86400") as (server, address), programs.clients(1) as (client,):

        def resident() -> int:
            time.sleep(SETTLED)
            return server.resident_bytes()

        at = {"address": address, "data": str(data)}

        def watch(streams: int, own_connections: bool) -> int:
            client.ask(do="watch", streams=streams, own_connections=own_connections, **at)
            return resident()

        client.ask(do="make", group="warm", matches=WARM, **at)
        before = resident()
        client.ask(do="make", group="more", matches=MORE, **at)
        _tell(report, "a loaded match that nobody watches", before, resident(), MORE, MATCH_KIB)
        before = watch(STREAMS_WARM, False)
        _tell(report, "a watcher", before, watch(STREAMS_MORE, False), STREAMS_MORE, WATCHER_KIB)
        before = watch(CONNECTIONS_WARM, True)
        after = watch(CONNECTIONS_MORE, True)
        _tell(report, "a watcher with a connection of his own", before, after, CONNECTIONS_MORE, None)


def _tell(report: Report, what: str, before: int, after: int, count: int, target: Target | None) -> None:
    each = (after - before) / count / 1024
    report.add(Line(what, f"{each:.1f} KiB", each, target, {"before": before, "after": after, "count": count}))

"""Resident memory of the server for each loaded match, and for each open stream: slopes between two numbers of them.

A match's table grows while it is played; that part is measured on tables alone, in this process.
"""

import pathlib
import random
import time

import psutil

from bench import programs, story
from bench.report import Line, Report, Target
from majlis import _core

WARM, MORE = 1_000, 3_000
STREAMS_WARM, STREAMS_MORE = 300, 1_200
TABLES_WARM, TABLES_MORE = 200, 1_000
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
    _played_tables(report)


def _played_tables(report: Report) -> None:
    """Tables of one and the same log, which share nothing."""
    sealer, here = _core.Sealer(), psutil.Process()
    told = story.play(story.SERIES, sealer, random.Random(1), events=story.MANY)
    tables = [_core.Table.load(told.payloads, sealer) for _ in range(TABLES_WARM)]
    before = here.memory_info().rss
    tables += [_core.Table.load(told.payloads, sealer) for _ in range(TABLES_MORE)]
    _tell(report, f"a table alone, after {story.MANY:,} events", before, here.memory_info().rss, TABLES_MORE, None)


def _tell(report: Report, what: str, before: int, after: int, count: int, target: Target | None) -> None:
    each = (after - before) / count / 1024
    report.add(Line(what, f"{each:.1f} KiB", each, target, {"before": before, "after": after, "count": count}))

"""Many: matches by the thousand on one server, both players of each watching, and moves at half of what it can do.

Half of the matches are played on sessions. Nothing fails, everybody is told everything, and memory stays bounded.
"""

from bench import load
from soak.findings import Finding, least, most
from soak.load import tables
from soak.load.site import Site

MATCHES = 2_000
MATCH_KIB, STREAM_KIB = 32, 80
"""What a match and a stream may take: twice the benchmark's targets, since these are played and those but dealt."""
GROWTH = 1.10
"""In the second half of the time, when all that grows with the number of players is there."""
PEAK_TABLES = 64
PEAK_SECONDS = 3.0
KIB = 1024


async def many(site: Site, scale: float, seconds: float) -> list[Finding]:
    """With so much of the matches, for so long."""
    count = max(2, round(MATCHES * scale))
    empty = site.resident()
    seats = await tables.seated(site, "many", (tables.Table, tables.SessionTable), count)
    try:
        opened = await site.counts()
        pace = await load.flat_out(seats[:PEAK_TABLES], min(PEAK_SECONDS, seconds))
        rate = pace.counted / min(PEAK_SECONDS, seconds) / 2
        half = max(seconds / 2, 1.1 * count / rate)  # each table has its turn
        first = await load.by_timetable(seats, rate, half)
        middle = site.resident()
        second = await load.by_timetable(seats, rate, half)
        end = site.resident()
        left = await site.counts()
        failed = await site.value("majlis_failures_total") + await site.value(
            "grpc_server_handled_total", grpc_code="INTERNAL"
        )
    finally:
        tables.rise(seats)
    bound = (MATCH_KIB * count + STREAM_KIB * 2 * count) / KIB
    return [
        least("streams open at the start", opened.streams, 2 * count),
        least("streams open at the end", left.streams, 2 * count),
        least("watchers", left.feeds, 2 * count),
        # A gap, a refusal or a stream's end would have been raised; so all of them were seen by both.
        least(f"moves seen by both players, at {rate:,.0f}/s", len(first) + len(second), count),
        most("faults of the server", failed, 0),
        most("memory above the empty server's", (end - empty) / KIB**2, bound, " MiB", is_figure=True),
        most("its growth over the second half of the time", end / middle, GROWTH, " ×", 3, is_figure=True),
    ]

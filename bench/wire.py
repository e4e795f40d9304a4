"""Bytes on the wire: what a viewer is sent for a move, over matches played by chance."""

import random

from bench import figures, story
from bench.report import Line, Report, Target
from majlis import _core
from majlis.v1 import match_service_pb2 as messages

MEDIAN_BYTES = Target(256, text="≤ 256 B")
MOST_BYTES = Target(4_096, text="≤ 4 KiB")


def measure(report: Report, matches: int) -> None:
    """Over so many matches of Tonj, and one of each other game for each five of them, for everybody who looks."""
    _measure(report, story.TONJ, matches)
    for game in (story.HOUSE, story.TRIX):
        _measure(report, game, max(matches // 5, 1))


def _measure(report: Report, game: story.Game, matches: int) -> None:
    sealer = _core.Sealer()
    events: list[float] = []
    plain: list[float] = []
    shown: list[float] = []

    def seen(table: _core.Table, draft: _core.Draft) -> None:
        for viewer in game.viewers:
            sent = draft.update(viewer, story.NOW_MS)
            if sent is None:
                continue
            update = messages.WatchMatchResponse.FromString(sent)
            events.extend(event.ByteSize() for event in update.events.events)
            shown.append(len(sent))
            update.events.ClearField("legal_actions")
            plain.append(update.ByteSize())

    for number in range(matches):
        story.play(game, sealer, random.Random(number), seen=seen)
    for what, sizes in (
        ("an event, for a viewer", events),
        ("an update: a move's events, clock and digest", plain),
        ("an update, legal moves shown", shown),
    ):
        middle, most = figures.percentile(sizes, 0.5), figures.percentile(sizes, 0.99)
        sized = {"count": len(sizes), "p50": middle, "p99": most, "max": max(sizes)}
        report.add(Line(f"{game.name}, {what}: median", f"{middle:,.0f} B", middle, MEDIAN_BYTES, sized))
        report.add(
            Line(f"{game.name}, {what}: p99", f"{most:,.0f} B (most {max(sizes):,.0f} B)", most, MOST_BYTES, sized)
        )

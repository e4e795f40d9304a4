"""Microseconds of the Rust core's calls: what of a move's time is spent in it."""

import operator
import random
import time
from collections.abc import Callable
from typing import Any, TypeVar

from bench import figures, story
from bench.report import Line, Report
from majlis import _core

T = TypeVar("T")


def measure(report: Report, matches: int) -> None:
    """Every call of a move, over so many matches of Tonj, and one of each other game for each five of them."""
    _measure(report, story.TONJ, matches)
    for game in (story.HOUSE, story.TRIX):
        _measure(report, game, max(matches // 5, 1))


def _measure(report: Report, game: story.Game, matches: int) -> None:
    sealer = _core.Sealer()
    spent: dict[str, list[float]] = {}

    def timed(what: str, call: Callable[..., T], *args: Any) -> T:
        begin = time.perf_counter()
        answer = call(*args)
        spent.setdefault(what, []).append((time.perf_counter() - begin) * 1e6)
        return answer

    payload = operator.attrgetter("payload")
    for number in range(matches):
        told = story.play(game, sealer, random.Random(number))
        table = _core.Table.load(told.payloads[:1], sealer)
        for seat, submit in told.actions:
            draft = timed("decide", table.decide, seat, submit, story.NOW_MS)
            timed("payload", payload, draft)
            timed("commit", table.commit, draft)
            timed("answer", draft.answer, seat)
            timed("update for the mover", draft.update, seat, story.NOW_MS)
            timed("update for the next seat", draft.update, (seat + 1) % game.seats, story.NOW_MS)
            timed("update for spectators", draft.update, _core.SPECTATOR, story.NOW_MS)
            timed("snapshot", table.snapshot, seat, story.NOW_MS)
    for what, each in spent.items():
        report.add(Line(f"{game.name}: {what}", f"{figures.spread(each, 1)} µs", figures.percentile(each, 0.5)))

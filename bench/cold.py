"""Loading a match that is not in memory: its log folded, and read from SQLite and folded."""

import asyncio
import pathlib
import random
import time

from bench import figures, story
from bench.report import Line, Report, Target
from majlis import _core
from majlis.store import protocol
from majlis.store.sqlite.store import SqliteStore

LOAD_MS = Target(5.0, text="≤ 5 ms")


def measure(report: Report, data: pathlib.Path, loads: int) -> None:
    """So many loads each way, of a long series of Tonj and a whole match of each other game; `data` is for files."""
    sealer = _core.Sealer()
    _measure(report, story.play(story.SERIES, sealer, random.Random(1), events=story.MANY), sealer, data, loads)
    for game in (story.HOUSE, story.TRIX):
        _measure(report, story.play(game, sealer, random.Random(1)), sealer, data, loads)


def _measure(report: Report, told: story.Story, sealer: _core.Sealer, data: pathlib.Path, loads: int) -> None:
    name = f"{told.game.name}, {told.table.sequence:,} events in {len(told.payloads):,} records"
    folds = []
    for _ in range(loads):
        begin = time.perf_counter()
        _core.Table.load(told.payloads, sealer)
        folds.append((time.perf_counter() - begin) * 1e3)
    report.add(Line(f"{name}: folding", f"{figures.spread(folds)} ms", figures.percentile(folds, 0.5), LOAD_MS))
    stored = asyncio.run(_stored(told, sealer, data / f"{told.game.name}.db", loads))
    report.add(Line(f"{name}: from SQLite", f"{figures.spread(stored)} ms", figures.percentile(stored, 0.5), LOAD_MS))


async def _stored(told: story.Story, sealer: _core.Sealer, path: pathlib.Path, loads: int) -> list[float]:
    """Milliseconds of loads through the store, as the runtime does them: read in one thread, folded in another."""
    store = SqliteStore(path)
    try:
        # The log alone is measured, so its heads need not be true.
        for number, payload in enumerate(told.payloads, 1):
            founding = protocol.Founding(told.game.name, "", b"") if number == 1 else None
            append = protocol.Append(
                match_id=story.MATCH_ID,
                record=number,
                sequence=number,
                status=2,
                over=False,
                instant_ms=story.NOW_MS,
                deadline_ms=None,
                append_id=number.to_bytes(16),
                payload=payload,
                founding=founding,
                players=told.table.players if number == 1 else None,
            )
            if not isinstance(await store.append(append), protocol.Appended):
                raise AssertionError("a log of one's own has no rivals")
        spent = []
        for _ in range(loads):
            begin = time.perf_counter()
            payloads = await store.payloads(story.MATCH_ID)
            await asyncio.to_thread(_core.Table.load, payloads, sealer)
            spent.append((time.perf_counter() - begin) * 1e3)
        return spent
    finally:
        await store.close()

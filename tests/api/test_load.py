"""Load in small: what `python -m soak` asks of a server at full size, but for how fast it is and what memory it takes.

The server runs in this process, so that its tasks can be counted.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import psutil
import pytest

from soak.findings import Finding
from soak.load import crowd, disconnects, many, overload, stalled, tables
from soak.load.site import Site
from tests.api.serving import Serve


@contextlib.asynccontextmanager
async def site(serve: Serve, **settings: object) -> AsyncIterator[Site]:
    async with serve(**settings) as served:
        yield Site(str(served.listen), str(served.metrics), served.data, lambda: psutil.Process().memory_info().rss)


def failed(findings: list[Finding]) -> list[Finding]:
    return [one for one in findings if not one.held and not one.is_figure]


async def test_hundreds_of_matches_and_every_stream_is_told_everything(serve: Serve) -> None:
    async with site(serve) as at:
        assert not failed(await many.many(at, scale=0.1, seconds=1.0))


async def test_a_reader_who_reads_nothing_stops_nobody(serve: Serve) -> None:
    async with site(serve, feed_length=8, stall_seconds=600) as at:
        assert not failed(await stalled.stalled(at, scale=0.25, rounds=1, seconds=1.0))


async def test_what_disconnected_callers_had_is_given_back(serve: Serve) -> None:
    tasks = []
    async with site(serve, idle_seconds=86_400) as at:
        findings = await disconnects.disconnects(
            at, scale=0.012, settling=0.2, after=lambda: tasks.append(len(asyncio.all_tasks()))
        )
    assert not failed(findings)
    assert len(findings) > disconnects.ROUNDS
    assert len(tasks) == disconnects.ROUNDS + 1
    assert len(set(tasks)) == 1, tasks


async def test_a_crowd_is_let_in_or_told_when_to_come_again(serve: Serve) -> None:
    async with site(serve, idle_seconds=86_400, max_streams=150) as at:
        findings = await crowd.crowd(at, scale=0.05)
    assert not failed(findings)


async def test_what_is_too_much_is_refused_and_the_rest_done(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    # So much too much, and for so little room, that some is refused however slow this machine is.
    monkeypatch.setattr(overload, "TIMES", 20)
    monkeypatch.setattr(overload, "PEAK_TABLES", 2)
    monkeypatch.setattr(tables, "AT_ONCE", 2)
    async with site(serve, max_calls=4) as at:
        assert not failed(await overload.overload(at, scale=0.25, seconds=0.5))

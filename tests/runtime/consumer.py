"""A consumer of results, as it stands beside a runtime, and what the runtime tells of its publishing."""

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator

from majlis.runtime.observer import Silent
from majlis.runtime.results import ResultFeed, Told
from majlis.runtime.runtime import Runtime
from majlis.v1 import match_pb2
from tests.runtime import room

PATIENCE = 30.0
"""Seconds after which a result that should come is missed."""
BRISK = dataclasses.replace(room.PATIENT, pulse_seconds=0.01)
"""For what is only found with the next pulse."""


class Watching(Silent):
    """Keeps what the runtime tells of results."""

    def __init__(self) -> None:
        self.given = 0
        self.open = 0
        self.faults: list[tuple[str, str]] = []

    def placed(self, count: int) -> None:
        self.given += count

    def results_opened(self) -> None:
        self.open += 1

    def results_closed(self) -> None:
        self.open -= 1

    def failed(self, where: str, error: BaseException) -> None:
        self.faults.append((where, "".join(getattr(error, "__notes__", []))))


@contextlib.asynccontextmanager
async def reading(runtime: Runtime, consumer: str = "wallet", after: str = "") -> AsyncIterator[ResultFeed]:
    feed = await runtime.results.watch(consumer, after)
    try:
        yield feed
    finally:
        await feed.aclose()


async def take(feed: ResultFeed, count: int) -> list[Told]:
    """The next results, which have to come."""
    async with asyncio.timeout(PATIENCE):
        return [await anext(feed) for _ in range(count)]


async def read(runtime: Runtime, count: int, consumer: str = "wallet", after: str = "") -> list[Told]:
    async with reading(runtime, consumer, after) as feed:
        return await take(feed, count)


def match_of(told: Told) -> match_pb2.Match:
    assert told.match is not None
    match = match_pb2.Match.FromString(told.match)
    assert match.match_id == told.match_id
    return match

"""Matches under load: two players each, who hold every update against what they know, so that no event is missed."""

import asyncio
import functools
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from bench.players import Players, Read
from bench.sessions import SessionPlayers
from majlis.v1 import match_service_pb2 as messages
from soak.load.site import Site

T = TypeVar("T", bound="Table")

AT_ONCE = 32
"""Matches that are made at the same time."""


class Missed(Exception):
    """A stream told of other events than those that had happened."""


class Table(Players):
    """Players who make calls and watch streams; each event must come once, in order, on both."""

    @property
    def match_id(self) -> str:
        """The match that is played now."""
        return self._match_id

    async def _act(self, mover: int, request: messages.SubmitActionRequest) -> tuple[bytes, Read, Read, float]:
        answer, own, his, seen = await super()._act(mover, request)
        for _, update in (own, his):
            told = [event.sequence for event in update.events.events]
            if not told or told != list(range(self._sequence + 1, update.sequence + 1)):
                raise Missed(f"match {self._match_id}: after {self._sequence} came {told}")
        if own[1].sequence != his[1].sequence:
            raise Missed(f"match {self._match_id}: one is at {own[1].sequence}, the other at {his[1].sequence}")
        return answer, own, his, seen


class SessionTable(Table, SessionPlayers):
    """The same on a session each."""


async def seated(site: Site, group: str, kinds: Sequence[type[T]], count: int, at_once: int = 0) -> list[T]:
    """So many matches with both players watching, of these kinds in turn; so many at a time, or AT_ONCE."""
    lobby, crowd = site.matchmaker(), site.crowd()
    made: list[T] = []

    async def one(number: int) -> None:
        seats = crowd.caller(f"{group}-{number}-a"), crowd.caller(f"{group}-{number}-b")
        # Sessions open here, and not all at once: a thousand new streams in one moment are more than gRPC queues.
        table = kinds[number % len(kinds)](lobby, seats, random.Random(number))
        made.append(table)
        await table.sit_down()

    await in_parallel([functools.partial(one, number) for number in range(count)], at_once or AT_ONCE)
    return made


async def in_parallel(works: Sequence[Callable[[], Awaitable[None]]], at_once: int) -> None:
    """Does all of it, so much at a time."""
    waiting = iter(works)

    async def through() -> None:
        for work in waiting:
            await work()

    await asyncio.gather(*(through() for _ in range(at_once)))


def rise(tables: Sequence[Table]) -> None:
    """Everybody goes."""
    for table in tables:
        table.close()

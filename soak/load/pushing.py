"""One process's part of `overload`: tables whose moves may be refused, and moves at a rate that waits for nobody.

`python -m soak.load.pushing` is such a process. It does what it is told, one JSON line in and one out.
"""

import asyncio
import dataclasses
import json
import pathlib
import sys
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import grpc
import uvloop

from bench import load
from bench.players import Players, Read, Stream, has_events
from majlis.v1 import match_service_pb2 as messages
from soak.load import retry, tables
from soak.load.site import Site

BREATH = 8
"""Moves that are sent without a pause, when the timetable is behind."""
PATIENCE = 20.0


class _Calling(Players):
    """Players who look at the answer before they look at their streams, since a refusal is followed by nothing."""

    async def _act(self, mover: int, request: messages.SubmitActionRequest) -> tuple[bytes, Read, Read, float]:
        answer = await self._seats[mover].submit(request.SerializeToString())
        his = await _told(self._streams[1 - mover])
        seen = time.perf_counter()
        return answer, await _told(self._streams[mover]), his, seen


class AskingTable(tables.Table, _Calling):
    """A table whose moves may be refused, and then have changed nothing."""


@dataclasses.dataclass(slots=True)
class Slice:
    """What so many seconds came to."""

    wanted: int = 0
    """Moves that the timetable had come to; where nobody was free to make one, everybody was waiting for an earlier."""
    accepted: int = 0
    """Moves that both players had seen before it was over."""
    refused: int = 0
    amiss: list[str] = dataclasses.field(default_factory=list)
    """Refusals that were not what they must be."""


class Pushing:
    """The tables of this process."""

    def __init__(self) -> None:
        self._seats: list[AskingTable] = []

    async def sit_down(
        self, address: str, metrics: str, data: str, group: str, count: int, at_once: int
    ) -> dict[str, Any]:
        """So many tables, some of them at the same time."""
        site = Site(address, metrics, pathlib.Path(data), lambda: 0)
        self._seats = await tables.seated(site, group, (AskingTable,), count, at_once)
        return {}

    async def flat_out(self, tables: int, seconds: float) -> dict[str, Any]:
        """A closed loop at some of them."""
        return {"counted": (await load.flat_out(self._seats[:tables], seconds)).counted}

    async def offer(self, rate: float, seconds: float) -> dict[str, Any]:
        """A `Slice`."""
        return dataclasses.asdict(await _offered(self._seats, rate, seconds))


async def _offered(seats: Sequence[AskingTable], rate: float, seconds: float) -> Slice:
    """Moves at a rate, each at a table where nothing is under way, whatever becomes of those before.

    Who is refused waits as long as he is told to, and comes again.

    Raises:
        TimeoutError: what the server let in was not seen by both players in good time.
    """
    found = Slice()
    idle = deque(seats)
    begin = time.perf_counter()
    end = begin + seconds
    async with asyncio.timeout(seconds + PATIENCE), asyncio.TaskGroup() as under_way:
        for number in range(int(rate * seconds)):
            wait = begin + number / rate - time.perf_counter()
            if wait > 0 or number % BREATH == 0:
                await asyncio.sleep(max(wait, 0))
            if time.perf_counter() >= end:
                break
            found.wanted += 1
            if idle:
                under_way.create_task(_move(idle.popleft(), idle, end, found))
    return found


async def _move(table: AskingTable, idle: deque[AskingTable], end: float, found: Slice) -> None:
    while time.perf_counter() < end:
        try:
            if await table.move() is None:
                await _again(table)
            else:
                found.accepted += time.perf_counter() <= end
            break
        except grpc.aio.AioRpcError as error:
            found.refused += 1
            wait = retry.seconds(error)
            if not wait:
                found.amiss.append(f"{error.code()}: {error.details()}")
            await asyncio.sleep(min(wait, max(0.0, end - time.perf_counter())))
    idle.append(table)


async def _again(table: AskingTable) -> None:
    """A new match, as soon as there is room to make it."""
    while True:
        try:
            return await table.sit_down()
        except grpc.aio.AioRpcError as error:
            if not (wait := retry.seconds(error)):
                raise
        await asyncio.sleep(wait)


async def _told(stream: Stream) -> Read:
    """The next update with events."""
    while True:
        read = await stream.read()
        if not isinstance(read, bytes):
            raise EOFError(f"a stream ended: {await stream.code()}, {await stream.details()}")
        update = messages.WatchMatchResponse.FromString(read)
        if has_events(update):
            return read, update


async def obey() -> None:
    """Reads commands until there are no more."""
    pushing = Pushing()
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        answer = await getattr(pushing, command.pop("do"))(**command)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(obey())

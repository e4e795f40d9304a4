"""Overload: twice as many moves as a server sustains, by a timetable that does not wait for it.

It has room for few calls at once and refuses the rest, typed and with a time to wait. What it lets in it does as fast
as ever, and whoever watches is told.
"""

import asyncio
import dataclasses
import time
from collections import deque
from collections.abc import Sequence

import grpc
from google.rpc import error_details_pb2, status_pb2

from bench import load
from bench.players import Players, Read, Stream, has_events
from majlis.v1 import match_service_pb2 as messages
from soak.findings import Finding, least, most
from soak.load import tables
from soak.load.site import Site

MATCHES = 400
CALLS = 32
FLAGS = ("--max-calls", str(CALLS))
LADDER = (0.5, 0.75, 1.0)
"""Parts of a closed loop's rate at which the most is looked for."""
TIMES = 2.0
LEAST_GOODPUT = 0.80
LEAST_OFFERED = 1.5
"""What must really have been offered, in times of the peak: these clients have to keep up as well."""
PEAK_TABLES = 16
"""Fewer than calls that the server has room for."""
BREATH = 8
"""Moves that are sent without a pause, when the timetable is behind."""
PATIENCE = 20.0
RETRY_SECONDS = 0.2
DETAILS = "grpc-status-details-bin"


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

    offered: int = 0
    accepted: int = 0
    """Moves that both players had seen before it was over."""
    refused: int = 0
    amiss: list[str] = dataclasses.field(default_factory=list)
    """Refusals that were not what they must be."""


async def overload(site: Site, scale: float, seconds: float) -> list[Finding]:
    """With so much of the matches; each of the slices lasts so long."""
    count = max(PEAK_TABLES, round(MATCHES * scale))
    seats = await tables.seated(site, "over", (AskingTable,), count)
    try:
        pace = await load.flat_out(seats[:PEAK_TABLES], seconds)
        rate = pace.counted / seconds
        peak = 0.0
        for part in LADDER:
            peak = max(peak, (await _offered(seats, rate * part, seconds)).accepted / seconds)
        over = await _offered(seats, TIMES * peak, seconds)
        still = await site.counts()
    finally:
        tables.rise(seats)
    done = over.accepted / seconds / peak
    return [
        least("offered, in times of the peak", over.offered / seconds / peak, LEAST_OFFERED, " ×", 2, is_figure=True),
        least(f"moves done, of a peak of {peak:,.0f}/s", done, LEAST_GOODPUT, " ×", 2, is_figure=True),
        least("refused", over.refused, 1),
        most("of those not OVERLOADED with a time to wait", len(over.amiss), 0),
        least("streams still open", still.streams, 2 * count),
    ]


async def _offered(seats: Sequence[AskingTable], rate: float, seconds: float) -> Slice:
    """Moves at a rate, each at a table where nothing is under way, whatever becomes of those before.

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
            if idle:
                under_way.create_task(_move(idle.popleft(), idle, end, found))
    return found


async def _move(table: AskingTable, idle: deque[AskingTable], end: float, found: Slice) -> None:
    found.offered += 1
    try:
        if await table.move() is None:
            found.offered -= 1
            await _again(table)
        else:
            found.accepted += time.perf_counter() <= end
    except grpc.aio.AioRpcError as error:
        found.refused += 1
        if not _is_overload(error):
            found.amiss.append(f"{error.code()}: {error.details()}")
    idle.append(table)


async def _again(table: AskingTable) -> None:
    """A new match, as soon as there is room to make it."""
    while True:
        try:
            return await table.sit_down()
        except grpc.aio.AioRpcError as error:
            if not _is_overload(error):
                raise
        await asyncio.sleep(RETRY_SECONDS)


def _is_overload(error: grpc.aio.AioRpcError) -> bool:
    """Whether a refusal says OVERLOADED and how long to wait."""
    status = status_pb2.Status.FromString(dict(error.trailing_metadata()).get(DETAILS, b""))
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    known = {kind.DESCRIPTOR.full_name: kind for kind in (info, retry)}
    for detail in status.details:
        if detail.TypeName() in known:
            detail.Unpack(known[detail.TypeName()])
    waits = retry.retry_delay.ToTimedelta().total_seconds() > 0
    return error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and info.reason == "OVERLOADED" and waits


async def _told(stream: Stream) -> Read:
    """The next update with events."""
    while True:
        read = await stream.read()
        if not isinstance(read, bytes):
            raise EOFError(f"a stream ended: {await stream.code()}, {await stream.details()}")
        update = messages.WatchMatchResponse.FromString(read)
        if has_events(update):
            return read, update

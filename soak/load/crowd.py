"""Crowd: everybody comes in one moment, on as many connections as files may be open, and there is no room for all.

Half of them watch, half open a play session. Who is refused is told so and for how long, waits that long and comes
again. Those who got in stay until everybody was answered once, so that the server is full; then they go.
"""

import asyncio
import contextlib
import dataclasses
import functools
import resource
import time
from typing import Any

import grpc

from bench.players import Caller, match_id
from majlis.v1 import match_service_pb2 as messages
from soak.findings import Finding, least, most, same
from soak.load import retry, tables
from soak.load.site import Counts, Site

PLAYERS = 2_000
ROOM = 3_000
"""Streams that the server has room for: three quarters of those that come."""
FILES_LEFT = 1_000
"""Files that connections leave to others."""
MOST_SECONDS = 60.0
PATIENCE = 120.0
LEAST_WAIT_SECONDS = 0.5
"""Before one comes again who was not told when to."""
_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


@dataclasses.dataclass(slots=True)
class Crowd:
    """Who has come so far."""

    expected: int
    answered: int = 0
    """Callers who were let in or refused at least once."""
    inside: int = 0
    """Who have seen their match."""
    refused: int = 0
    unread: int = 0
    """Refusals of sessions that their own write had crossed."""
    amiss: list[str] = dataclasses.field(default_factory=list)
    """What was told to those who were neither let in nor refused as they must be."""
    last: float = 0.0
    """When the last one had seen his match."""
    all_answered: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)
    full: int = 0
    """How many were in when everybody was answered."""

    def answer(self) -> None:
        """One more was answered for the first time."""
        self.answered += 1
        if self.answered == self.expected:
            self.full = self.inside
            self.all_answered.set()


def flags(scale: float) -> tuple[str, ...]:
    """How the server is started for so much of the players: with as much of the room."""
    return "--max-streams", str(_room(scale)), "--idle-seconds", "86400"


async def crowd(site: Site, scale: float) -> list[Finding]:
    """With so much of the players, at a server that was started for them."""
    room = _room(scale)
    players = max(2, round(PLAYERS * scale) // 2 * 2)
    lobby = site.matchmaker()
    ids = dict.fromkeys(range(players // 2), "")

    async def make(number: int) -> None:
        ids[number] = match_id(await lobby.create([f"crowd-{number}-a", f"crowd-{number}-b"]))

    await tables.in_parallel([functools.partial(make, number) for number in ids], tables.AT_ONCE)
    start = await site.settled(Counts(0, 0, len(ids)))
    come = Crowd(2 * players)
    connections = min(2 * players, max(1, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - FILES_LEFT) // 2))
    channels = [grpc.aio.insecure_channel(site.address, options=_OWN_CONNECTION) for _ in range(connections)]
    begin = time.perf_counter()
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as coming:
        for number in range(2 * players):
            seat = f"crowd-{number // 4}-{'ab'[number // 2 % 2]}"
            caller = site.caller(seat, channel=channels[number % connections])
            coming.create_task(_come(caller, ids[number // 4], come, on_session=bool(number % 2)))
    await asyncio.gather(*(channel.close() for channel in channels))
    return [
        least(f"in at once, on {connections:,} connections", come.full, min(room, 2 * players)),
        least("refused", come.refused, max(0, 2 * players - room)),
        most("of those not OVERLOADED with a time to wait", len(come.amiss), 0),
        most("of those unread, as the caller's write crossed", come.unread, come.expected),
        least("in at last", come.inside, 2 * players),
        most("seconds until the last was in", come.last - begin, MOST_SECONDS, " s", 1, is_figure=True),
        same("open when they have gone", start, await site.settled(start)),
    ]


def _room(scale: float) -> int:
    return round(ROOM * scale)


async def _come(caller: Caller, match: str, come: Crowd, on_session: bool) -> None:
    """Comes until he is in, and sees his match."""
    first = True
    while not (call := await _opened(caller, match, come, on_session)):
        if first:
            come.answer()
        first = False
    come.inside += 1
    come.last = time.perf_counter()
    if first:
        come.answer()
    await come.all_answered.wait()
    call.cancel()


async def _opened(caller: Caller, match: str, come: Crowd, on_session: bool) -> Any:
    """A stream or session that has shown a match; None when it was refused and the time to wait is over."""
    watch = messages.WatchMatchRequest(match_id=match)
    call: Any = caller.session() if on_session else caller.watch(match)
    try:
        if on_session:
            with contextlib.suppress(asyncio.InvalidStateError):  # refused by now; that is read below
                await call.write(messages.PlaySessionRequest(watch=watch).SerializeToString())
        if await call.read() is not grpc.aio.EOF:
            return call
        why, wait = "it ended", 0.0
    except grpc.aio.AioRpcError as error:
        why, wait = f"{error.code()}: {error.details()}", retry.seconds(error)
        if retry.is_unread(error):
            come.unread += 1
            why = ""
    come.refused += 1
    if why and not wait:
        come.amiss.append(why)
    await asyncio.sleep(wait or LEAST_WAIT_SECONDS)
    return None

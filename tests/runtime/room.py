"""A runtime with a clock that stands still, and players who talk to it in the wire's own messages.

It serves every game; who plays one and what they ask for stands in a file of that game's, such as `tonj`.
"""

import asyncio
import contextlib
import dataclasses
import itertools
from collections.abc import AsyncIterator, Awaitable

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.runtime.limits import Limits
from majlis.runtime.observer import Observer, Silent
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2, match_service_pb2, matchmaking_service_pb2, tonj_house_pb2, tonj_pb2, trix_pb2

START_MS = 1_800_000_000_000
PATIENT = Limits(outage_seconds=10**9, restart_seconds=10**9, pulse_seconds=10**6, presence_grace_seconds=0)
"""For tests that move the clock in leaps and beat the pulse themselves: no leap is an outage, and who goes is gone."""
SEALER = _core.Sealer({"k": bytes(32)}, "k")
RESIGN = match_service_pb2.Resign()

State = match_service_pb2.GetMatchResponse
Update = match_service_pb2.WatchMatchResponse
Answer = match_service_pb2.SubmitActionResponse
Action = tonj_pb2.TonjAction | tonj_house_pb2.TonjHouseAction | trix_pb2.TrixAction | match_service_pb2.Resign


class Clock:
    """Milliseconds since 1970, as the test says."""

    def __init__(self) -> None:
        self.now_ms = START_MS

    def __call__(self) -> int:
        return self.now_ms


class Losses(Silent):
    """Counts lost races."""

    def __init__(self) -> None:
        self.count = 0

    def lost(self, game: str) -> None:
        self.count += 1


def asked_action(match_id: str, request_id: str, expected: int | None, action: Action) -> _core.Submit:
    request = match_service_pb2.SubmitActionRequest(
        match_id=match_id, request_id=request_id, expected_sequence=expected
    )
    if isinstance(action, tonj_pb2.TonjAction):
        request.tonj.CopyFrom(action)
    elif isinstance(action, tonj_house_pb2.TonjHouseAction):
        request.tonj_house.CopyFrom(action)
    elif isinstance(action, trix_pb2.TrixAction):
        request.trix.CopyFrom(action)
    else:
        request.resign.CopyFrom(action)
    return _core.Submit.read(request.SerializeToString())


def request_key(founded: protocol.Append, player: str, request_id: str) -> bytes:
    """Under which key the store keeps a player's request in the match that was founded so."""
    table = _core.Table.load([founded.payload], SEALER)
    return table.request(player, asked_action(founded.match_id, request_id, None, RESIGN))[0]


def legal(state: State) -> list[Action]:
    """What whoever was shown this may do, in whatever game."""
    return [*state.legal_actions.tonj, *state.legal_actions.tonj_house, *state.legal_actions.trix]


@dataclasses.dataclass
class Match:
    """A match, and its players as a runtime sees them."""

    runtime: Runtime
    clock: Clock
    match_id: str
    players: tuple[str, ...]
    """By seat."""
    ids: "itertools.count[int]" = dataclasses.field(default_factory=itertools.count)

    def on(self, runtime: Runtime) -> "Match":
        """The same match, reached through another runtime."""
        return dataclasses.replace(self, runtime=runtime)

    async def state(self, player: str = "") -> State:
        """The match as a player sees it, or whoever sits at seat 0."""
        return State.FromString(await self.runtime.get_match(player or self.players[0], self.match_id))

    async def head(self) -> int:
        return (await self.state()).match.sequence

    async def mover(self) -> str:
        """Who is on turn, or may call."""
        return self.players[(await self.state()).clock.awaited_seats[0]]

    async def choice(self, player: str) -> Action:
        """Something that this player may do: the first of his legal actions, else to give up."""
        return next(iter(legal(await self.state(player))), RESIGN)

    async def submit(
        self, player: str, action: Action, *, request_id: str = "", expected: int | None = None, at: int | None = None
    ) -> Answer:
        submit = asked_action(self.match_id, request_id or f"r{next(self.ids)}", expected, action)
        return Answer.FromString(await self.runtime.submit(player, submit, at or self.clock.now_ms))

    async def move(self, request_id: str = "") -> Answer:
        """A legal move of whoever is on turn."""
        player = await self.mover()
        return await self.submit(player, await self.choice(player), request_id=request_id)

    async def deadline_ms(self) -> int:
        return (await self.state()).clock.deadline.ToMilliseconds()

    async def watch(self, player: str, after: int | None = None, device: str = "") -> Feed:
        return await self.runtime.watch(player, self.match_id, after, device)


async def seated(runtime: Runtime, clock: Clock, asked: matchmaking_service_pb2.CreateMatchRequest) -> Match:
    """The match that is asked for."""
    made = match_pb2.Match.FromString(await runtime.create(asked.SerializeToString()))
    return Match(runtime, clock, made.match_id, tuple(seat.player_id for seat in made.seats))


@contextlib.asynccontextmanager
async def running(
    store: protocol.Store, clock: Clock, limits: Limits = PATIENT, observer: Observer | None = None
) -> AsyncIterator[Runtime]:
    """A runtime whose pulse is the test's to beat, but for the first."""
    runtime = Runtime(store, SEALER, now=clock, observer=observer or Silent(), limits=limits)
    await runtime.start()
    try:
        yield runtime
    finally:
        await runtime.stop()


async def waiting(feed: Feed) -> list[Update]:
    """What can be read from a feed without waiting; ends quietly where the feed does."""
    read = []
    with contextlib.suppress(StopAsyncIteration):
        while True:
            task = asyncio.ensure_future(anext(feed))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
                break
            read.append(Update.FromString(task.result()))
    return read


def sequences(updates: list[Update]) -> list[int]:
    """The numbers of all events in these updates."""
    return [event.sequence for update in updates for event in update.events.events]


async def rest(feed: Feed) -> tuple[list[Update], str]:
    """What a feed that was ended early still holds, and the reason of its end."""
    read = []
    try:
        async for update in feed:
            read.append(Update.FromString(update))
    except Refusal as no:
        return read, no.reason
    raise AssertionError("the feed ended by itself")


async def done(runtime: Runtime, name: str) -> None:
    """Lets the tasks of this name come to their end: `timer`, `settle`."""
    if begun := [task for task in runtime._background._tasks if task.get_name() == name]:
        await asyncio.wait(begun)


async def fired(runtime: Runtime) -> None:
    """Lets the timers look at the clock, and what they begin come to its end."""
    runtime._timers.check()
    await done(runtime, "timer")


async def refused(work: Awaitable[object]) -> Refusal:
    """The refusal that some call comes to."""
    try:
        answer = await work
    except Refusal as no:
        return no
    raise AssertionError(f"was not refused: {answer!r}")

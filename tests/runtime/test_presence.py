"""Who is shown as connected: for a grace after his last stream, so that who is back in time was never away."""

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.store import memory
from majlis.v1 import match_pb2
from tests.runtime import room, tonj
from tests.runtime.guests import OPEN_TRIX, Guests
from tests.runtime.room import RESIGN, Clock, Match, Update
from tests.runtime.tonj import PLAYERS

GRACE_MS = 5_000
GRACIOUS = dataclasses.replace(room.PATIENT, presence_grace_seconds=GRACE_MS / 1_000)


@dataclasses.dataclass
class Sight:
    """Somebody who watches a match, and what he is told of who is there."""

    feed: Feed

    async def told(self) -> list[tuple[int, bool]]:
        return [(one.seat, one.connected) for one in presences(await room.waiting(self.feed))]


def presences(updates: list[Update]) -> list[match_pb2.Seat]:
    return [update.notice.presence for update in updates if update.notice.HasField("presence")]


async def sight(match: Match, player: str = "celine") -> Sight:
    """A watcher who has read what his stream opened with."""
    watcher = Sight(await match.watch(player))
    await watcher.told()
    return watcher


async def shown(match: Match) -> list[bool]:
    """What `GetMatch` shows; a snapshot and the notices of a new stream must show the same."""
    seats = [seat.connected for seat in (await match.state()).match.seats]
    feed = await match.watch("passer-by")
    snapshot, *notices = await room.waiting(feed)
    await feed.aclose()
    assert [seat.connected for seat in snapshot.snapshot.match.seats] == seats
    assert [(one.seat, one.connected) for one in presences(notices)] == list(enumerate(seats))
    return seats


@pytest.fixture
async def runtime(clock: Clock) -> AsyncIterator[Runtime]:
    async with room.running(memory.MemoryStore(), clock, GRACIOUS) as running:
        yield running


@pytest.fixture
async def match(runtime: Runtime, clock: Clock) -> Match:
    return await tonj.found(runtime, clock, turn_seconds=300)


async def test_who_is_back_in_time_was_never_away(runtime: Runtime, clock: Clock, match: Match) -> None:
    watcher, feed = await sight(match), await match.watch(PLAYERS[0])
    assert await watcher.told() == [(0, True)]
    for _ in range(20):
        await feed.aclose()
        clock.now_ms += GRACE_MS - 1
        await runtime.pulse.beat()
        assert await shown(match) == [True, False]
        feed = await match.watch(PLAYERS[0])
        assert await watcher.told() == []
    clock.now_ms += 10 * GRACE_MS
    await runtime.pulse.beat()
    assert await watcher.told() == []
    assert await shown(match) == [True, False]


async def test_who_stays_away_is_told_of_once_and_never_too_soon(runtime: Runtime, clock: Clock, match: Match) -> None:
    watcher, feed = await sight(match), await match.watch(PLAYERS[0])
    assert await watcher.told() == [(0, True)]
    await feed.aclose()
    late = await sight(match, "dalal")
    clock.now_ms += GRACE_MS - 1
    await runtime.pulse.beat()
    assert (await watcher.told(), await shown(match)) == ([], [True, False])
    clock.now_ms += 1
    assert (await watcher.told(), await shown(match)) == ([], [True, False])  # nobody was told, so nothing has changed
    await runtime.pulse.beat()
    assert (await watcher.told(), await late.told(), await shown(match)) == ([(0, False)], [(0, False)], [False, False])
    clock.now_ms += GRACE_MS
    await runtime.pulse.beat()
    assert await watcher.told() == []
    await match.watch(PLAYERS[0])
    assert await watcher.told() == [(0, True)]


async def test_after_the_grace_it_is_so_also_where_nobody_watches(runtime: Runtime, clock: Clock, match: Match) -> None:
    await (await match.watch(PLAYERS[0])).aclose()
    assert await shown(match) == [True, False]
    clock.now_ms += GRACE_MS
    await runtime.pulse.beat()
    assert await shown(match) == [False, False]
    assert not runtime._house.presence._gone


async def test_without_a_grace_who_goes_is_gone(clock: Clock) -> None:
    async with room.running(memory.MemoryStore(), clock) as runtime:
        match = await tonj.found(runtime, clock)
        watcher, feed = await sight(match), await match.watch(PLAYERS[0])
        await feed.aclose()
        assert await watcher.told() == [(0, True), (0, False)]
        assert await shown(match) == [False, False]


async def test_a_clock_that_was_set_back_begins_the_grace_again(runtime: Runtime, clock: Clock, match: Match) -> None:
    watcher, feed = await sight(match), await match.watch(PLAYERS[0])
    await feed.aclose()
    clock.now_ms -= 3_600_000
    await runtime.pulse.beat()
    clock.now_ms += GRACE_MS - 1
    await runtime.pulse.beat()
    assert await watcher.told() == [(0, True)]
    clock.now_ms += 1
    await runtime.pulse.beat()
    assert await watcher.told() == [(0, False)]


async def test_a_match_that_leaves_the_memory_takes_nobody_with_it(
    runtime: Runtime, clock: Clock, match: Match
) -> None:
    """An error of the disk ends every stream: who opens his again saw nobody go, and is seen by nobody to come."""
    feeds = [await match.watch(player) for player in PLAYERS]
    runtime._house.store.on_reopen()
    for feed in feeds:
        assert (await room.rest(feed))[1] == "STREAM_RESET"
    first = await sight(match, PLAYERS[0])
    assert await shown(match) == [True, True]
    clock.now_ms += GRACE_MS - 1
    await runtime.pulse.beat()
    second = await match.watch(PLAYERS[1])
    assert await first.told() == []
    await second.aclose()
    runtime._hall.drop_all("reset")
    clock.now_ms += GRACE_MS
    first = await sight(match, PLAYERS[0])
    await runtime.pulse.beat()
    assert await first.told() == [(1, False)]


async def test_an_idle_match_that_is_asked_for_again_shows_the_same(clock: Clock) -> None:
    limits = dataclasses.replace(GRACIOUS, idle_seconds=0)
    async with room.running(memory.MemoryStore(), clock, limits) as runtime:
        match = await tonj.found(runtime, clock)
        await (await match.watch(PLAYERS[0])).aclose()
        await runtime.pulse.beat()
        assert runtime.loaded == 0
        assert await shown(match) == [True, False]
        clock.now_ms += GRACE_MS
        await runtime.pulse.beat()
        assert await shown(match) == [False, False]


async def test_at_the_end_of_the_match_who_goes_is_told_of_to_those_who_stay(
    runtime: Runtime, clock: Clock, match: Match
) -> None:
    staying = Sight(await runtime.watch(PLAYERS[0], match.match_id, None, await_rematch=True))
    going = await match.watch(PLAYERS[1])
    await match.submit(PLAYERS[0], RESIGN)
    await room.waiting(going)
    assert [(one.seat, one.connected) for one in presences(await room.waiting(staying.feed))][-1] == (1, True)
    clock.now_ms += GRACE_MS
    await runtime.pulse.beat()
    assert await staying.told() == [(1, False)]


class TestASeatThatIsGivenBack:
    async def test_is_nobodys_who_went_before(self, runtime: Runtime, clock: Clock) -> None:
        visitors = Guests(runtime, clock)
        made = await visitors.join_table("amal", OPEN_TRIX)
        await visitors.join_table("basim", OPEN_TRIX)
        match = Match(runtime, clock, made.match_id, ("amal", "basim"))
        watcher = await sight(match)
        feed = await match.watch("basim")
        await feed.aclose()
        assert await watcher.told() == [(1, True)]
        await visitors.leave("basim", match.match_id)
        await visitors.join_table("dalal", OPEN_TRIX)
        assert await self.seats(match) == [False, False]
        clock.now_ms += GRACE_MS
        await runtime.pulse.beat()
        assert await watcher.told() == []
        await match.watch("dalal")
        assert await watcher.told() == [(1, True)]

    @pytest.mark.parametrize("before", [True, False], ids=["who went before", "who still watches"])
    async def test_and_taken_again_is_a_new_one(self, runtime: Runtime, clock: Clock, before: bool) -> None:
        visitors = Guests(runtime, clock)
        made = await visitors.join_table("amal", OPEN_TRIX)
        await visitors.join_table("basim", OPEN_TRIX)
        match = Match(runtime, clock, made.match_id, ("amal", "basim"))
        watcher, feed = await sight(match), await match.watch("basim")
        if before:
            await feed.aclose()
        await visitors.leave("basim", match.match_id)
        if not before:
            assert (await room.rest(feed))[1] == "STREAM_RESET"
        await visitors.join_table("basim", OPEN_TRIX)
        assert await self.seats(match) == [False, False]
        await match.watch("basim")
        assert await watcher.told() == [(1, True), (1, True)]

    async def seats(self, match: Match) -> list[bool]:
        return [seat.connected for seat in (await match.state()).match.seats]


async def test_at_a_stop_nobody_is_told_that_others_were_let_go(clock: Clock) -> None:
    """The server ends the streams itself, over a time that may be longer than the grace."""
    for grace_seconds in (GRACIOUS.presence_grace_seconds, 0):
        limits = dataclasses.replace(
            room.PATIENT, presence_grace_seconds=grace_seconds, drain_seconds=0.1, stall_seconds=10**6
        )
        async with room.running(memory.MemoryStore(), clock, limits) as runtime:
            match = await tonj.found(runtime, clock)
            feeds = [await match.watch(player) for player in PLAYERS for _ in range(3)]
            for feed in feeds:
                await room.waiting(feed)
            stopping = asyncio.ensure_future(runtime.stop())
            while not stopping.done():
                clock.now_ms += GRACE_MS
                await runtime.pulse.beat()
                await asyncio.sleep(0.01)
            for feed in feeds:
                read, reason = await room.rest(feed)
                assert (presences(read), reason) == ([], "DRAINING")


async def test_presence_moves_neither_deadline_nor_sequence(runtime: Runtime, clock: Clock, match: Match) -> None:
    deadline_ms, head = await match.deadline_ms(), await match.head()
    for _ in range(50):
        await (await match.watch(PLAYERS[0])).aclose()
        clock.now_ms += GRACE_MS
        await runtime.pulse.beat()
        assert (await match.deadline_ms(), await match.head()) == (deadline_ms, head)


STEPS = some.one_of(
    some.sampled_from([("open", 0), ("open", 1), ("close", 0), ("close", 1), ("device", 0), ("device", 1)]),
    some.tuples(some.just("wait"), some.sampled_from([0, 1, 1_000, GRACE_MS - 1, GRACE_MS, 2 * GRACE_MS])),
    some.just(("beat", 0)),
    some.just(("drop", 0)),
)


class Model:
    """What is to be shown and told, said once more and without streams."""

    def __init__(self) -> None:
        self.open = [0, 0]
        self.connected = [False, False]
        self.left_ms: list[int | None] = [None, None]
        self.notices: list[tuple[int, bool]] = []

    def opens(self, seat: int) -> None:
        self.open[seat] += 1
        self.left_ms[seat] = None
        self._show(seat, True)

    def closes(self, seat: int, now_ms: int) -> None:
        self.open[seat] -= 1
        if not self.open[seat]:
            self.left_ms[seat] = now_ms

    def beats(self, now_ms: int) -> None:
        for seat, left_ms in enumerate(self.left_ms):
            if left_ms is not None and now_ms - left_ms >= GRACE_MS:
                self.left_ms[seat] = None
                self._show(seat, False)

    def _show(self, seat: int, connected: bool) -> None:
        if self.connected[seat] != connected:
            self.connected[seat] = connected
            self.notices.append((seat, connected))


@settings(max_examples=150, deadline=None)
@given(some.lists(STEPS, max_size=40))
async def test_whoever_comes_and_goes_what_is_told_is_what_is_shown(steps: list[tuple[str, int]]) -> None:
    clock, model = Clock(), Model()
    async with contextlib.AsyncExitStack() as stack:
        runtime = await stack.enter_async_context(room.running(memory.MemoryStore(), clock, GRACIOUS))
        match = await tonj.found(runtime, clock, turn_seconds=300)
        watcher, told = await sight(match), list[tuple[int, bool]]()
        feeds: list[list[Feed]] = [[], []]
        phones: list[Feed | None] = [None, None]
        for step, value in steps:
            if step == "open" and len(feeds[value]) < 7:  # with the phone's the most of one player
                feeds[value].append(await match.watch(PLAYERS[value]))
                model.opens(value)
            elif step == "close" and feeds[value]:
                await feeds[value].pop().aclose()
                model.closes(value, clock.now_ms)
            elif step == "device":
                old, phones[value] = phones[value], await match.watch(PLAYERS[value], device="phone")
                if old is None:
                    model.opens(value)
                else:
                    await old.aclose()  # late, and without effect
            elif step == "wait":
                clock.now_ms += value
            elif step == "beat":
                await runtime.pulse.beat()
                model.beats(clock.now_ms)
            elif step == "drop":
                told += await watcher.told()
                runtime._hall.drop_all("reset")
                for seat in range(2):
                    for _ in range(model.open[seat]):
                        model.closes(seat, clock.now_ms)
                feeds, phones = [[], []], [None, None]
                watcher = await sight(match)
            told += await watcher.told()
            for seat in range(2):  # who goes at the same instant is told of in any order
                assert [one for one in told if one[0] == seat] == [one for one in model.notices if one[0] == seat]
            assert await shown(match) == model.connected

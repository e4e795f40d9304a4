"""Seats that change while they are watched: a feed shows what its own player may see, and never what another may."""

import asyncio
import contextlib
import dataclasses
import random

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.store import memory
from tests.runtime import guests, room, trix
from tests.runtime.guests import ACTIVE, OPEN_TRIX, Guests, seats
from tests.runtime.room import Clock, Update
from tests.runtime.stores import Faulty

Cards = frozenset[tuple[int, int]]
OTHERS = ("basim", "celine", "dalal")


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


def as_set(hand: "list[trix.Card]") -> Cards:
    return frozenset((card.suit, card.rank) for card in hand)


def hands_in(update: Update) -> list[Cards]:
    """All hands that an update shows."""
    hands = [update.snapshot.view.trix.hand, *(event.trix.dealt.hand for event in update.events.events)]
    return [as_set(list(hand)) for hand in hands if hand]


def viewer_of(update: Update) -> int | None:
    return update.snapshot.viewer_seat if update.snapshot.HasField("viewer_seat") else None


async def watching(visitors: Guests, match_id: str, player: str) -> Feed:
    """A feed whose opening has been read."""
    feed = await visitors.runtime.watch(player, match_id, None)
    await room.waiting(feed)
    return feed


async def hand_of(visitors: Guests, match_id: str, player: str) -> Cards:
    state = room.State.FromString(await visitors.runtime.get_match(player, match_id))
    return as_set(list(state.view.trix.hand))


async def test_who_watched_and_takes_a_seat_opens_his_seats_view(visitors: Guests) -> None:
    match = await visitors.join_table("amal", OPEN_TRIX)
    feed = await watching(visitors, match.match_id, "basim")
    stranger = await watching(visitors, match.match_id, "hasan")
    await visitors.join_table("basim", OPEN_TRIX)
    assert (await room.rest(feed))[1] == "STREAM_RESET"
    again = await visitors.runtime.watch("basim", match.match_id, None)
    opening = await room.waiting(again)
    assert viewer_of(opening[0]) == 1
    assert room.sequences(await room.waiting(stranger)) == [3]  # whom it does not concern watches on
    for player in ("celine", "dalal"):
        await visitors.join_table(player, OPEN_TRIX)
    (dealt,) = [hand for update in await room.waiting(again) for hand in hands_in(update)]
    assert dealt == await hand_of(visitors, match.match_id, "basim")
    assert len(dealt) == 13
    assert [hand for update in await room.waiting(stranger) for hand in hands_in(update)] == []


async def test_the_last_who_takes_a_seat_gets_his_hand_by_his_new_feed_only(visitors: Guests) -> None:
    match = await visitors.join_table("amal", OPEN_TRIX)
    for player in ("basim", "celine"):
        await visitors.join_table(player, OPEN_TRIX)
    feed = await watching(visitors, match.match_id, "dalal")
    assert (await visitors.join_table("dalal", OPEN_TRIX)).status == ACTIVE
    read, reason = await room.rest(feed)
    assert ([hand for update in read for hand in hands_in(update)], reason) == ([], "STREAM_RESET")
    (opening, *_) = await room.waiting(await visitors.runtime.watch("dalal", match.match_id, None))
    assert (viewer_of(opening), len(hands_in(opening))) == (3, 1)


async def test_who_leaves_loses_his_seats_feed_before_anybody_takes_the_seat(visitors: Guests) -> None:
    match = await visitors.join_table("amal", OPEN_TRIX)
    await visitors.join_table("basim", OPEN_TRIX)
    feeds = [await watching(visitors, match.match_id, "amal") for _ in range(2)]
    await visitors.leave("amal", match.match_id)
    for feed in feeds:
        assert (await room.rest(feed))[1] == "STREAM_RESET"
    sitting = visitors.runtime._hall.get(match.match_id)
    assert sitting is not None
    assert sitting.audience.connected() == []
    (opening, *_) = await room.waiting(await visitors.runtime.watch("amal", match.match_id, None))
    assert viewer_of(opening) is None


async def test_who_leaves_a_private_match_sees_it_no_more(visitors: Guests) -> None:
    made = await visitors.create_room("amal", guests.FOUR)
    await visitors.join_room("basim", made.code)
    feed = await watching(visitors, made.match.match_id, "amal")
    await visitors.leave("amal", made.match.match_id)
    assert (await room.rest(feed))[1] == "STREAM_RESET"
    no = await room.refused(visitors.runtime.watch("amal", made.match.match_id, None))
    assert no.reason == "MATCH_NOT_FOUND"


async def test_a_feed_that_fell_behind_shows_nothing_of_the_next_who_sits_there(clock: Clock) -> None:
    """The snapshot that it is owed would be made when it is read: as of a seat that is another's by then."""
    limits = dataclasses.replace(room.PATIENT, feed_length=2)
    async with room.running(memory.MemoryStore(), clock, limits) as runtime:
        visitors = Guests(runtime, clock)
        match = await visitors.join_table("amal", OPEN_TRIX)
        feed = await watching(visitors, match.match_id, "amal")
        for player in OTHERS[:2]:
            await visitors.join_table(player, OPEN_TRIX)
            await watching(visitors, match.match_id, player)
        await visitors.leave("amal", match.match_id)
        for player in ("dalal", "hasan"):
            await visitors.join_table(player, OPEN_TRIX)
        assert (await visitors.see(match.match_id, "hasan")).status == ACTIVE
        read, reason = await room.rest(feed)
        assert ([hand for update in read for hand in hands_in(update)], reason) == ([], "STREAM_RESET")


@pytest.mark.parametrize("after", [None, 0, 1])
async def test_one_who_leaves_while_his_feed_opens_is_shown_nothing_of_the_next(
    clock: Clock, after: int | None
) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        match = await visitors.join_table("amal", OPEN_TRIX)
        for player in OTHERS[:2]:
            await visitors.join_table(player, OPEN_TRIX)
        store.reads.clear()
        opening = asyncio.ensure_future(runtime.watch("amal", match.match_id, after))
        await asyncio.sleep(0.001)
        await visitors.leave("amal", match.match_id)
        for player in ("dalal", "hasan"):
            await visitors.join_table(player, OPEN_TRIX)
        played = room.Match(runtime, clock, match.match_id, ("dalal", *OTHERS[:2], "hasan"))
        await played.submit(await played.mover(), trix.choose(trix.QUEENS))
        store.reads.set()
        read, reason = await room.rest(await opening)
        assert reason == "STREAM_RESET"
        assert [hand for update in read for hand in hands_in(update)] == []
        assert [update for update in read if update.notice.private_state.may_double] == []


async def test_one_who_leaves_while_he_is_shown_the_match_is_shown_nothing_of_the_next(clock: Clock) -> None:
    """He looks, and while his look waits for its turn the seat becomes another's and the cards are dealt."""
    store = Faulty(shared=True, logs=memory.Logs())
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        made = await visitors.create_room("amal", dataclasses.replace(guests.FOUR, visibility=guests.PUBLIC))
        match_id = made.match.match_id
        for player in OTHERS[:2]:
            await visitors.join_room(player, made.code)
        store.gate.clear()
        leaving = asyncio.ensure_future(visitors.leave("amal", match_id))
        await asyncio.sleep(0.001)
        joining = [asyncio.ensure_future(visitors.join_room(player, made.code)) for player in ("dalal", "hasan")]
        await asyncio.sleep(0.001)
        look = asyncio.ensure_future(runtime.get_match("amal", match_id))
        feed = asyncio.ensure_future(runtime.watch("amal", match_id, None))
        await asyncio.sleep(0.001)
        store.gate.set()
        await asyncio.gather(leaving, *joining)
        state = room.State.FromString(await look)
        assert (state.match.status, len(state.view.trix.hand)) == (ACTIVE, 0)
        (opening, *_) = await room.waiting(await feed)
        assert (viewer_of(opening), hands_in(opening)) == (None, [])


async def test_who_leaves_with_an_open_feed_disturbs_nobody(visitors: Guests) -> None:
    match = await visitors.join_table("amal", OPEN_TRIX)
    await visitors.join_table("basim", OPEN_TRIX)
    feeds = {player: await watching(visitors, match.match_id, player) for player in ("amal", "basim", "hasan")}
    for player in ("basim", "hasan"):
        await room.waiting(feeds[player])
    await visitors.leave("amal", match.match_id)
    assert (await room.rest(feeds["amal"]))[1] == "STREAM_RESET"
    for player in ("basim", "hasan"):
        (update,) = await room.waiting(feeds[player])
        assert [event.seat_left.seat for event in update.events.events] == [0]
    await visitors.join_table("celine", OPEN_TRIX)
    assert [room.sequences(await room.waiting(feeds[player])) for player in ("basim", "hasan")] == [[5], [5]]


class Spectacle:
    """A match of Trix whose players come, go, watch, read or do not, in any order, until four of them play."""

    def __init__(self, places: list[Guests], chance: random.Random) -> None:
        self.places = places
        self.chance = chance
        self.players = guests.names(range(6))
        self.match_id = ""
        self.feeds: list[Feed] = []
        self.shown: list[tuple[str, Update]] = []
        self.resets = 0

    async def play(self) -> None:
        """The first player stays, so that it is not void."""
        first, *others = self.players
        self.match_id = (await self.places[0].join_table(first, OPEN_TRIX)).match_id
        while (await self.places[0].see(self.match_id, first)).status != ACTIVE:
            steps = [self.step(self.chance.choice(others)) for _ in range(self.chance.randrange(1, 4))]
            await asyncio.gather(*steps, self.watch(first))
            if self.chance.random() < 0.5:
                await self.read(self.chance.choice(self.feeds))
        for player in self.players:
            await self.watch(player)
        for feed in list(self.feeds):
            await self.read(feed)

    async def step(self, player: str) -> None:
        for _ in range(self.chance.randrange(4)):
            await asyncio.sleep(0)
        place, what = self.chance.choice(self.places), self.chance.random()
        with contextlib.suppress(Refusal):  # he has no seat to give back, or the match has begun
            if what < 0.3:
                await place.join_table(player, OPEN_TRIX)
            elif what < 0.5:
                await place.leave(player, self.match_id)
            else:
                await self.watch(player)

    async def watch(self, player: str) -> None:
        runtime = self.chance.choice(self.places).runtime
        self.feeds.append(await runtime.watch(player, self.match_id, self.chance.choice([None, 0, 1])))

    async def read(self, feed: Feed) -> None:
        """What can be read without waiting."""
        while True:
            task = asyncio.ensure_future(anext(feed))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            if not task.done():
                task.cancel()
            (end,) = await asyncio.gather(task, return_exceptions=True)
            if isinstance(end, bytes):
                self.shown.append((feed.lease.player_id, Update.FromString(end)))
                continue
            if isinstance(end, Refusal):
                assert end.reason in ("STREAM_RESET", "STREAM_REPLACED")
                self.resets += end.reason == "STREAM_RESET"
                self.feeds.remove(feed)
            return

    async def assert_that_everybody_saw_his_own_hand_only(self) -> None:
        hands = {player: await hand_of(self.places[0], self.match_id, player) for player in self.players}
        assert sorted(map(len, hands.values())) == [0, 0, 13, 13, 13, 13]
        for player, update in self.shown:
            assert all(hand == hands[player] for hand in hands_in(update))
            if update.HasField("snapshot"):
                sat = {name: seat for seat, name in seats(update.snapshot.match).items()}
                assert viewer_of(update) == sat.get(player)
        assert {player for player, update in self.shown if hands_in(update)} == {
            player for player, hand in hands.items() if hand
        }


@pytest.mark.parametrize("servers", [1, 2])
@pytest.mark.parametrize("seed", range(4))
async def test_nobody_is_ever_shown_anothers_hand(clock: Clock, seed: int, servers: int) -> None:
    chance, logs, resets = random.Random(seed), memory.Logs(), 0
    limits = dataclasses.replace(room.PATIENT, feed_length=3)
    async with contextlib.AsyncExitStack() as stack:
        runtimes = [await stack.enter_async_context(room.running(Faulty(logs), clock, limits)) for _ in range(servers)]
        here = Guests(runtimes[0], clock)
        for _ in range(5):
            spectacle = Spectacle([here.at(runtime) for runtime in runtimes], chance)
            await spectacle.play()
            await spectacle.assert_that_everybody_saw_his_own_hand_only()
            resets += spectacle.resets
    assert resets > 5

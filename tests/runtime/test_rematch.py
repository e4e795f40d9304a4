"""Rematches: the same players again, one seat further round, once; and those who wait for one are told of it, once."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator

import pytest

from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from tests.runtime import guests, room
from tests.runtime.guests import ACTIVE, FEE, OPEN_TRIX, PRIVATE, QUICK, STAKED, VOID, WAITING, Guests, Wire, seats
from tests.runtime.room import Clock, Update
from tests.runtime.stores import Fault, Faulty

REMATCH_MS = int(room.PATIENT.rematch_seconds * 1000)
STAY_MS = int(room.PATIENT.rematch_stay_seconds * 1000)
A, B = "amal", "basim"


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


@pytest.fixture
async def twins(clock: Clock) -> AsyncIterator[tuple[Guests, Guests]]:
    """The same guests at two servers."""
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
        here = Guests(one, clock)
        yield here, here.at(two)


async def ended(visitors: Guests) -> Wire:
    """A match of a table that is over."""
    await visitors.join_table(A)
    match = await visitors.join_table(B)
    await visitors.resign(match.match_id, A)
    return await visitors.see(match.match_id, A)


async def ended_private(visitors: Guests) -> Wire:
    """A match of a room that is over."""
    made = await visitors.create_room(A)
    match = await visitors.join_room(B, made.code)
    await visitors.resign(match.match_id, A)
    return match


async def watching(visitors: Guests, match_id: str, player: str, *, await_rematch: bool = True) -> Feed:
    """A feed whose opening has been read."""
    feed = await visitors.runtime.watch(player, match_id, None, await_rematch=await_rematch)
    await room.waiting(feed)
    return feed


def rematches(updates: list[Update]) -> list[str]:
    """The rematches that are told of."""
    return [update.notice.rematch_id for update in updates if update.notice.WhichOneof("kind") == "rematch_id"]


async def told(feed: Feed) -> list[str]:
    return rematches(await room.waiting(feed))


async def is_at_its_end(feed: Feed) -> bool:
    task = asyncio.ensure_future(anext(feed, None))
    for _ in range(3):
        await asyncio.sleep(0)
    if task.done():
        assert task.result() is None
        return True
    task.cancel()
    await asyncio.wait([task])
    return False


async def test_both_play_again_one_seat_further_round(visitors: Guests) -> None:
    old = await ended(visitors)
    waits = await visitors.rematch(B, old.match_id)
    assert (waits.status, seats(waits), waits.rematch_of) == (WAITING, {0: B}, old.match_id)
    starts = await visitors.rematch(A, old.match_id)
    assert (starts.match_id, starts.status, seats(starts)) == (waits.match_id, ACTIVE, {0: B, 1: A})
    assert starts.options == old.options
    assert (starts.game, starts.visibility, starts.table_id) == (old.game, old.visibility, "")
    assert [seat.display_name for seat in starts.seats] == ["Basim", "Amal"]
    assert starts.deal_commitment != old.deal_commitment


async def test_four_seats_go_round_and_each_is_kept_for_its_player(visitors: Guests) -> None:
    players = ("amal", "basim", "celine", "dalal")
    made = await visitors.create_room(players[0], guests.FOUR)
    match = made.match
    for player in players[1:]:
        await visitors.join_room(player, made.code)
    # Where all have given up, the server plays it out.
    for player in players:
        await visitors.resign(match.match_id, player)
    while (await visitors.see(match.match_id, players[0])).status == ACTIVE:
        await visitors.void_by(visitors.clock.now_ms + 60_000)
    for player in ("dalal", "basim", "amal"):
        await visitors.rematch(player, match.match_id)
    again = await visitors.rematch("celine", match.match_id)
    assert seats(again) == {0: "dalal", 1: "amal", 2: "basim", 3: "celine"}
    assert again.status == ACTIVE


async def test_a_rematch_of_a_rematch_goes_round_again(visitors: Guests) -> None:
    old = await ended(visitors)
    for first, second in ((B, A), (A, B), (B, A)):
        await visitors.rematch(A, old.match_id)
        again = await visitors.rematch(B, old.match_id)
        assert (seats(again), again.rematch_of) == ({0: first, 1: second}, old.match_id)
        await visitors.resign(again.match_id, A)
        old = again


async def test_both_who_ask_at_once_meet(visitors: Guests) -> None:
    old = await ended(visitors)
    one, two = await asyncio.gather(*(visitors.rematch(player, old.match_id) for player in (A, B)))
    assert one.match_id == two.match_id
    assert seats(await visitors.see(one.match_id, A)) == {0: B, 1: A}


async def test_both_who_ask_at_once_at_two_servers_meet(twins: tuple[Guests, Guests]) -> None:
    here, there = twins
    for _ in range(10):
        old = await ended(here)
        calls = [
            place.rematch(player, old.match_id) for place, player in ((here, A), (there, B), (there, A), (here, B))
        ]
        made = await asyncio.gather(*calls)
        assert len({match.match_id for match in made}) == 1
        shown = await there.see(made[0].match_id, A)
        assert (shown.status, seats(shown)) == (ACTIVE, {0: B, 1: A})


async def test_a_repeat_and_another_request_get_the_same_rematch(visitors: Guests) -> None:
    old = await ended(visitors)
    first = await visitors.rematch(A, old.match_id, "mine")
    assert await visitors.rematch(A, old.match_id, "mine") == first
    assert await visitors.rematch(A, old.match_id, "second") == first
    await visitors.rematch(B, old.match_id)
    for request_id in ("mine", "second", "third"):
        again = await visitors.rematch(A, old.match_id, request_id)
        assert (again.match_id, again.status) == (first.match_id, ACTIVE)
    other = await ended(visitors)
    assert (await room.refused(visitors.rematch(A, other.match_id, "mine"))).reason == "REQUEST_ID_REUSED"


async def test_a_rematch_that_the_other_does_not_join_is_void_and_may_be_asked_for_again(
    visitors: Guests, clock: Clock, store: protocol.Store
) -> None:
    old = await ended(visitors)
    first = await visitors.rematch(A, old.match_id)
    asked_ms = clock.now_ms
    await visitors.void_by(asked_ms + REMATCH_MS)
    assert (await visitors.see(first.match_id, A)).status == WAITING
    await visitors.void_by(asked_ms + REMATCH_MS + 1)
    assert (await visitors.see(first.match_id, A)).status == VOID
    second = await visitors.rematch(B, old.match_id)
    assert (second.match_id != first.match_id, second.status, seats(second)) == (True, WAITING, {0: B})
    assert (await visitors.rematch(A, old.match_id)).status == ACTIVE
    results = await guests.told(store)
    assert [kind for match_id, kind in results if match_id == first.match_id] == ["void"]
    assert [kind for match_id, kind in results if match_id == second.match_id] == ["seated", "started"]


async def test_whoever_comes_too_late_opens_another_himself(visitors: Guests, clock: Clock) -> None:
    old = await ended(visitors)
    first = await visitors.rematch(A, old.match_id)
    clock.now_ms += REMATCH_MS + 1
    second = await visitors.rematch(B, old.match_id)
    assert (second.match_id != first.match_id, second.status) == (True, WAITING)


async def test_whose_offer_lapsed_makes_another_before_anybody_saw_it_lapse(visitors: Guests, clock: Clock) -> None:
    old = await ended(visitors)
    lapsed = await visitors.rematch(A, old.match_id)
    clock.now_ms += REMATCH_MS + 1
    another = await visitors.rematch(A, old.match_id)
    assert another.status == WAITING
    assert another.match_id != lapsed.match_id
    assert (await visitors.rematch(B, old.match_id)).match_id == another.match_id


async def test_who_takes_his_offer_back_may_make_another(visitors: Guests) -> None:
    old = await ended(visitors)
    first = await visitors.rematch(A, old.match_id)
    await visitors.leave(A, first.match_id)
    second = await visitors.rematch(B, old.match_id)
    assert (second.match_id != first.match_id, second.status) == (True, WAITING)


async def test_only_a_match_that_ended_with_a_result_is_played_again(visitors: Guests) -> None:
    match = await visitors.join_table(A)
    assert (await room.refused(visitors.rematch(A, match.match_id))).reason == "MATCH_NOT_ENDED"
    await visitors.join_table(B)
    assert (await room.refused(visitors.rematch(A, match.match_id))).reason == "MATCH_NOT_ENDED"
    void = await visitors.join_table(A)
    await visitors.leave(A, void.match_id)
    # Nobody sits at a match that all have left.
    assert (await room.refused(visitors.rematch(A, void.match_id))).reason == "NOT_SEATED"
    staked = await visitors.join_table(A, STAKED)
    await visitors.join_table(B, STAKED)
    await visitors.leave(B, staked.match_id)
    assert (await room.refused(visitors.rematch(A, staked.match_id))).reason == "MATCH_VOID"


async def test_only_its_players_play_it_again(visitors: Guests) -> None:
    old, private = await ended(visitors), await ended_private(visitors)
    assert (await room.refused(visitors.rematch("celine", old.match_id))).reason == "NOT_SEATED"
    assert (await room.refused(visitors.rematch("celine", private.match_id))).reason == "MATCH_NOT_FOUND"
    for player in (A, B):  # while it waits, and once it has started
        await visitors.rematch(player, old.match_id)
        assert (await room.refused(visitors.rematch("celine", old.match_id))).reason == "NOT_SEATED"
    again = await visitors.rematch(A, private.match_id)
    assert (again.visibility, again.options) == (guests.SEATED, private.options)
    assert (await room.refused(visitors.see(again.match_id, "celine"))).reason == "MATCH_NOT_FOUND"


async def test_a_rematch_with_a_fee_asks_for_it_again(visitors: Guests) -> None:
    await visitors.join_table(A, STAKED)
    old = await visitors.join_table(B, STAKED)
    for player in (A, B):
        await visitors.confirm(old.match_id, player)
    await visitors.resign(old.match_id, A)
    await visitors.rematch(A, old.match_id)
    again = await visitors.rematch(B, old.match_id)
    assert (again.status, [seat.stake_confirmed for seat in again.seats]) == (WAITING, [False, False])
    assert again.options.tonj_house.entry_fee_minor == FEE
    await visitors.confirm(again.match_id, A, "another payment")
    assert (await visitors.confirm(again.match_id, B, "another payment")).status == ACTIVE


@pytest.mark.parametrize("fault", [Fault.LANDED, Fault.VANISHED, Fault.UNAVAILABLE])
async def test_a_rematch_is_made_once_whatever_the_store_does(clock: Clock, fault: Fault) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        old = await ended(visitors)
        for player in (A, B):
            store.faults.append(fault)
            if fault is Fault.UNAVAILABLE:
                no = await room.refused(visitors.rematch(player, old.match_id, "mine"))
                assert no.reason == "STORE_UNAVAILABLE"
            first = await visitors.rematch(player, old.match_id, "mine")
            assert await visitors.rematch(player, old.match_id, "mine") == first
        assert len(store._logs.matches) == 2
        again = await visitors.rematch(A, old.match_id)
        assert (again.status, seats(again)) == (ACTIVE, {0: B, 1: A})


# Those who watch.


async def test_who_awaits_a_rematch_is_told_of_it_once(visitors: Guests) -> None:
    await visitors.join_table(A, QUICK)
    match = await visitors.join_table(B)
    staying = [await watching(visitors, match.match_id, player) for player in (A, B, "celine")]
    going = await watching(visitors, match.match_id, A, await_rematch=False)
    await visitors.resign(match.match_id, A)
    assert [sequences[-1] for sequences in [room.sequences(await room.waiting(feed)) for feed in (*staying, going)]] \
        == [(await visitors.see(match.match_id, A)).sequence] * 4  # fmt: skip
    assert await is_at_its_end(going)
    again = await visitors.rematch(A, match.match_id)
    for feed in staying:
        assert await told(feed) == [again.match_id]
    await visitors.rematch(A, match.match_id)
    await visitors.rematch(B, match.match_id)
    await visitors.runtime.pulse.beat()
    for feed in staying:
        assert await told(feed) == []
        assert not await is_at_its_end(feed)


@pytest.mark.parametrize("before", [0, 1, 2, 3])
async def test_who_reads_too_slowly_is_told_of_it_all_the_same(clock: Clock, before: int) -> None:
    """No snapshot tells of it, whenever one takes the place of what waits."""
    limits = dataclasses.replace(room.PATIENT, feed_length=2)
    async with room.running(memory.MemoryStore(), clock, limits) as runtime:
        visitors = Guests(runtime, clock)
        old = await ended(visitors)
        slow = await watching(visitors, old.match_id, A)
        await room.waiting(slow)

        async def others_come_and_go(times: int) -> None:
            for _ in range(times):
                await (await watching(visitors, old.match_id, B)).aclose()

        await others_come_and_go(before)
        again = await visitors.rematch(B, old.match_id)
        await others_come_and_go(3 - before)
        assert await told(slow) == [again.match_id]
        assert await told(slow) == []


async def test_who_comes_after_it_was_made_is_told_as_he_comes(visitors: Guests) -> None:
    old = await ended(visitors)
    early = await watching(visitors, old.match_id, A)
    again = await visitors.rematch(A, old.match_id)
    for after in (None, 1, old.sequence):
        feed = await visitors.runtime.watch(B, old.match_id, after, await_rematch=True)
        opening = await room.waiting(feed)
        assert rematches(opening) == [again.match_id]
        assert not rematches(opening[:1])
    plain = await visitors.runtime.watch(B, old.match_id, None)
    assert await told(plain) == []
    assert await is_at_its_end(plain)
    assert await told(early) == [again.match_id]


async def test_one_that_opens_while_it_is_made_is_told_once(clock: Clock) -> None:
    """However the two interleave."""
    for pause in range(12):
        store = Faulty()
        async with room.running(store, clock) as runtime:
            visitors = Guests(runtime, clock)
            old = await ended(visitors)

            async def open_later() -> Feed:
                for _ in range(pause):  # noqa: B023
                    await asyncio.sleep(0)
                return await visitors.runtime.watch(B, old.match_id, None, await_rematch=True)  # noqa: B023

            again, feed = await asyncio.gather(visitors.rematch(A, old.match_id), open_later())
            assert await told(feed) == [again.match_id]


async def test_who_comes_again_because_the_store_was_opened_anew_is_told_once(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        old = await ended(visitors)
        store.door.clear()
        asking = asyncio.ensure_future(visitors.rematch(A, old.match_id))
        await asyncio.sleep(0.001)
        store.on_reopen()
        feed = await watching(visitors, old.match_id, B)
        store.door.set()
        again = await asking
        assert await told(feed) == [again.match_id]
        assert await told(feed) == []


async def test_another_offer_after_one_that_lapsed_is_told_of_too(visitors: Guests, clock: Clock) -> None:
    old = await ended(visitors)
    feed = await watching(visitors, old.match_id, B)
    first = await visitors.rematch(A, old.match_id)
    await visitors.void_by(clock.now_ms + REMATCH_MS + 1)
    late = await visitors.runtime.watch(B, old.match_id, None, await_rematch=True)
    assert await told(late) == []  # that one is no more
    second = await visitors.rematch(A, old.match_id)
    assert await told(feed) == [first.match_id, second.match_id]
    assert await told(late) == [second.match_id]


async def test_nobody_stays_for_ever(visitors: Guests, clock: Clock) -> None:
    old = await ended(visitors)
    feed = await watching(visitors, old.match_id, A)
    clock.now_ms += STAY_MS - 1
    await visitors.runtime.pulse.beat()
    await room.waiting(feed)
    assert not await is_at_its_end(feed)
    clock.now_ms += 1
    await visitors.runtime.pulse.beat()
    await room.waiting(feed)
    assert await is_at_its_end(feed)
    late = await visitors.runtime.watch(A, old.match_id, None, await_rematch=True)
    await room.waiting(late)
    assert await is_at_its_end(late)


async def test_nobody_waits_for_a_rematch_of_a_void_match(visitors: Guests) -> None:
    match = await visitors.join_table(A, OPEN_TRIX)
    feed = await watching(visitors, match.match_id, A)
    watcher = await watching(visitors, match.match_id, "celine")
    await visitors.join_table(B, OPEN_TRIX)
    await visitors.void_by(clock_end(visitors))
    for one in (feed, watcher):
        await room.waiting(one)
        assert await is_at_its_end(one)


def clock_end(visitors: Guests) -> int:
    """When the seats of a table that was opened now have had their time."""
    return visitors.clock.now_ms + int(room.PATIENT.tables_seconds * 1000) + 1


async def test_who_waits_at_another_server_is_told_by_its_pulse_once(twins: tuple[Guests, Guests]) -> None:
    here, there = twins
    old = await ended(here)
    await there.see(old.match_id, A)
    feed = await watching(there, old.match_id, B)
    again = await here.rematch(A, old.match_id)
    assert await told(feed) == []
    for _ in range(2):
        await there.runtime.pulse.beat()
    assert await told(feed) == [again.match_id]
    # Who comes there anew hears of it at once, and so does everybody else there, if the pulse has not yet told.
    other = await ended(here)
    first = await watching(there, other.match_id, A)
    again = await here.rematch(A, other.match_id)
    second = await there.runtime.watch(B, other.match_id, None, await_rematch=True)
    assert await told(second) == [again.match_id]
    assert await told(first) == [again.match_id]
    await there.runtime.pulse.beat()
    assert (await told(first), await told(second)) == ([], [])


async def test_a_pulse_without_its_store_tells_nothing_and_goes_on(clock: Clock) -> None:
    logs = memory.Logs()
    store = Faulty(logs)
    async with room.running(Faulty(logs), clock) as one, room.running(store, clock) as two:
        here = Guests(one, clock)
        there = here.at(two)
        old = await ended(here)
        feed = await watching(there, old.match_id, B)
        again = await here.rematch(A, old.match_id)
        store.down = True
        await two.pulse.beat()
        assert await told(feed) == []
        store.down = False
        await two.pulse.beat()
        assert await told(feed) == [again.match_id]


async def test_a_private_rematch_is_made_by_whoever_is_known_at_the_other_server(twins: tuple[Guests, Guests]) -> None:
    here, there = twins
    made = await here.create_room(A, PRIVATE)
    await there.look_up(made.code)
    match = await here.join_room(B, made.code)
    await here.resign(match.match_id, A)
    # There the match was seen before he sat at it.
    again = await there.rematch(B, match.match_id)
    assert (again.status, seats(again)) == (WAITING, {0: B})

"""An action and the end of its clock: of ten thousand races of each kind, each has one winner, and it is the right one.

It is one log that is wound back, so that a race costs about a millisecond. How one is run stands in `races`.
"""

import collections
import random
from collections.abc import AsyncIterator, Sequence

from majlis.v1 import event_pb2, match_pb2
from tests.runtime import claims, guests, races, room, tonj, trix
from tests.runtime.guests import Guests
from tests.runtime.races import Act, Entry, Ground, Told
from tests.runtime.room import Clock, Match
from tests.runtime.stores import Faulty

TIMES = 10_000
GROUNDS = 20


def assert_both_won(outcomes: collections.Counter[tuple[Entry, bool]]) -> None:
    """Asserts that each way in which the two can meet was met in numbers, and both won in numbers."""
    assert outcomes.total() == TIMES
    entries = {entry for entry, _ in outcomes}
    assert len(entries) == len(races.LATE_MS) * 2 * 2
    assert min(outcomes.values()) > TIMES // 40
    won = sum(times for (_, taken), times in outcomes.items() if taken)
    assert TIMES // 3 < won < TIMES * 2 // 3


def called(events: Sequence[event_pb2.Event]) -> bool:
    """Whether a claim was resolved by a call."""
    (resolved,) = [event.tonj.claim_resolved.called for event in events if event.tonj.HasField("claim_resolved")]
    return resolved


async def test_a_call_and_the_end_of_its_window_in_tonj(clock: Clock) -> None:
    store = Faulty()

    async def windows() -> AsyncIterator[tuple[Ground, Act, Told]]:
        for number in range(GROUNDS):
            match = await tonj.found(runtime, clock, f"match {number}", claim_window_ms=4_000)
            offender = await match.mover()
            attempt = claims.faulty_attempt(await match.state(), tonj.PLAYERS.index(offender))
            assert attempt is not None
            await match.submit(offender, attempt)
            state = await match.state()
            if state.clock.kind == match_pb2.CLOCK_KIND_CLAIM:  # unless another attempt was due first
                ground = await Ground.at(store, runtime, clock, match)
                yield ground, ground.submits(tonj.PLAYERS[state.clock.awaited_seats[0]], claims.CALL), called

    async with room.running(store, clock) as runtime:
        assert_both_won(await races.raced(windows(), TIMES, random.Random(1)))


async def test_the_last_answer_and_the_end_of_the_doubling_window_in_trix(clock: Clock) -> None:
    store = Faulty()

    async def windows() -> AsyncIterator[tuple[Ground, Act, Told]]:
        for number in range(GROUNDS):
            match = await room.seated(runtime, clock, trix.asked_match(f"match {number}"))
            if not trix.queens_at(2)(await trix.hands_of(match)):
                continue
            await match.submit(await match.mover(), trix.choose(trix.QUEENS))
            first, last = await trix.asked(match)
            mine = trix.queens((await match.state(last)).view.trix.hand)
            await match.submit(first, trix.double())

            def doubled(events: Sequence[event_pb2.Event], mine: list[trix.Card] = mine) -> bool:
                (shown,) = [event.trix.doubles_shown.doubled for event in events]
                assert [one.card for one in shown] in ([], mine)
                return bool(shown)

            ground = await Ground.at(store, runtime, clock, match)
            yield ground, ground.submits(last, trix.double(*mine)), doubled

    async with room.running(store, clock) as runtime:
        assert_both_won(await races.raced(windows(), TIMES, random.Random(2)))


def played(events: Sequence[event_pb2.Event]) -> bool:
    """Whether a card was played by its player, and not for him."""
    *before, last = trix.kinds(events)
    assert (before, last) in (([], "card_played"), (["timed_out"], "card_played"))
    return not before


async def test_a_card_and_the_end_of_its_turn_in_trix(clock: Clock) -> None:
    store = Faulty()

    async def turns() -> AsyncIterator[tuple[Ground, Act, Told]]:
        for number in range(GROUNDS):
            match = await room.seated(runtime, clock, trix.asked_match(f"match {number}"))
            await match.submit(await match.mover(), trix.choose(trix.DIAMONDS))
            mover = await match.mover()
            card = room.legal(await match.state(mover))[-1]
            ground = await Ground.at(store, runtime, clock, match)
            yield ground, ground.submits(mover, card), played

    async with room.running(store, clock) as runtime:
        assert_both_won(await races.raced(turns(), TIMES, random.Random(3)))


def started(events: Sequence[event_pb2.Event]) -> bool:
    """Whether a match with fees has begun, and is not void."""
    kinds = {event.WhichOneof("kind") for event in events}
    assert len(kinds & {"match_started", "match_ended"}) == 1
    return "match_started" in kinds


async def test_the_last_fee_and_the_end_of_the_wallets_time(clock: Clock) -> None:
    store = Faulty()

    async def waiting() -> AsyncIterator[tuple[Ground, Act, Told]]:
        visitors = Guests(runtime, clock)
        for _ in range(GROUNDS):
            await visitors.join_table("amal", guests.STAKED)
            match_id = (await visitors.join_table("basim", guests.STAKED)).match_id
            await visitors.confirm(match_id, "amal")
            ground = await Ground.at(store, runtime, clock, Match(runtime, clock, match_id, ("amal", "basim")))

            async def pay(at: int, match_id: str = match_id) -> None:
                await visitors.confirm(match_id, "basim", at=at)

            yield ground, pay, started

    async with room.running(store, clock) as runtime:
        assert_both_won(await races.raced(waiting(), TIMES, random.Random(4)))

"""Time that was lost is given back to the clocks of Trix, and how much tells nothing of hidden answers (X5)."""

import dataclasses

import pytest

from majlis.store import memory
from tests.runtime import room, trix, twins
from tests.runtime.room import RESIGN, Clock
from tests.runtime.stores import Faulty
from tests.runtime.trix import DIAMONDS, PLAYERS, QUEENS, double

LIMITS = dataclasses.replace(room.PATIENT, outage_seconds=3)


@pytest.mark.parametrize("answered_ms", [1, 3_000, 3_001, 11_999])
async def test_what_is_given_back_does_not_tell_that_somebody_answered_in_the_gap(
    clock: Clock, answered_ms: int
) -> None:
    """The last sign of life, then nothing for twelve seconds; an answer that comes in it finds it out before all."""
    founded = await trix.dealt(trix.queens_at(4), double_seconds=60)
    async with twins.playing(founded, clock, LIMITS) as (answered, silent):
        head, deadline_ms = await silent.match.head(), await silent.match.deadline_ms()
        clock.now_ms += answered_ms
        await answered.match.submit(PLAYERS[0], double())
        clock.now_ms += 12_000 - answered_ms
        for _ in range(70):
            for twin in (answered, silent):
                await twin.second()
            assert await answered.seen_by_all_but(PLAYERS[0]) == await silent.seen_by_all_but(PLAYERS[0])
            clock.now_ms += 1_000
        extended, shown = await trix.since(silent.match, head)
        assert extended.clock_extended.by_ms == 12_000
        assert shown.time.ToMilliseconds() > deadline_ms + 12_000
        assert await trix.since(answered.match, head) == [extended, shown]


@pytest.mark.parametrize("answered_s", [0, 5, 20])
async def test_nor_that_somebody_answers_after_it(clock: Clock, answered_s: int) -> None:
    """Nobody looks and nobody acts after the outage, but perhaps one who answers."""
    founded = await trix.dealt(trix.queens_at(4), double_seconds=60)
    async with twins.playing(founded, clock, LIMITS) as (answered, silent):
        clock.now_ms += 12_000
        streams = []
        for elapsed_s in range(30):
            for twin in (answered, silent):
                await twin.second()
            if elapsed_s == answered_s:
                await answered.match.submit(PLAYERS[0], double())
            streams.append([await twin.streamed_to_all_but(PLAYERS[0]) for twin in (answered, silent)])
            clock.now_ms += 1_000
        for told, expected in streams:
            assert told == expected
        assert any(update.events.events for _, silence in streams for updates in silence.values() for update in updates)


async def test_a_seats_own_clock_gets_its_time_back_too(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, LIMITS) as runtime:
        match = await trix.begun(store, runtime, clock, DIAMONDS, await trix.dealt())
        mover = await match.mover()
        await match.submit(mover, RESIGN)
        head, own_ms, deadline_ms = await match.head(), await trix.own_ms(match, mover), await match.deadline_ms()
        assert own_ms is not None
        clock.now_ms += 7_000
        await runtime.pulse.beat()
        assert await trix.own_ms(match, mover) == own_ms + 7_000
        assert await match.deadline_ms() == deadline_ms + 7_000
        clock.now_ms = own_ms + 7_001
        await room.fired(runtime)
        assert trix.kinds(await trix.since(match, head)) == ["clock_extended", "card_played"]


async def test_a_seat_is_shown_its_own_instant_as_it_holds_before_the_first_beat(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, LIMITS) as runtime:
        match = await trix.begun(store, runtime, clock, DIAMONDS, await trix.dealt())
        mover = await match.mover()
        resigned = await match.submit(mover, RESIGN)
        own_ms = await trix.own_ms(match, mover)
        assert own_ms is not None
        clock.now_ms += 7_000
        assert await trix.own_ms(match, mover) == own_ms + 7_000
        clock.now_ms += 7_000
        feed = await match.watch(mover, resigned.sequence)
        told = [update.notice.private_state for update in await room.waiting(feed) if update.notice.WhichOneof("kind")]
        assert told[-1].auto_play_time.ToMilliseconds() == own_ms + 14_000


async def test_a_window_in_which_no_server_ran_is_as_long_as_it_was(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        founded = await trix.dealt(trix.queens_at(2))
        match = await trix.begun(Faulty(logs), runtime, clock, QUEENS, founded)
        first, second = await trix.asked(match)
        deadline_ms, head = await match.deadline_ms(), await match.head()
        clock.now_ms += 2_000
        await match.submit(first, double())
    clock.now_ms += 3_600_000
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        match = match.on(runtime)
        await runtime.sweep.run()
        await room.done(runtime, "timer")
        # From the last sign of life, and the window's last public event: both were at its beginning.
        assert await match.deadline_ms() == deadline_ms + 3_602_000
        assert await trix.asked(match) == [second]
        mine = trix.queens((await match.state(second)).view.trix.hand)
        answer = await match.submit(second, double(*mine), expected=head + 1)
        assert trix.kinds(answer.events) == ["doubles_shown"]

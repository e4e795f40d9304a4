"""The clocks that everybody sees, and the delay before the only possible play (X3, X4, X11, X14).

The last instant is in time, the next is late. That a player and the server never both act is in test_races.py, seats
that were given up in test_trix_away.py.
"""

import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2, trix_pb2
from tests.runtime import room, trix
from tests.runtime.room import RESIGN, Clock, Match
from tests.runtime.trix import DIAMONDS, KING, PLAYERS, QUEENS, TRIX, double

SECOND_MS = 1000


async def run_out(match: Match) -> None:
    """Lets the public deadline pass: nothing happens at it, what has to happens after it."""
    head = await match.head()
    match.clock.now_ms = await match.deadline_ms()
    await room.fired(match.runtime)
    assert await match.head() == head
    match.clock.now_ms += 1
    await room.fired(match.runtime)


async def test_an_owner_who_does_not_choose_gets_the_first_contract(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.seated(store, runtime, clock, await trix.dealt(choose_seconds=7))
    state = await match.state()
    assert state.clock.kind == match_pb2.CLOCK_KIND_CHOOSE
    assert list(state.clock.awaited_seats) == [state.view.trix.owner]
    assert state.clock.deadline.ToMilliseconds() == clock.now_ms + 7 * SECOND_MS
    await run_out(match)
    timed_out, chosen = await trix.since(match, state.match.sequence)
    assert timed_out.timed_out.seat == state.view.trix.owner
    assert timed_out.timed_out.kind == match_pb2.CLOCK_KIND_CHOOSE
    assert chosen.trix.contract_chosen.contract == KING


async def test_a_window_names_nobody_and_closes_for_all_who_did_not_answer(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.begun(store, runtime, clock, QUEENS, await trix.dealt(trix.queens_at(3), double_seconds=9))
    state = await match.state()
    assert state.clock.kind == match_pb2.CLOCK_KIND_DOUBLE
    assert list(state.clock.awaited_seats) == []
    assert state.clock.deadline.ToMilliseconds() == clock.now_ms + 9 * SECOND_MS
    first = (await trix.asked(match))[0]
    mine = trix.queens((await match.state(first)).view.trix.hand)
    clock.now_ms += 5 * SECOND_MS
    await match.submit(first, double(*mine))
    assert (await match.state()).clock == state.clock
    await run_out(match)
    (shown,) = await trix.since(match, state.match.sequence)
    doubled = shown.trix.doubles_shown.doubled
    assert [(one.seat, one.card) for one in doubled] == [(PLAYERS.index(first), card) for card in mine]
    assert (await match.state()).view.trix.phase == trix.TRICKS


async def test_a_card_that_is_not_played_is_played(store: protocol.Store, runtime: Runtime, clock: Clock) -> None:
    match = await trix.begun(store, runtime, clock, DIAMONDS, await trix.dealt(play_seconds=3))
    state = await match.state()
    assert state.clock.kind == match_pb2.CLOCK_KIND_PLAY
    assert state.clock.deadline.ToMilliseconds() == clock.now_ms + 3 * SECOND_MS
    await run_out(match)
    timed_out, played = await trix.since(match, state.match.sequence)
    assert timed_out.timed_out.kind == match_pb2.CLOCK_KIND_PLAY
    assert timed_out.timed_out.seat == played.trix.card_played.seat == state.view.trix.turn_seat


# --- The only possible play (X11) ---


@pytest.fixture
async def layout(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    """The Trix contract, at a seat that can do one thing only."""
    match = await trix.begun(store, runtime, clock, TRIX, await trix.dealt(auto_play_delay_ms=1_200, play_seconds=30))
    await trix.with_one_play(match)
    return match


async def only_play(match: Match) -> tuple[str, trix_pb2.TrixAction, int]:
    """Whose it is, what it is, and when the server makes it."""
    mover = await match.mover()
    (only,) = (await match.state(mover)).legal_actions.trix
    own_ms = await trix.own_ms(match, mover)
    assert own_ms is not None
    return mover, only, own_ms


async def plays(match: Match, after: int) -> list[str | None]:
    return trix.kinds(await trix.since(match, after))


async def test_the_only_possible_play_is_made_after_a_delay_that_its_seat_alone_knows(
    layout: Match, clock: Clock
) -> None:
    mover, only, own_ms = await only_play(layout)
    head, turn_ms = await layout.head(), clock.now_ms
    assert own_ms == turn_ms + 1_200
    for viewer in trix.VIEWERS:
        state = await layout.state(viewer)
        assert state.private_state.HasField("auto_play_time") == (viewer == mover)
        assert state.clock.deadline.ToMilliseconds() == turn_ms + 30 * SECOND_MS
        assert list(state.clock.awaited_seats) == [PLAYERS.index(mover)]
    clock.now_ms = own_ms
    await room.fired(layout.runtime)
    assert await layout.head() == head
    clock.now_ms += 1
    await room.fired(layout.runtime)
    (event,) = await trix.since(layout, head)
    if only.HasField("pass"):
        assert event.trix.passed.seat == PLAYERS.index(mover)
    else:
        assert (event.trix.card_played.seat, event.trix.card_played.card) == (
            PLAYERS.index(mover),
            only.play_card.card,
        )
    assert await layout.deadline_ms() == clock.now_ms + 30 * SECOND_MS


async def test_its_player_may_be_quicker_and_then_the_server_does_nothing(layout: Match, clock: Clock) -> None:
    mover, only, own_ms = await only_play(layout)
    head = await layout.head()
    clock.now_ms += 100
    await layout.submit(mover, only, expected=head)
    clock.now_ms = own_ms + 1
    await room.fired(layout.runtime)
    assert len(await plays(layout, head)) == 1


@pytest.mark.parametrize("late_ms", [0, 1])
async def test_its_player_is_in_time_at_that_instant_and_not_after_it(
    layout: Match, clock: Clock, late_ms: int
) -> None:
    mover, only, own_ms = await only_play(layout)
    head = await layout.head()
    clock.now_ms = own_ms + 5  # nobody has looked at the timers yet
    acting = layout.submit(mover, only, expected=head, at=own_ms + late_ms)
    if late_ms:
        no = await room.refused(acting)
        assert (no.reason, no.sequence) == ("STALE_SEQUENCE", head + 1)
    else:
        await acting
    assert len(await plays(layout, head)) == 1
    await room.fired(layout.runtime)
    assert len(await plays(layout, head)) == 1


@pytest.mark.parametrize("late_ms", [0, 1])
async def test_nobody_else_overtakes_it(layout: Match, clock: Clock, late_ms: int) -> None:
    mover, _, own_ms = await only_play(layout)
    other = next(player for player in PLAYERS if player != mover)
    head = await layout.head()
    clock.now_ms = own_ms + 5
    await layout.submit(other, RESIGN, at=own_ms + late_ms)
    *before, last = await plays(layout, head)
    assert last == "resigned"
    assert len(before) == late_ms
    await room.fired(layout.runtime)
    assert len(await plays(layout, head)) == 2


async def test_it_is_made_in_a_match_that_nobody_has_loaded(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        match = await trix.begun(store, runtime, clock, TRIX, await trix.dealt())
        await trix.with_one_play(match)
        _, _, own_ms = await only_play(match)
        head = await match.head()
    for clock.now_ms in (own_ms, own_ms + 1):
        async with room.running(store, clock) as runtime:
            await runtime.sweep.run()
            await room.done(runtime, "timer")
        stored = await store.head(match.match_id)
        assert stored is not None
        assert stored.sequence == head + (clock.now_ms > own_ms)


async def test_a_room_may_turn_it_off(store: protocol.Store, runtime: Runtime, clock: Clock) -> None:
    match = await trix.begun(store, runtime, clock, TRIX, await trix.dealt(auto_play_delay_ms=0))
    while len((await match.state(await match.mover())).legal_actions.trix) > 1:
        await match.move()
    mover, head = await match.mover(), await match.head()
    assert await trix.own_ms(match, mover) is None
    await run_out(match)
    assert (await plays(match, head))[0] == "timed_out"


async def test_a_trick_is_never_played_by_the_server_before_its_time(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.begun(store, runtime, clock, DIAMONDS, await trix.dealt())
    singles = 0
    while (await match.state()).view.trix.deal_number == 1:
        mover = await match.mover()
        singles += len((await match.state(mover)).legal_actions.trix) == 1
        assert await trix.own_ms(match, mover) is None
        await match.move()
    assert singles

"""Seats that were given up: the server plays for them, always after the same delay, until they act again (X17)."""

import pytest

from majlis import _core
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2, match_service_pb2, trix_pb2
from tests.runtime import room, trix
from tests.runtime.room import RESIGN, Clock, Match
from tests.runtime.trix import DIAMONDS, PLAYERS, QUEENS, TRIX, double

AWAY_MS, PLAY_MS = 2_000, 20_000


async def wait(match: Match, milliseconds: int) -> None:
    match.clock.now_ms += milliseconds
    await room.fired(match.runtime)


async def happens_after(match: Match, delay_ms: int) -> list[str | None]:
    """Lets the delay pass; what happens after it, and nothing at it."""
    head = await match.head()
    await wait(match, delay_ms)
    assert await match.head() == head
    await wait(match, 1)
    return trix.kinds(await trix.since(match, head))


async def is_away(match: Match, player: str) -> bool:
    return (await match.state()).match.seats[PLAYERS.index(player)].away


async def give_up(match: Match, player: str) -> None:
    answer = await match.submit(player, RESIGN)
    assert trix.kinds(answer.events) == ["resigned"]
    assert await is_away(match, player)


async def test_a_contract_is_chosen_for_an_owner_who_is_away(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.seated(store, runtime, clock, await trix.dealt())
    owner, deadline_ms = await match.mover(), await match.deadline_ms()
    clock.now_ms += 5_000
    await give_up(match, owner)
    assert await trix.own_ms(match, owner) == clock.now_ms + AWAY_MS
    # The others are told no other deadline than before.
    assert await match.deadline_ms() == deadline_ms
    assert await happens_after(match, AWAY_MS) == ["contract_chosen"]
    assert await is_away(match, owner)


@pytest.mark.parametrize("contract", [DIAMONDS, TRIX])
async def test_cards_are_played_for_a_seat_that_is_away_after_the_same_delay_every_time(
    store: protocol.Store, runtime: Runtime, clock: Clock, contract: trix_pb2.Contract.ValueType
) -> None:
    match = await trix.begun(store, runtime, clock, contract, await trix.dealt())
    away = PLAYERS[2]
    await give_up(match, away)
    turns, had_one_play = 0, False
    # In the layout until it could have done one thing only: the delay before that is the shorter one (X11).
    while turns < 6 or (contract == TRIX and not had_one_play):
        # The clock that everybody sees is the ordinary one.
        assert await match.deadline_ms() == clock.now_ms + PLAY_MS
        if await match.mover() != away:
            await match.move()
            continue
        had_one_play = len((await match.state(away)).legal_actions.trix) == 1
        assert await trix.own_ms(match, away) == clock.now_ms + AWAY_MS
        assert set(await happens_after(match, AWAY_MS)) <= {"card_played", "passed", "trick_taken"}
        turns += 1
    assert await is_away(match, away)


async def test_nothing_happens_for_them_while_cards_may_be_doubled(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.begun(store, runtime, clock, QUEENS, await trix.dealt(trix.queens_at(2)))
    first, second = await trix.asked(match)
    for player in PLAYERS:
        await give_up(match, player)
    head, deadline_ms = await match.head(), await match.deadline_ms()
    assert [await trix.own_ms(match, player) for player in PLAYERS] == [None] * 4
    # An answer counts, and brings its seat not back: its pace would tell (X5).
    mine = trix.queens((await match.state(second)).view.trix.hand)
    await match.submit(second, double(*mine))
    assert await is_away(match, second)
    assert await match.deadline_ms() == deadline_ms
    while clock.now_ms + 1_000 <= deadline_ms:
        await wait(match, 1_000)
    assert await match.head() == head
    await wait(match, deadline_ms + 1 - clock.now_ms)
    (shown,) = await trix.since(match, head)
    assert [one.card for one in shown.trix.doubles_shown.doubled] == mine
    assert [await is_away(match, player) for player in (first, second)] == [True, True]


async def test_who_acts_is_back(store: protocol.Store, runtime: Runtime, clock: Clock) -> None:
    match = await trix.begun(store, runtime, clock, DIAMONDS, await trix.dealt())
    mover = await match.mover()
    await give_up(match, mover)
    own_ms = await trix.own_ms(match, mover)
    assert own_ms is not None
    hand = (await match.state(mover)).view.trix.hand
    other = next(player for player in PLAYERS if player != mover)
    foreign = (await match.state(other)).view.trix.hand[0]
    assert (await room.refused(match.submit(mover, trix.play(foreign)))).reason == "CARD_NOT_IN_HAND"
    assert await is_away(match, mover)
    clock.now_ms = own_ms  # the last instant
    back = await match.submit(mover, trix.play(hand[0]))
    assert trix.kinds(back.events) == ["returned", "card_played"]
    assert back.events[0].returned.seat == PLAYERS.index(mover)
    assert not await is_away(match, mover)
    head = await match.head()
    await wait(match, 1)
    assert await match.head() == head
    for _ in range(3):
        await match.move()
    while await match.mover() != mover:
        await match.move()
    assert await trix.own_ms(match, mover) is None


async def test_who_comes_back_too_late_finds_his_card_played(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.begun(store, runtime, clock, DIAMONDS, await trix.dealt())
    mover = await match.mover()
    await give_up(match, mover)
    head, own_ms = await match.head(), await trix.own_ms(match, mover)
    assert own_ms is not None
    hand = (await match.state(mover)).view.trix.hand
    clock.now_ms = own_ms + 10
    no = await room.refused(match.submit(mover, trix.play(hand[-1]), expected=head, at=own_ms + 1))
    assert (no.reason, no.sequence) == ("STALE_SEQUENCE", head + 1)
    assert trix.kinds(await trix.since(match, head)) == ["card_played"]
    assert await is_away(match, mover)


async def test_to_give_up_again_and_again_is_accepted_and_nothing(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.begun(store, runtime, clock, DIAMONDS, await trix.dealt())
    mover = await match.mover()
    first = await match.submit(mover, RESIGN, request_id="first")
    before, own_ms = await store.head(match.match_id), await trix.own_ms(match, mover)
    feeds = [await match.watch(viewer, first.sequence) for viewer in trix.VIEWERS]
    for feed in feeds:
        await room.waiting(feed)
    clock.now_ms += 1_500
    for number in range(100):
        answer = await match.submit(mover, RESIGN, request_id=f"again {number % 50}", expected=first.sequence)
        assert (answer.sequence, list(answer.events)) == (first.sequence, [])
    assert await store.head(match.match_id) == before
    assert [await room.waiting(feed) for feed in feeds] == [[]] * len(feeds)
    assert await trix.own_ms(match, mover) == own_ms  # no way to win time
    # What was answered once is answered so again, and its id is taken; what caused nothing has taken none.
    assert await match.submit(mover, RESIGN, request_id="first") == first
    card = trix.play((await match.state(mover)).view.trix.hand[0])
    assert (await room.refused(match.submit(mover, card, request_id="first"))).reason == "REQUEST_ID_REUSED"
    back = await match.submit(mover, card, request_id="again 0")
    assert trix.kinds(back.events) == ["returned", "card_played"]
    assert (await room.refused(match.submit(mover, RESIGN, request_id="again 0"))).reason == "REQUEST_ID_REUSED"


async def test_a_deadline_that_is_nearer_than_the_delay_holds(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    founded = await trix.dealt(play_seconds=1, away_delay_ms=60_000)
    match = await trix.begun(store, runtime, clock, DIAMONDS, founded)
    mover = await match.mover()
    await give_up(match, mover)
    assert await trix.own_ms(match, mover) is None
    assert await happens_after(match, 1_000) == ["timed_out", "card_played"]


async def test_a_match_that_all_have_left_is_played_to_its_end_by_the_server(
    store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox: list[str] = []
    append = store.append

    async def told(appended: protocol.Append) -> protocol.Outcome:
        outbox.extend(appended.outbox)
        return await append(appended)

    monkeypatch.setattr(store, "append", told)
    async with room.running(store, clock) as runtime:
        match = await room.seated(runtime, clock, trix.asked_match("left"))
        for player in PLAYERS:
            await give_up(match, player)
    began_ms = clock.now_ms
    # Nobody watches and nobody asks; the server starts anew between some of the plays.
    for _ in range(5):
        async with room.running(store, clock) as runtime:
            for _ in range(300):
                due = await store.due(10**15, 1)
                if not due or due[0].deadline_ms is None:
                    break
                assert due[0].deadline_ms - clock.now_ms <= 10_000
                clock.now_ms = due[0].deadline_ms + 1
                await runtime.sweep.run()
                await room.done(runtime, "timer")
    async with room.running(store, clock) as runtime:
        ended = (await match.on(runtime).state()).match
        assert ended.status == match_pb2.MATCH_STATUS_ENDED
        assert ended.outcome.reason == match_pb2.END_REASON_PLAYED_OUT
        assert sum(ended.outcome.totals) == 0  # X15
        assert ended.end_time.ToMilliseconds() == clock.now_ms
        page, token = await runtime.replay("celine", match.match_id, 5_000, "")
        assert _core.verify([page]) == ""
        happened = trix.kinds(match_service_pb2.GetReplayResponse.FromString(page).events)
    assert token == ""
    assert happened.count("deal_scored") == 20
    assert happened.count("resigned") == 4
    assert not {"timed_out", "returned"} & set(happened)
    assert outbox == ["seated", "started", "ended"]
    assert clock.now_ms - began_ms < 3_600_000

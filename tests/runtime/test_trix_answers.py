"""Answers to the doubling question: durable and acknowledged like any action, and nobody else knows (X4, X5, X16)."""

import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import cards_pb2
from tests.runtime import room, trix, twins
from tests.runtime.room import RESIGN, Clock, Match
from tests.runtime.stores import Fault, Faulty
from tests.runtime.trix import PLAYERS, QUEENS, VIEWERS, double, queens


async def window(store: protocol.Store, runtime: Runtime, clock: Clock, seats: int = 4) -> Match:
    """A match in which so many seats are asked whether they double queens."""
    founded = await trix.dealt(trix.queens_at(seats), double_seconds=60)
    return await trix.begun(store, runtime, clock, QUEENS, founded)


@pytest.fixture
async def match(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    return await window(store, runtime, clock)


async def own_queens(match: Match, player: str) -> list[cards_pb2.Card]:
    return queens((await match.state(player)).view.trix.hand)


async def test_an_answer_is_durable_and_has_no_number(store: protocol.Store, match: Match) -> None:
    before = await store.head(match.match_id)
    assert before is not None
    answer = await match.submit(PLAYERS[0], double(*await own_queens(match, PLAYERS[0])), expected=before.sequence)
    head = await store.head(match.match_id)
    assert head is not None
    assert (head.record, head.sequence) == (before.record + 1, before.sequence)
    assert (answer.sequence, list(answer.events)) == (before.sequence, [])
    assert await trix.asked(match) == list(PLAYERS[1:])


async def test_it_outlives_the_server_and_is_answered_again_wherever_it_is_repeated(
    store: protocol.Store, clock: Clock
) -> None:
    async with room.running(store, clock) as runtime:
        match = await window(store, runtime, clock)
        head = await match.head()
        mine = double(*await own_queens(match, PLAYERS[0]))
        first = await match.submit(PLAYERS[0], mine, request_id="mine", expected=head)
        assert await match.submit(PLAYERS[0], mine, request_id="mine", expected=head) == first
        runtime._hall.drop_all("reset")
        assert await match.submit(PLAYERS[0], mine, request_id="mine") == first
    async with room.running(store, clock) as runtime:
        match = match.on(runtime)
        assert await match.submit(PLAYERS[0], mine, request_id="mine", expected=1) == first
        assert await trix.asked(match) == list(PLAYERS[1:])
        for other in (double(), RESIGN):
            assert (await room.refused(match.submit(PLAYERS[0], other, request_id="mine"))).reason == (
                "REQUEST_ID_REUSED"
            )
        assert (await room.refused(match.submit(PLAYERS[0], mine, request_id="more"))).reason == "ALREADY_ANSWERED"
        last = await trix.answer_all(match)
        assert trix.kinds(last.events) == ["doubles_shown"]
        assert {doubled.seat for doubled in last.events[0].trix.doubles_shown.doubled} == {0, 1, 2, 3}
        # The table has moved on; the repeat is told what the answer itself was.
        assert await match.submit(PLAYERS[0], mine, request_id="mine", expected=head) == first


async def test_the_answer_that_closes_the_window_is_repeated_with_its_event(
    store: protocol.Store, clock: Clock
) -> None:
    async with room.running(store, clock) as runtime:
        match = await window(store, runtime, clock, 2)
        first, last = await trix.asked(match)
        await match.submit(first, double())
        mine = double(*await own_queens(match, last))
        answer = await match.submit(last, mine, request_id="last")
        assert trix.kinds(answer.events) == ["doubles_shown"]
        assert [doubled.card for doubled in answer.events[0].trix.doubles_shown.doubled] == list(
            mine.answer_double.cards
        )
        await match.move()
    async with room.running(store, clock) as runtime:
        assert await match.on(runtime).submit(last, mine, request_id="last") == answer


async def test_what_is_refused_does_not_count_as_the_answer(store: protocol.Store, match: Match) -> None:
    before = await store.payloads(match.match_id)
    mine, others = await own_queens(match, PLAYERS[0]), await own_queens(match, PLAYERS[1])
    ace = cards_pb2.Card(rank=cards_pb2.RANK_ACE, suit=cards_pb2.SUIT_SPADES)
    for reason, cards in (
        ("CARD_NAMED_TWICE", [*mine, *mine]),
        ("CARD_NOT_IN_HAND", others),
        ("CARD_NOT_DOUBLABLE", [ace]),
    ):
        no = await room.refused(match.submit(PLAYERS[0], double(*cards), request_id="tried"))
        assert (no.reason, no.sequence) == (reason, await match.head())
    assert await store.payloads(match.match_id) == before
    assert await trix.asked(match) == list(PLAYERS)
    # The id was not used up.
    await match.submit(PLAYERS[0], double(*mine), request_id="tried")


async def test_it_makes_nobodys_picture_stale(match: Match) -> None:
    head = await match.head()
    for player in PLAYERS[:3]:
        answer = await match.submit(player, double(), expected=head)
        assert answer.sequence == head
    resigned = await match.submit(PLAYERS[3], RESIGN, expected=head)
    last = await match.submit(PLAYERS[3], double(), expected=resigned.sequence)
    assert (trix.kinds(last.events), last.sequence) == (["doubles_shown"], head + 2)


async def test_all_devices_of_its_player_are_told_and_nobody_else(match: Match) -> None:
    devices = [await match.watch(PLAYERS[0], device=name) for name in ("phone", "tablet")]
    others = [await match.watch(viewer) for viewer in VIEWERS if viewer != PLAYERS[0]]
    for feed in (*devices, *others):
        await room.waiting(feed)
    await match.submit(PLAYERS[0], double())
    for feed in devices:
        (told,) = await room.waiting(feed)
        assert told.notice.HasField("private_state")
        assert not told.notice.private_state.may_double
    for feed in others:
        assert await room.waiting(feed) == []


@pytest.mark.parametrize("fault", [Fault.LANDED, Fault.VANISHED, Fault.BROKEN, Fault.UNAVAILABLE])
async def test_an_answer_that_the_store_leaves_in_doubt_counts_once_and_stays_hidden(
    clock: Clock, fault: Fault
) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await window(store, runtime, clock)
        head, mine = await match.head(), double(*await own_queens(match, PLAYERS[0]))
        others = [await match.watch(viewer, head) for viewer in VIEWERS if viewer != PLAYERS[0]]
        for feed in others:
            await room.waiting(feed)
        store.faults.append(fault)
        if fault is Fault.UNAVAILABLE:
            no = await room.refused(match.submit(PLAYERS[0], mine, request_id="mine", expected=head))
            assert no.reason == "STORE_UNAVAILABLE"
            assert await trix.asked(match) == list(PLAYERS)
        answer = await match.submit(PLAYERS[0], mine, request_id="mine", expected=head)
        assert await match.submit(PLAYERS[0], mine, request_id="mine", expected=head) == answer
        assert (answer.sequence, list(answer.events)) == (head, [])
        assert await trix.asked(match) == list(PLAYERS[1:])
        assert [await room.waiting(feed) for feed in others] == [[]] * 4
        assert len(await store.payloads(match.match_id)) == 3


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("answered_s", [1, 14, 59])
async def test_nobody_can_tell_whether_somebody_has_answered(clock: Clock, seat: int, answered_s: int) -> None:
    """Streams, heartbeats with their instants, tables and refusals of the others are the same, message for message.

    None was doubled: so they are the same beyond the end of the window, too.
    """
    founded = await trix.dealt(trix.queens_at(4), double_seconds=60)
    answering, other = PLAYERS[seat], PLAYERS[seat - 1]
    heartbeats = 0
    async with twins.playing(founded, clock) as (answered, silent):
        for elapsed_s in range(65):
            if elapsed_s == answered_s:
                await answered.match.submit(answering, double())
            for twin in (answered, silent):
                await twin.second()
            seen = await answered.seen_by_all_but(answering)
            assert seen == await silent.seen_by_all_but(answering)
            heartbeats += sum(update.HasField("heartbeat") for update in seen[other][0])
            told = [
                await room.refused(twin.match.submit(other, trix.PASS, expected=expected))
                for twin in (answered, silent)
                for expected in (None, 1, 1000)
            ]
            assert [(no.reason, no.sequence) for no in told[:3]] == [(no.reason, no.sequence) for no in told[3:]]
            clock.now_ms += 1000
        for twin in (answered, silent):
            assert (await twin.match.state()).view.trix.phase == trix.TRICKS
            await twin.match.move()
        assert await answered.seen_by_all_but(answering) == await silent.seen_by_all_but(answering)
    assert heartbeats == 4

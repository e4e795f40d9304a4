"""Actions: accepted once and durable, answered again however they are repeated, and refused without a trace."""

import pytest

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime.observer import Silent
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2
from tests.runtime import room, tonj
from tests.runtime.room import RESIGN, Clock, Match
from tests.runtime.tonj import PLAYERS, REVEAL


async def records(store: protocol.Store, match: Match) -> int:
    head = await store.head(match.match_id)
    assert head is not None
    return head.record


async def test_an_action_is_durable_when_it_is_answered(store: protocol.Store, match: Match) -> None:
    before = await match.head()
    answer = await match.move()
    head = await store.head(match.match_id)
    assert head is not None
    assert head.record == 2
    assert head.sequence == answer.sequence > before
    assert [event.sequence for event in answer.events] == list(range(before + 1, answer.sequence + 1))
    assert await match.head() == answer.sequence


async def test_a_repeat_gets_the_first_answer_and_changes_nothing(store: protocol.Store, match: Match) -> None:
    mover = await match.mover()
    action = await match.choice(mover)
    first = await match.submit(mover, action, request_id="same", expected=await match.head())
    for _ in range(3):
        assert await match.submit(mover, action, request_id="same", expected=1) == first
    assert await records(store, match) == 2


async def test_a_repeat_is_answered_after_others_moved_a_reload_and_the_end(
    store: protocol.Store, clock: Clock
) -> None:
    answers = {}
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        for number in range(20):
            mover = await match.mover()
            action = await match.choice(mover)
            answers[f"id{number}"] = (mover, action, await match.submit(mover, action, request_id=f"id{number}"))
            clock.now_ms += 10
        await match.submit(PLAYERS[0], RESIGN, request_id="resign")
    async with room.running(store, clock) as runtime:
        match = match.on(runtime)
        for request_id, (mover, action, first) in answers.items():
            assert await match.submit(mover, action, request_id=request_id) == first
    assert await records(store, match) == 22


async def test_the_same_id_for_something_else_is_refused(store: protocol.Store, match: Match) -> None:
    mover = await match.mover()
    await match.submit(mover, await match.choice(mover), request_id="same")
    no = await room.refused(match.submit(mover, RESIGN, request_id="same"))
    assert no.reason == "REQUEST_ID_REUSED"
    assert await records(store, match) == 2


async def test_two_players_may_choose_the_same_id(match: Match) -> None:
    mover = await match.mover()
    await match.submit(mover, await match.choice(mover), request_id="same")
    other = next(player for player in PLAYERS if player != mover)
    await match.submit(other, RESIGN, request_id="same")


async def test_an_action_formed_on_an_older_state_is_refused_with_the_head(match: Match) -> None:
    old = await match.head()
    answer = await match.move()
    mover = await match.mover()
    no = await room.refused(match.submit(mover, await match.choice(mover), expected=old))
    assert (no.reason, no.sequence) == ("STALE_SEQUENCE", answer.sequence)


async def test_an_action_formed_on_a_state_that_is_not_yet_is_refused_with_the_head(match: Match) -> None:
    head = await match.head()
    no = await room.refused(match.submit(PLAYERS[0], RESIGN, expected=head + 1))
    assert (no.reason, no.sequence) == ("AHEAD_OF_HEAD", head)


async def test_a_refusal_leaves_no_trace_and_is_judged_afresh(store: protocol.Store, match: Match) -> None:
    mover = await match.mover()
    other = next(player for player in PLAYERS if player != mover)
    before = (await store.payloads(match.match_id), await match.state())
    for _ in range(2):
        no = await room.refused(match.submit(other, REVEAL, request_id="tried"))
        assert (no.reason, no.sequence) == ("NOT_YOUR_TURN", await match.head())
    assert (await store.payloads(match.match_id), await match.state()) == before
    # The id was not used up.
    await match.submit(other, RESIGN, request_id="tried")


async def test_who_does_not_sit_there_does_not_play(match: Match) -> None:
    assert (await room.refused(match.submit("celine", RESIGN))).reason == "NOT_SEATED"


async def test_a_match_of_the_seated_does_not_exist_for_others(runtime: Runtime, clock: Clock) -> None:
    request = tonj.asked_match("closed")
    request.visibility = match_pb2.VISIBILITY_SEATED
    match = await room.seated(runtime, clock, request)
    assert (await room.refused(match.submit("celine", RESIGN))).reason == "MATCH_NOT_FOUND"
    assert (await room.refused(match.state("celine"))).reason == "MATCH_NOT_FOUND"
    assert (await room.refused(match.watch("celine"))).reason == "MATCH_NOT_FOUND"
    assert (await room.refused(runtime.replay("celine", match.match_id, 10, ""))).reason == "MATCH_NOT_FOUND"
    assert (await match.state(PLAYERS[1])).match.visibility == match_pb2.VISIBILITY_SEATED


async def test_a_match_that_is_not_there_is_not_found(runtime: Runtime, clock: Clock) -> None:
    nowhere = Match(runtime, clock, "nowhere", PLAYERS)
    assert (await room.refused(nowhere.submit(PLAYERS[0], RESIGN))).reason == "MATCH_NOT_FOUND"
    assert (await room.refused(nowhere.state())).reason == "MATCH_NOT_FOUND"
    assert (await room.refused(nowhere.watch(PLAYERS[0]))).reason == "MATCH_NOT_FOUND"
    assert runtime.loaded == 0


async def test_nothing_happens_in_a_match_that_is_over(store: protocol.Store, match: Match) -> None:
    await match.submit(PLAYERS[0], RESIGN)
    assert (await room.refused(match.submit(PLAYERS[1], REVEAL))).reason == "MATCH_OVER"
    head = await store.head(match.match_id)
    assert head is not None
    assert (head.record, head.deadline_ms) == (2, None)


async def test_a_clock_that_was_set_back_does_not_turn_a_match_back(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        last = (await match.move()).events[-1].time.ToMilliseconds()
    clock.now_ms -= 3_600_000
    async with room.running(store, clock) as runtime:
        answer = await match.on(runtime).move()
    assert answer.events[0].time.ToMilliseconds() >= last


async def test_the_seal_opens_only_with_its_key(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
    stranger = Runtime(store, _core.Sealer(), now=clock, observer=Silent(), limits=room.PATIENT)
    with pytest.raises(Refusal, match="MATCH_DAMAGED"):
        await match.on(stranger).state()

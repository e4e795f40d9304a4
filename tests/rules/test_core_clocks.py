"""Clocks as a table folds them: what a claim does to the turn's, what gives time, and what does not (T30, T34)."""

import random

import pytest

from majlis import _core
from majlis.v1 import match_pb2, match_service_pb2, tonj_pb2
from tests.rules.matches import START_MS, Command, Match, submit
from tests.rules.tonj_play import CALL, FOUNDATION, RESERVE, Chance, asked, move

ONE_ACTION = tonj_pb2.TonjOptions.TIMEOUT_POLICY_ONE_ACTION
TURN_MS, WINDOW_MS = 30_000, 4_000


def on_turn(match: Match) -> int:
    return match.state().view.tonj.turn_seat


def faulty(match: Match) -> Command:
    """An attempt of the seat on turn that opens a claim, at the match's instant."""
    seat = on_turn(match)
    for slot in range(8):
        command = Command(match.now_ms, seat, move((RESERVE, seat, None), (FOUNDATION, 0, slot)))
        if match.draft(command).verdict == "claim_opened":
            return command
    raise AssertionError("an ace fits every foundation")


def dealt(**options: int) -> Match:
    """A new match in which no reserve shows an ace."""
    while True:
        match = Match(asked(**options))
        if all(side.reserve_top.rank != 1 for side in match.state().view.tonj.sides):
            return match


def test_a_turn_has_its_time_from_the_deal_on() -> None:
    match = dealt()
    assert (match.table.clock, match.table.deadline_ms, match.table.clock_record) == ("turn", START_MS + TURN_MS, 1)
    clock = match.state().clock
    assert (clock.kind, list(clock.awaited_seats)) == (match_pb2.CLOCK_KIND_TURN, [on_turn(match)])
    assert clock.deadline.ToMilliseconds() == START_MS + TURN_MS


@pytest.mark.parametrize("late_ms", [0, 1, 900])
def test_a_claim_freezes_the_turns_clock_and_gives_back_the_exact_rest(late_ms: int) -> None:
    match = dealt()
    offender = on_turn(match)
    match.now_ms = START_MS + 7_001
    match.play(faulty(match))
    rest_ms = TURN_MS - 7_001
    assert (match.table.clock, match.table.deadline_ms) == ("claim", match.now_ms + WINDOW_MS)
    clock = match.state().clock
    assert (clock.kind, list(clock.awaited_seats)) == (match_pb2.CLOCK_KIND_CLAIM, [1 - offender])
    assert clock.paused_remaining_ms == rest_ms
    closed_ms = match.now_ms + WINDOW_MS + late_ms
    match.play(Command(closed_ms))
    assert (match.table.clock, match.table.deadline_ms) == ("turn", closed_ms + rest_ms)
    assert on_turn(match) == offender
    assert match.state().clock.paused_remaining_ms == 0


def test_each_further_claim_of_a_turn_gives_back_its_own_rest() -> None:
    match = dealt()
    rest_ms = TURN_MS
    for thought_ms in (5_000, 6_000, 7_000):
        match.now_ms += thought_ms
        rest_ms -= thought_ms
        match.play(faulty(match))
        assert match.state().clock.paused_remaining_ms == rest_ms
        match.play(Command(match.now_ms + WINDOW_MS))
        assert match.table.deadline_ms == match.now_ms + rest_ms


def test_a_called_claim_starts_the_callers_turn_with_a_whole_clock() -> None:
    match = dealt()
    offender = on_turn(match)
    match.now_ms += 29_999
    match.play(faulty(match))
    match.play(Command(match.now_ms + 100, 1 - offender, CALL))
    assert on_turn(match) == 1 - offender
    assert (match.table.clock, match.table.deadline_ms) == ("turn", match.now_ms + TURN_MS)


def test_an_action_within_a_turn_leaves_its_deadline_alone() -> None:
    match, chance = dealt(), Chance(random.Random(5), faulty=0, clock=0)
    for _ in range(80):
        before = match.table.deadline_ms, match.state().view.tonj.turn_number, match.table.clock_record
        command, _ = chance.turn(match)
        match.now_ms += 1
        match.play(Command(match.now_ms, command.seat, command.action))
        after = match.table.deadline_ms, match.state().view.tonj.turn_number, match.table.clock_record
        if after[1] == before[1]:
            assert after == before, match.log()
        else:
            assert (after[0], after[2]) == (match.now_ms + TURN_MS, match.table.record), match.log()


def test_a_turn_that_times_out_goes_to_the_opponent() -> None:
    match = dealt()
    mover = on_turn(match)
    draft = match.play(Command(START_MS + TURN_MS + 3))
    assert draft.kinds[0] == "timed_out"
    assert on_turn(match) == 1 - mover
    assert match.table.deadline_ms == START_MS + TURN_MS + 3 + TURN_MS


def test_one_action_is_played_and_the_clock_starts_again() -> None:
    match = dealt(timeout_policy=ONE_ACTION, turn_seconds=2)
    mover, turn = on_turn(match), match.state().view.tonj.turn_number
    match.play(Command(START_MS + 2_001))
    state = match.state().view.tonj
    assert (state.turn_seat, state.turn_number) == (mover, turn)
    assert match.table.deadline_ms == START_MS + 2_001 + 2_000
    assert match.table.clock_record == match.table.record


def test_extending_gives_time_to_the_clock_that_runs() -> None:
    match = dealt()
    draft = match.commit(match.table.extend(2_500, START_MS + 10))
    assert (draft.kinds, draft.verdict) == (["clock_extended"], "accepted")
    assert match.table.deadline_ms == START_MS + TURN_MS + 2_500
    assert match.table.clock_record == match.table.record == 2
    match.now_ms = START_MS + 500
    match.play(faulty(match))
    match.commit(match.table.extend(1_000, match.now_ms))
    assert match.table.deadline_ms == match.now_ms + WINDOW_MS + 1_000
    match.play(Command(match.now_ms + WINDOW_MS + 1_000))
    assert match.table.deadline_ms == match.now_ms + TURN_MS + 2_500 - 500


def test_looking_on_moves_no_deadline() -> None:
    match = dealt()
    before = match.table.deadline_ms
    for later_ms in range(0, 40_000, 400):
        match.table.snapshot(later_ms % 3 - 1, START_MS + later_ms, [0, 1])
        match.table.presence(0, connected=bool(later_ms % 800), now_ms=START_MS + later_ms)
        match.table.heartbeat(START_MS + later_ms)
        assert match.table.deadline_ms == before


def test_no_record_is_older_than_the_one_before_it() -> None:
    match = dealt()
    match.play(Command(START_MS + 50_000))
    draft = match.table.decide(0, submit("m-1", match_service_pb2.Resign()), START_MS - 1)
    assert draft.instant_ms == START_MS + 50_000


def test_the_end_stops_every_clock() -> None:
    match = dealt()
    match.play(faulty(match))
    match.play(Command(match.now_ms, 0, match_service_pb2.Resign()))
    assert (match.table.clock, match.table.deadline_ms, match.table.clock_record) == (None, None, 0)
    assert not match.state().HasField("clock")
    with pytest.raises(_core.Refused):
        match.table.expire(match.now_ms)

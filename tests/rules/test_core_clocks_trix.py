"""Trix's clocks as a table folds them: the public one, and within it a seat's own (X3, X4, X11, X14, X17).

`Table.deadline_ms` is when the server acts; `Clock.deadline` is what everybody is told, `auto_play_time` what the seat
itself is told.
"""

import pytest

from majlis import _core
from majlis.v1 import match_pb2
from tests.rules.matches import RESIGN, START_MS, Command, Match, batch
from tests.rules.trix_play import DIAMONDS, KING_OF_HEARTS, LTOOSH, QUEENS, asked, choose, double
from tests.rules.trix_windows import layout, lead, on_turn, owner, tricks, window

CHOOSE_MS, DOUBLE_MS, PLAY_MS, AUTO_MS, AWAY_MS = 20_000, 10_000, 20_000, 1_500, 2_000


def public_ms(match: Match) -> int:
    """The deadline that everybody is told, which must be the same for all."""
    [told] = {match.state(viewer).clock.deadline.ToMilliseconds() for viewer in match.viewers}
    return told


def own_ms(match: Match) -> dict[int, int]:
    """When the server will act for a seat, by seats that are told so."""
    states = {viewer: match.state(viewer).private_state for viewer in match.viewers}
    told = {viewer: state for viewer, state in states.items() if state.HasField("auto_play_time")}
    return {viewer: state.auto_play_time.ToMilliseconds() for viewer, state in told.items()}


def kind(match: Match) -> str:
    return match_pb2.ClockKind.Name(match.state().clock.kind).removeprefix("CLOCK_KIND_").lower()


# --- The public clock ---


def test_each_phase_has_its_clock_and_its_length() -> None:
    match = Match(asked(choose_seconds=11, double_seconds=12, play_seconds=13))
    assert (kind(match), match.table.clock, public_ms(match)) == ("choose", "choose", START_MS + 11_000)
    match.now_ms += 400
    match.act(owner(match), choose(KING_OF_HEARTS))
    assert (kind(match), match.table.clock, public_ms(match)) == ("double", "double", match.now_ms + 12_000)
    match.expire()
    for _ in range(3):
        assert (kind(match), match.table.clock, public_ms(match)) == ("play", "play", match.now_ms + 13_000)
        match.now_ms += 250
        lead(match)


def test_the_clock_names_the_seat_on_turn_and_nobody_while_doubling() -> None:
    match, _ = window()
    assert not match.state().clock.awaited_seats
    match.expire()
    assert match.state().clock.awaited_seats == [owner(match)]
    lead(match)
    assert match.state().clock.awaited_seats == [(owner(match) + 1) % 4]


def test_a_choice_that_times_out_is_the_first_contract() -> None:
    match = Match(asked())
    draft = match.expire()
    assert draft.kinds == ["timed_out", "contract_chosen"]
    told = batch(draft, _core.SPECTATOR).events.events
    assert (told[0].timed_out.seat, told[0].timed_out.kind) == (owner(match), match_pb2.CLOCK_KIND_CHOOSE)
    assert told[1].trix.contract_chosen.contract == KING_OF_HEARTS


def test_a_card_that_times_out_is_played_for_its_seat() -> None:
    match, seat = tricks(LTOOSH)
    draft = match.expire()
    assert draft.kinds == ["timed_out", "card_played"]
    assert [event.sequence for event in batch(draft, seat).events.events] == [draft.sequence - 1, draft.sequence]
    assert not match.state().match.seats[seat].away


def test_the_windows_end_names_no_seat() -> None:
    match, _ = window()
    assert match.table.deadline_ms == public_ms(match) == match.now_ms + DOUBLE_MS
    assert match.expire().kinds == ["doubles_shown"]


def test_an_answer_moves_no_clock_but_that_the_last_one_closes_the_window() -> None:
    match, [*others, last] = window()
    until_ms, armed, public = public_ms(match), match.table.clock_record, match.table.public_ms
    for seat in others:
        match.now_ms += 1_000
        draft = match.act(seat, double([]))
        assert (public_ms(match), match.table.deadline_ms, draft.deadline_ms) == (until_ms, until_ms, until_ms)
        assert (match.table.clock_record, match.table.public_ms) == (armed, public)
    match.act(last, double([]))
    assert (kind(match), public_ms(match)) == ("play", match.now_ms + PLAY_MS)
    assert match.table.public_ms == match.now_ms


# --- The auto-play delay (X11) ---


def test_the_only_play_is_made_after_the_delay_and_only_its_seat_is_told_when() -> None:
    match, seat = layout(1)
    due_ms = match.now_ms + AUTO_MS
    assert match.due == "auto"
    assert (match.table.deadline_ms, match.table.clock) == (due_ms, "play")
    assert public_ms(match) == match.now_ms + PLAY_MS
    assert own_ms(match) == {seat: due_ms}
    draft = match.expire()
    assert draft.kinds[0] in {"card_played", "passed"}  # not that a clock ran out, nor who played


def test_a_batch_tells_the_delay_to_its_own_seat_alone() -> None:
    """The record after which the only play is awaited: a private state sent to all would tell who has no choice."""
    match, seat = layout(2)
    draft = match.act(seat, match.state(seat).legal_actions.trix[0])
    while match.due != "auto":
        seat = on_turn(match)
        draft = match.act(seat, match.state(seat).legal_actions.trix[0])
    seat = on_turn(match)
    assert draft.deadline_ms == match.now_ms + AUTO_MS
    for viewer in match.viewers:
        update = batch(draft, viewer, match.now_ms)
        assert update.clock.deadline.ToMilliseconds() == match.now_ms + PLAY_MS
        assert update.events.private_state.HasField("auto_play_time") == (viewer == seat)
        assert update.events.HasField("private_state") == (viewer != _core.SPECTATOR)


def test_a_seat_that_has_a_choice_has_no_clock_of_its_own() -> None:
    match, _ = layout(2)
    assert (match.due, own_ms(match)) == ("play", {})
    assert match.table.deadline_ms == public_ms(match)


@pytest.mark.parametrize("delay_ms", [0, 2_000, 2_500])
def test_a_delay_that_is_off_or_no_sooner_than_the_deadline_is_told_to_nobody(delay_ms: int) -> None:
    match, _ = layout(1, auto_play_delay_ms=delay_ms, play_seconds=2)
    assert (match.due, own_ms(match)) == ("play", {})
    assert match.table.deadline_ms == public_ms(match) == match.now_ms + 2_000
    assert match.expire().kinds[0] == "timed_out"


def test_tricks_have_no_auto_play() -> None:
    """Not even the last card of a hand, which is the only one."""
    match, _ = tricks(DIAMONDS, play_out=True)
    while max(match.state().view.trix.hand_counts) > 1:
        lead(match)
    assert (match.due, own_ms(match)) == ("play", {})


# --- Seats that were given up (X17) ---


@pytest.mark.parametrize("contract", [DIAMONDS, LTOOSH])
def test_a_seat_that_is_away_is_played_for_after_its_delay_and_stays_away(contract: int) -> None:
    match, seat = tricks(contract)
    until_ms = public_ms(match)
    match.now_ms += 700
    draft = match.act(seat, RESIGN)
    assert draft.kinds == ["resigned"]
    assert match.state().match.seats[seat].away
    assert match.due == "away"
    assert draft.deadline_ms == match.table.deadline_ms == match.now_ms + AWAY_MS
    assert public_ms(match) == until_ms  # as it stood
    assert own_ms(match) == {seat: match.now_ms + AWAY_MS}
    assert match.expire().kinds == ["card_played"]
    assert match.state().match.seats[seat].away
    assert public_ms(match) == match.now_ms + PLAY_MS


def test_giving_up_again_puts_nothing_off() -> None:
    match, seat = tricks(LTOOSH)
    due_ms = match.now_ms + AWAY_MS
    match.act(seat, RESIGN)
    match.now_ms += 1_000
    match.act(seat, RESIGN)
    assert match.table.deadline_ms == due_ms


def test_a_seat_that_gives_up_shortly_before_its_deadline_times_out() -> None:
    match, seat = tricks(LTOOSH)
    match.now_ms += PLAY_MS - AWAY_MS
    match.act(seat, RESIGN)
    assert (match.due, own_ms(match)) == ("play", {})
    assert match.table.deadline_ms == public_ms(match)
    assert match.expire().kinds == ["timed_out", "card_played"]


def test_an_away_owner_has_the_first_contract_chosen_after_the_delay() -> None:
    match = Match(asked())
    seat = owner(match)
    match.act(seat, RESIGN)
    assert (match.due, public_ms(match)) == ("away", START_MS + CHOOSE_MS)
    assert match.expire().kinds == ["contract_chosen"]
    assert match.now_ms == START_MS + AWAY_MS


@pytest.mark.parametrize("plays", [1, 2])
def test_the_delay_of_a_seat_that_is_away_does_not_tell_whether_it_has_a_choice(plays: int) -> None:
    """Were the shorter auto-play delay taken where there is one play only, its pace would tell of its hand."""
    match, seat = layout(plays)
    match.act(seat, RESIGN)
    assert match.due == "away"
    assert match.table.deadline_ms == match.now_ms + AWAY_MS


def test_nothing_is_played_early_for_a_seat_that_is_away_while_doubling() -> None:
    match, seats = window()
    until_ms = public_ms(match)
    for seat in range(4):
        match.now_ms += 100
        match.act(seat, RESIGN)
        assert (match.table.deadline_ms, match.due, own_ms(match)) == (until_ms, "double", {})
    assert match.state(seats[0]).private_state.may_double


def test_a_choice_a_card_and_a_pass_bring_a_seat_back() -> None:
    match = Match(asked())
    match.act(owner(match), RESIGN)
    draft = match.act(owner(match), choose(LTOOSH))
    assert draft.kinds == ["returned", "contract_chosen"]
    assert not any(seat.away for seat in match.state().match.seats)
    assert match.due == "play"
    kinds = set[str | None]()
    while kinds != {"play_card", "pass"}:
        match, seat = layout(1)
        action = match.state(seat).legal_actions.trix[0]
        match.act(seat, RESIGN)
        assert match.act(seat, action).kinds[0] == "returned"
        assert not match.state().match.seats[seat].away
        kinds.add(action.WhichOneof("kind"))


def test_a_doubling_answer_does_not_bring_a_seat_back() -> None:
    """X5: a seat that came back would tell that it was asked, and that it has answered."""
    match, [seat, *_] = window()
    match.act(seat, RESIGN)
    draft = match.act(seat, double([]))
    assert draft.kinds == ["double_answered"]
    assert match.state().match.seats[seat].away
    match.expire()
    while on_turn(match) != seat:
        lead(match)
    assert match.due == "away"


def test_a_refused_attempt_brings_nobody_back() -> None:
    match, seat = tricks(LTOOSH)
    match.act(seat, RESIGN)
    with pytest.raises(_core.Refused, match="WRONG_PHASE"):
        match.act(seat, choose(QUEENS))
    assert match.state().match.seats[seat].away


# --- Time that is given back ---


def test_time_is_given_back_to_both_clocks() -> None:
    match, seat = layout(1)
    public, own = public_ms(match), own_ms(match)[seat]
    draft = match.commit(match.table.extend(2_500, match.now_ms + 10))
    assert draft.kinds == ["clock_extended"]
    assert public_ms(match) == public + 2_500
    assert own_ms(match) == {seat: own + 2_500}
    assert draft.deadline_ms == match.table.deadline_ms == own + 2_500
    assert match.table.clock_record == match.table.record


def test_time_is_given_back_to_a_window_as_if_nobody_had_answered() -> None:
    match, [seat, *_] = window()
    until_ms = public_ms(match)
    match.now_ms += 3_000
    match.act(seat, double([]))
    match.commit(match.table.extend(800, match.now_ms))
    assert public_ms(match) == match.table.deadline_ms == until_ms + 800


def test_a_restart_finds_the_same_clocks() -> None:
    for match in (window()[0], layout(1)[0], layout(2)[0], tricks(LTOOSH)[0]):
        match.now_ms += 300
        match.play(Command(match.now_ms, 0, RESIGN))
        loaded = _core.Table.load(match.payloads, match.sealer)
        for viewer in match.viewers:
            assert loaded.snapshot(viewer, match.now_ms) == match.table.snapshot(viewer, match.now_ms)
        assert (loaded.deadline_ms, loaded.clock) == (match.table.deadline_ms, match.table.clock)
        assert (loaded.clock_record, loaded.public_ms) == (match.table.clock_record, match.table.public_ms)


def test_the_end_stops_every_clock() -> None:
    match = Match(asked())
    while not match.over:
        match.expire()
    assert (match.table.clock, match.table.deadline_ms, own_ms(match)) == (None, None, {})
    assert not match.state().HasField("clock")
    for attempt in (match.table.expire, lambda now_ms: match.table.extend(1, now_ms)):
        with pytest.raises(_core.Refused, match="NO_SUCH_CLOCK"):
            attempt(match.now_ms)
    with pytest.raises(_core.Refused, match="MATCH_OVER"):
        match.act(0, RESIGN)


def test_a_match_that_all_have_left_is_played_out_at_its_pace() -> None:
    """X17: twenty deals by the server alone; no clock runs out but the windows', and all seats stay away."""
    match = Match(asked())
    for seat in range(4):
        match.act(seat, RESIGN)
    kinds = set()
    while not match.over:
        before_ms = match.now_ms
        due = match.due
        kinds.update(match.expire().kinds)
        assert match.now_ms - before_ms == (DOUBLE_MS if due == "double" else AWAY_MS)
    assert kinds == {
        *("contract_chosen", "doubles_shown", "card_played", "passed", "trick_taken", "deal_scored", "dealt"),
        "match_ended",
    }
    assert all(seat.away for seat in match.state().match.seats)

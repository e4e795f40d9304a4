"""Doubling answers: durable records that nobody else is told of, until all are shown at once (X4, X5, X16).

That a whole match gives nothing away is held against its twins in test_noninterference.py; here stand the heads.
"""

import itertools

import pytest
from google.protobuf import empty_pb2, unknown_fields

from majlis import _core
from majlis.v1 import cards_pb2, match_service_pb2
from tests.rules import golden
from tests.rules.matches import RESIGN, START_MS, Answer, Command, Match, Update, batch, submit
from tests.rules.trix_play import ALL_QUEENS, KING, KING_OF_HEARTS, asked, asked_seats, choose, double, hand
from tests.rules.trix_windows import owner, window
from tests.rules.twins import told, told_by

KEY = bytes(range(32))
SEALING = _core.Sealer({"k": KEY}, "k")


def queens(match: Match, seat: int) -> list[cards_pb2.Card]:
    return [card for card in hand(match, seat) if card in ALL_QUEENS]


def every_answer(match: Match, seat: int) -> list[_core.Draft]:
    """Of an asked seat: each subset of what it may double."""
    held = queens(match, seat)
    subsets = itertools.chain.from_iterable(itertools.combinations(held, size) for size in range(len(held) + 1))
    return [match.draft(Command(match.now_ms + 70, seat, double(subset))) for subset in subsets]


def tables_after(match: Match, drafts: list[_core.Draft]) -> list[_core.Table]:
    return [_core.Table.load([*match.payloads, draft.payload], match.sealer) for draft in drafts]


# --- Silence ---


def test_an_answer_has_no_number_and_moves_nothing_that_is_public() -> None:
    match, [seat, *_] = window()
    table = match.table
    deadline_ms, record = table.deadline_ms, table.record
    for draft in every_answer(match, seat):
        assert (draft.is_public, draft.kinds, draft.verdict) == (False, ["double_answered"], "accepted")
        assert (draft.record, draft.sequence, draft.first_sequence) == (record + 1, table.sequence, table.sequence + 1)
        assert (draft.public_ms, draft.status, draft.deadline_ms) == (table.public_ms, table.status, deadline_ms)
        assert (draft.players, draft.instant_ms) == (table.players, match.now_ms + 70)


@pytest.mark.parametrize("show_legal_moves", [True, False])
def test_nobody_else_is_told_of_an_answer(show_legal_moves: bool) -> None:
    """Snapshots with digest, clock and private state are the same bytes before and after, and no update comes.

    A deadline put off by the answer, an awaited seat, a changed digest or a heartbeat with another head would show.
    """
    match, [seat, *_] = window(show_legal_moves=show_legal_moves)
    later_ms = match.now_ms + 100
    others = [viewer for viewer in match.viewers if viewer != seat]
    before = {viewer: told(match.table, viewer, later_ms) for viewer in others}
    drafts = every_answer(match, seat)
    for draft, table in zip(drafts, tables_after(match, drafts), strict=True):
        for viewer in others:
            assert draft.update(viewer, later_ms) is None
            assert told(table, viewer, later_ms) == before[viewer]
        assert table.record == match.table.record + 1


def test_whatever_is_answered_the_seat_itself_is_told_the_same() -> None:
    match, [seat, *_] = window()
    later_ms = match.now_ms + 100
    drafts = every_answer(match, seat)
    first, *rest = [told_by(draft, seat, later_ms) for draft in drafts]
    assert all(other == first for other in rest)
    first, *rest = [told(table, seat, later_ms) for table in tables_after(match, drafts)]
    assert all(other == first for other in rest)


def test_the_seat_itself_is_told_by_a_notice_that_it_may_not_answer_any_more() -> None:
    match, [seat, *_] = window()
    assert match.state(seat).private_state.may_double
    assert len(match.state(seat).legal_actions.trix) == 2 ** len(queens(match, seat))
    draft = match.act(seat, double(queens(match, seat)))
    told = batch(draft, seat, match.now_ms)
    assert told.sequence == match.table.sequence
    assert told.notice.WhichOneof("kind") == "private_state"
    assert not told.notice.private_state.may_double
    assert told == Update.FromString(match.table.private_state(seat, match.now_ms) or b"")
    assert Answer.FromString(draft.answer(seat)) == Answer(sequence=match.table.sequence)
    state = match.state(seat)
    assert not state.private_state.may_double
    assert not state.HasField("legal_actions")


def test_the_window_names_nobody_and_tells_each_seat_whether_it_is_asked() -> None:
    match, seats = window()
    for viewer in match.viewers:
        state = match.state(viewer)
        assert list(state.clock.awaited_seats) == []
        assert not state.view.trix.HasField("turn_seat")
        assert not state.view.trix.doubled
        assert state.HasField("private_state") == (viewer != _core.SPECTATOR)
        assert state.private_state.may_double == (viewer in seats)
        assert state.HasField("legal_actions") == (viewer in seats)
    assert match.table.private_state(_core.SPECTATOR, START_MS) is None


def test_an_answer_is_in_nothing_that_is_remade_from_the_log() -> None:
    """Neither in what was missed, nor in a repeated answer, whoever asks for it, nor in the replay."""
    match, seats = window()
    for seat in seats[:-1]:
        match.act(seat, double(queens(match, seat)))
        for viewer in match.viewers:
            assert Answer.FromString(_core.answer(match.payloads, match.sealer, viewer)) == Answer(
                sequence=match.table.sequence
            )
            missed = _core.missed(match.payloads, match.sealer, viewer, 0, START_MS)
            assert len(missed) == 2  # the founding and the contract
            assert _core.missed(match.payloads, match.sealer, viewer, match.table.sequence, START_MS) == []
    while not match.over:
        match.expire()
    [page] = golden.replay(match.payloads, 5_000)
    events = match_service_pb2.GetReplayResponse.FromString(page).events
    assert [event.sequence for event in events] == list(range(1, match.table.sequence + 1))
    [first_window, *_] = [event for event in events if event.trix.HasField("doubles_shown")]
    assert {event.trix.WhichOneof("kind") for event in events[: first_window.sequence - 1]} == {
        *(None, "dealt", "contract_chosen")
    }
    assert _core.verify([page]) == ""


def test_an_answer_dates_no_later_event() -> None:
    """Clocks of two servers differ. What happens next may be dated no earlier than the last event that has a number;
    were it dated after the answer, its time would tell that there was one.
    """
    match, [seat, *_] = window()
    twin = _core.Table.load(match.payloads, match.sealer)
    match.commit(match.draft(Command(match.now_ms + 5_000, seat, double([]))))
    command = Command(match.now_ms + 100, seat, RESIGN)
    for viewer in (viewer for viewer in match.viewers if viewer != seat):
        assert told_by(match.draft(command), viewer, START_MS) == told_by(command.draft(twin), viewer, START_MS)


# --- The window closes ---


def test_the_last_answer_shows_all_at_once_to_everybody() -> None:
    match, seats = window()
    held = {seat: queens(match, seat) for seat in seats}
    for seat in seats[1:]:
        match.act(seat, double(held[seat]))
    draft = match.act(seats[0], double(list(reversed(held[seats[0]]))))
    assert draft.kinds == ["double_answered", "doubles_shown"]
    assert draft.is_public
    expected = [(seat, card) for seat in seats for card in held[seat]]  # by seat, then suit
    for viewer in match.viewers:
        update = batch(draft, viewer, match.now_ms)
        [shown] = update.events.events
        assert shown.sequence == match.table.sequence == draft.first_sequence
        assert [(doubled.seat, doubled.card) for doubled in shown.trix.doubles_shown.doubled] == expected
        assert update.events.private_state.may_double is False
        view = match.state(viewer).view.trix
        assert [(doubled.seat, doubled.card) for doubled in view.doubled] == expected
        assert view.turn_seat == owner(match)
    assert Answer.FromString(draft.answer(seats[0])).sequence == match.table.sequence


def test_at_the_deadline_an_unanswered_question_counts_as_none() -> None:
    match, [seat, *_] = window()
    match.act(seat, double(queens(match, seat)))
    draft = match.expire()
    assert draft.kinds == ["doubles_shown"]
    shown = batch(draft, _core.SPECTATOR).events.events[0].trix.doubles_shown.doubled
    assert {doubled.seat for doubled in shown} == {seat}
    assert asked_seats(match) == []


def test_the_king_of_hearts_is_asked_of_his_holder_alone() -> None:
    match = Match(asked())
    match.act(owner(match), choose(KING_OF_HEARTS))
    [seat] = asked_seats(match)
    assert KING in hand(match, seat)
    assert match.act(seat, double([])).kinds == ["double_answered", "doubles_shown"]


def test_an_answer_leaves_an_action_that_was_decided_on_the_same_sequence_good() -> None:
    """X16: whoever resigns, or answers, on the sequence that he saw is not stale after another's answer."""
    match, [first, second, *_] = window()
    seen = match.state(second).match.sequence
    match.act(first, double([]))
    assert seen == match.table.sequence
    assert match.act(second, double([])).kinds[0] == "double_answered"


# --- Replicas ---


def test_two_tables_that_store_an_answer_as_the_same_record_both_count() -> None:
    """The loser takes the winner's record over, and its own answer is good for the next."""
    match, [first, second, *_] = window()
    winner = _core.Table.load(match.payloads, match.sealer)
    loser = _core.Table.load(match.payloads, match.sealer)
    answers = {seat: submit("m-1", double(queens(match, seat)), f"r-{seat}") for seat in (first, second)}
    won = winner.decide(first, answers[first], START_MS + 10)
    lost = loser.decide(second, answers[second], START_MS + 11)
    assert won.record == lost.record
    winner.commit(won)
    taken_over = loser.read(won.payload)
    assert (taken_over.kinds, taken_over.is_public) == (won.kinds, False)
    for viewer in match.viewers:
        assert taken_over.update(viewer, START_MS) == won.update(viewer, START_MS)
    loser.commit(taken_over)
    again = loser.decide(second, answers[second], START_MS + 12)
    loser.commit(again)
    winner.commit(winner.read(again.payload))
    for table in (winner, loser):
        closed = table.expire(START_MS + 60_000)
        shown = batch(closed, _core.SPECTATOR).events.events[0].trix.doubles_shown.doubled
        assert [(doubled.seat, doubled.card) for doubled in shown] == [
            (seat, card) for seat in sorted((first, second)) for card in queens(match, seat)
        ]
        with pytest.raises(_core.Refused, match="ALREADY_ANSWERED"):
            table.decide(first, answers[first], START_MS + 13)


# --- What the log keeps ---


def sealed(payload: bytes) -> bytes:
    """What a log record holds of a hidden answer."""
    fields = unknown_fields.UnknownFieldSet(empty_pb2.Empty.FromString(payload[1:]))
    [found] = [fields[at].data for at in range(len(fields)) if fields[at].field_number == golden.SEALED]
    return bytes(found)


@pytest.mark.parametrize("sealer", [SEALING, _core.Sealer()], ids=["sealed", "plain"])
def test_records_of_answers_are_equally_long_whatever_was_answered(sealer: _core.Sealer) -> None:
    match, seats = window(sealer=sealer)
    drafts = [draft for seat in seats for draft in every_answer(match, seat)]
    assert len(drafts) >= 6
    assert len({len(draft.payload) for draft in drafts}) == 1
    assert len({str(golden.open_part(draft.payload)) for draft in drafts}) == 1


def test_a_sealed_answer_cannot_be_read_without_its_key() -> None:
    """Without a key the same answer stands there in plain bytes; with one it is sealed anew each time, and two records
    of it agree in no more bytes than chance brings about.
    """
    match, [seat, *_] = window(sealer=SEALING)
    plain = _core.Table.load(match.payloads, _core.Sealer({"k": KEY}))
    answer = submit("m-1", double(queens(match, seat)))
    readable = sealed(plain.decide(seat, answer, START_MS + 9).payload)
    assert all(card.SerializeToString() in readable for card in queens(match, seat))
    closed = [sealed(match.table.decide(seat, answer, START_MS + 9).payload) for _ in range(2)]
    secret = readable[1:17]  # after the format: who answered what; the rest is padding
    for record in closed:
        assert secret not in record
        assert len(record) == len(readable) + 1 + len("k") + 12 + 16  # the key's id, the nonce, the tag
    same = sum(one == other for one, other in zip(*closed, strict=True))
    assert same < 16
    for keys in ({}, {"k": bytes(32)}):
        with pytest.raises(_core.Damaged):
            _core.Table.load([*match.payloads, match.table.decide(seat, answer, START_MS).payload], _core.Sealer(keys))


@pytest.mark.parametrize("sealer", [SEALING, _core.Sealer()], ids=["sealed", "plain"])
def test_an_answer_is_there_after_a_restart(sealer: _core.Sealer) -> None:
    match, [seat, *_] = window(sealer=sealer)
    match.act(seat, double(queens(match, seat)))
    table = _core.Table.load(match.payloads, sealer)
    with pytest.raises(_core.Refused, match="ALREADY_ANSWERED"):
        table.decide(seat, submit("m-1", double([])), match.now_ms)
    shown = batch(table.expire(START_MS + 60_000), seat).events.events[0].trix.doubles_shown.doubled
    assert [doubled.card for doubled in shown] == queens(match, seat)


def test_a_sealed_answer_opens_as_its_own_record_only() -> None:
    """An answer cannot be moved in the log."""
    match, [first, second, *_] = window(sealer=SEALING)
    one, other = (match.draft(Command(START_MS, seat, double([]))).payload for seat in (first, second))
    match.commit(match.table.read(one))
    with pytest.raises(_core.Damaged):
        match.table.read(other)  # sealed as the record before


@pytest.mark.parametrize("sealer", [SEALING, _core.Sealer()], ids=["sealed", "plain"])
def test_a_log_that_holds_an_answer_twice_is_damaged(sealer: _core.Sealer) -> None:
    match, [seat, *_] = window(sealer=sealer)
    payload = match.act(seat, double([])).payload
    with pytest.raises(_core.Damaged):
        match.table.read(payload)

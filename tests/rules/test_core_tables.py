"""Tables and drafts: nothing changes before a commit, and a log means what was played."""

import random
from typing import Any

import pytest
from google.protobuf import json_format

from majlis import _core
from majlis.v1 import match_pb2, match_service_pb2, tonj_pb2
from tests.rules.matches import (
    CALL,
    END_TURN,
    REVEAL,
    START_MS,
    VIEWERS,
    Chance,
    Match,
    Update,
    asked,
    submit,
)

Answer = match_service_pb2.SubmitActionResponse
EVENTFUL: dict[str, float] = {"faulty": 0.3, "clock": 0.1}
CALM: dict[str, float] = {"faulty": 0.0, "clock": 0.0}
"""No hand is over after a few records of these."""


def shows(table: _core.Table, now_ms: int = START_MS) -> list[Any]:
    """All that can be known of a table from outside."""
    seen: list[Any] = [
        *(table.match_id, table.game, table.record, table.sequence, table.status, table.visibility, table.external_id),
        *(table.players, table.created_ms, table.instant_ms, table.deadline_ms, table.clock, table.clock_record),
        *(table.match([0]), table.heartbeat(now_ms)),
    ]
    return seen + [
        message for viewer in VIEWERS for message in (table.snapshot(viewer, now_ms), table.get_match(viewer, now_ms))
    ]


def played(seed: int, records: int = 60, **rates: float) -> tuple[Match, list[_core.Draft]]:
    """A match some way on, perhaps to its end, and the drafts of its records after the first."""
    match, chance, drafts = Match(asked()), Chance(random.Random(seed), **(rates or EVENTFUL)), list[_core.Draft]()
    while not match.over and len(match.payloads) < records:
        command, draft = chance.turn(match)
        match.now_ms = command.at_ms
        drafts.append(match.commit(draft))
    return match, drafts


# --- Nothing changes before a commit ---


@pytest.mark.parametrize("seed", range(3))
def test_what_is_refused_or_not_committed_changes_no_byte(seed: int) -> None:
    rng = random.Random(seed)
    match, _ = played(seed, 5, **CALM)
    chance = Chance(rng, **EVENTFUL)
    verdicts = set()
    for _ in range(60):
        if match.over:
            break
        before = shows(match.table)
        for _ in range(6):
            seat = rng.randrange(2)
            action = rng.choice([chance.attempt(seat), chance.attempt(seat), CALL])
            try:
                verdicts.add(match.table.decide(seat, submit(match.table.match_id, action), match.now_ms + 1).verdict)
            except _core.Refused as no:
                verdicts.add(no.reason)
        match.table.expire(match.now_ms)
        match.table.extend(5, match.now_ms)
        assert shows(match.table) == before, match.log()
        command, draft = chance.turn(match)
        assert shows(match.table) == before, match.log()
        match.now_ms = command.at_ms
        match.commit(draft)
    assert verdicts >= {"accepted", "claim_opened", "NOT_YOUR_TURN"}
    assert verdicts <= {"accepted", "claim_opened", *_core.RULE_REASONS}


def test_a_command_is_decided_the_same_each_time() -> None:
    match, _ = played(7, 20, **CALM)
    command, draft = Chance(random.Random(7)).turn(match)
    again = match.draft(command)
    assert (again.payload, again.kinds, again.deadline_ms) == (draft.payload, draft.kinds, draft.deadline_ms)


def test_a_draft_is_committed_once_and_only_where_it_follows() -> None:
    match, other = Match(asked()), Match(asked(), match_id="m-2")
    seat = match.state().clock.awaited_seats[0]
    first, second = (match.table.decide(seat, submit("m-1", match_service_pb2.Resign()), START_MS) for _ in range(2))
    with pytest.raises(ValueError, match="does not follow"):
        other.table.commit(first)
    assert other.table.record == 1
    match.table.commit(first)
    after = shows(match.table)
    for late in (first, second):
        with pytest.raises(ValueError, match="does not follow"):
            match.table.commit(late)
    assert shows(match.table) == after


def test_a_founded_table_waits_for_its_first_record() -> None:
    table, draft = _core.Table.found(asked().SerializeToString(), "m-1", START_MS, _core.Sealer())
    assert (table.record, table.sequence, table.status) == (0, 0, match_pb2.MATCH_STATUS_WAITING)
    assert (table.clock, table.deadline_ms, table.players) == (None, None, ())
    assert (draft.record, draft.first_sequence, draft.status) == (1, 1, match_pb2.MATCH_STATUS_ACTIVE)
    assert draft.players == ["amal", "basim"]
    table.commit(draft)
    assert (table.record, table.sequence, table.clock) == (1, draft.sequence, "turn")
    assert (table.external_id, table.visibility, table.game) == ("golden", match_pb2.VISIBILITY_LINK, "tonj")


def test_two_tables_are_dealt_differently() -> None:
    states = [Match(asked()).state() for _ in range(2)]
    assert states[0].match.deal_commitment != states[1].match.deal_commitment
    assert states[0].view != states[1].view


# --- A log means what was played ---


@pytest.mark.parametrize("seed", range(3))
def test_a_log_loads_to_the_table_that_was_played(seed: int) -> None:
    match = Match(asked(target_points=30))
    chance = Chance(random.Random(seed), **EVENTFUL)
    follower = _core.Table.load(match.payloads, match.sealer)
    for _ in range(150):
        if match.over:
            break
        command, draft = chance.turn(match)
        match.now_ms = command.at_ms
        match.commit(draft)
        followed = follower.read(draft.payload)
        assert (followed.payload, followed.kinds, followed.verdict) == (draft.payload, draft.kinds, draft.verdict)
        follower.commit(followed)
        loaded = _core.Table.load(match.payloads, match.sealer)
        assert shows(match.table) == shows(follower) == shows(loaded), match.log()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_was_missed_is_what_was_sent_live(viewer: int) -> None:
    match, drafts = played(11)
    now_ms = START_MS + 5
    for after in range(match.table.sequence + 2):
        live = [draft.update(viewer, now_ms, after) for draft in drafts if draft.sequence > after]
        missed = _core.missed(match.payloads, match.sealer, viewer, after, now_ms)
        assert missed[len(missed) - len(live) :] == live, match.log()
        first_record = len(missed) - len(live)
        assert first_record == (after < drafts[0].first_sequence - 1)  # the founding record has no draft here
        numbers = [event.sequence for message in missed for event in Update.FromString(message).events.events]
        assert numbers == list(range(after + 1, match.table.sequence + 1))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_answer_is_remade_from_the_log(viewer: int) -> None:
    match, drafts = played(12)
    for number, draft in enumerate(drafts, start=2):
        remade = _core.answer(match.payloads[:number], match.sealer, viewer)
        assert remade == draft.answer(viewer)
        answer = Answer.FromString(remade)
        assert answer.sequence == draft.sequence
        assert [event.sequence for event in answer.events] == list(range(draft.first_sequence, draft.sequence + 1))
        assert len(draft.kinds) == len(answer.events)
        assert list(answer.events) == list(Update.FromString(draft.update(viewer, START_MS)).events.events)


def test_a_replay_waits_for_the_end_and_comes_in_pages() -> None:
    match, _ = played(13, 40, **CALM)
    with pytest.raises(_core.Refused) as no:
        _core.replay(match.payloads, match.sealer, 0, 100)
    assert no.value.reason == "MATCH_NOT_ENDED"
    match.commit(match.table.decide(0, submit("m-1", match_service_pb2.Resign()), match.now_ms))
    whole, after = _core.replay(match.payloads, match.sealer, 0, 10_000)
    assert after == 0
    told = match_service_pb2.GetReplayResponse.FromString(whole)
    assert [event.sequence for event in told.events] == list(range(1, match.table.sequence + 1))
    pages, after = list[bytes](), 0
    while not pages or after:
        page, after = _core.replay(match.payloads, match.sealer, after, 7)
        pages.append(page)
    events = [event for page in pages for event in match_service_pb2.GetReplayResponse.FromString(page).events]
    assert events == list(told.events)
    assert _core.verify(pages) == _core.verify([whole]) == ""


# --- Who may, and what can be read ---


def test_a_seat_that_is_none_is_refused() -> None:
    match = Match(asked())
    for seat in (2, 7, 2**32 - 1):
        with pytest.raises(_core.Refused) as no:
            match.table.decide(seat, submit("m-1", REVEAL), START_MS)
        assert no.value.reason == "NOT_SEATED"


def test_an_unknown_viewer_sees_what_a_spectator_sees() -> None:
    match = Match(asked())
    for viewer in (2, -2, 99):
        assert match.table.snapshot(viewer, START_MS) == match.table.snapshot(_core.SPECTATOR, START_MS)


def test_the_legal_actions_go_to_the_seat_that_may_act_and_only_where_the_room_shows_them() -> None:
    match, quiet = Match(asked()), Match(asked(show_legal_moves=False))
    awaited = match.state().clock.awaited_seats[0]
    assert match.state(awaited).legal_actions.tonj
    for viewer in {*VIEWERS} - {awaited}:
        assert not match.state(viewer).HasField("legal_actions")
    assert not any(quiet.state(viewer).HasField("legal_actions") for viewer in VIEWERS)


def test_after_the_end_nothing_is_accepted() -> None:
    match = Match(asked())
    match.commit(match.table.decide(1, submit("m-1", match_service_pb2.Resign()), START_MS))
    assert match.over
    before = shows(match.table)
    for action in (REVEAL, CALL, END_TURN, match_service_pb2.Resign()):
        with pytest.raises(_core.Refused) as no:
            match.table.decide(0, submit("m-1", action), START_MS)
        assert no.value.reason == "MATCH_OVER"
    with pytest.raises(_core.Refused, match="NO_SUCH_CLOCK"):
        match.table.expire(START_MS)
    with pytest.raises(_core.Refused, match="NO_SUCH_CLOCK"):
        match.table.extend(1, START_MS)
    assert shows(match.table) == before
    assert match.state().match.outcome.winner_seats == [0]


def test_requests_that_cannot_be_read_name_their_fields() -> None:
    move = tonj_pb2.TonjAction(move=tonj_pb2.TonjAction.Move())
    asked_of = match_service_pb2.SubmitActionRequest
    for request, paths in (
        (asked_of(match_id="m", request_id="r"), {"action"}),
        (asked_of(match_id="m", tonj=REVEAL), {"request_id"}),
        (asked_of(match_id="m", request_id="r" * 65, tonj=REVEAL), {"request_id"}),
        (asked_of(match_id="m", request_id="r", tonj=tonj_pb2.TonjAction()), {"tonj"}),
        (asked_of(match_id="m", request_id="r", tonj=move), {"tonj.move.from"}),
    ):
        with pytest.raises(_core.Malformed) as fault:
            _core.Submit.read(request.SerializeToString())
        assert {path for path, _ in fault.value.fields} >= paths
    with pytest.raises(_core.Malformed):
        _core.Submit.read(b"\xff")


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"external_id": ""}, "external_id"),
        ({"external_id": "x" * 65}, "external_id"),
        ({"game": 0}, "game"),
        ({"players": []}, "players"),
        ({"players": [{"player_id": "a"}, {"player_id": "a"}]}, "players[1].player_id"),
        ({"players": [{"player_id": ""}, {"player_id": "b"}]}, "players[0].player_id"),
        ({"players": [{"player_id": "a", "display_name": "é" * 33}, {"player_id": "b"}]}, "players[0].display_name"),
        ({"options": {"tonj": {"claim_window_ms": 99}}}, "options.tonj.claim_window_ms"),
        ({"options": {"tonj": {"max_transfers_per_turn": 201}}}, "options.tonj.max_transfers_per_turn"),
    ],
)
def test_a_match_that_cannot_be_made_names_its_field(changed: dict[str, Any], path: str) -> None:
    request = asked()
    for field in changed:
        request.ClearField(field)  # type: ignore[arg-type]
    json_format.ParseDict(changed, request)
    with pytest.raises(_core.Malformed) as fault:
        _core.Table.found(request.SerializeToString(), "m", START_MS, _core.Sealer())
    assert path in {where for where, _ in fault.value.fields}


def test_bytes_that_are_no_request_are_malformed() -> None:
    for request in (b"\xff", b"", b"\x10\x63"):  # the last one asks for game 99
        with pytest.raises(_core.Malformed):
            _core.Table.found(request, "m", START_MS, _core.Sealer())


def test_two_requests_for_the_same_hash_alike() -> None:
    first, again, other = submit("m", REVEAL, "a"), submit("m", REVEAL, "b"), submit("m", END_TURN, "a")
    assert first.body_hash == again.body_hash != other.body_hash
    assert (first.match_id, first.request_id, first.kind, other.kind) == ("m", "a", "reveal", "end_turn")
    assert first.expected_sequence is None

"""Tables and drafts of every game: nothing changes before a commit, and a log means what was played."""

import random
from typing import Any

import pytest

from majlis import _core
from majlis.v1 import match_pb2, match_service_pb2
from tests.rules.games import EVERY_GAME, GAMES
from tests.rules.matches import RESIGN, START_MS, Answer, Match, Update, batch, submit, viewers

EVENTFUL: dict[str, float] = {"faulty": 0.3, "clock": 0.1}
CALM: dict[str, float] = {"faulty": 0.0, "clock": 0.0}
"""No hand is over after a few records of these."""

ROOMS: dict[str, dict[str, Any]] = {"tonj": {"target_points": 30}, "tonj_house": {"max_turns": 40}, "trix": {}}


def shows(table: _core.Table, now_ms: int = START_MS) -> list[Any]:
    """All that can be known of a table from outside."""
    seen: list[Any] = [
        *(table.match_id, table.game, table.record, table.sequence, table.status, table.visibility, table.external_id),
        *(table.players, table.created_ms, table.instant_ms, table.public_ms, table.deadline_ms),
        *(table.clock, table.clock_record, table.match([0]), table.heartbeat(now_ms)),
    ]
    for viewer in viewers(table):
        seen += [table.snapshot(viewer, now_ms), table.get_match(viewer, now_ms), table.private_state(viewer, now_ms)]
    return seen


def played(game: str, seed: int, records: int = 60, **rates: float) -> tuple[Match, list[_core.Draft]]:
    """A match some way on, perhaps to its end, and the drafts of its records after the first."""
    match, drafts = Match(GAMES[game].asked()), list[_core.Draft]()
    chance = GAMES[game].chance(random.Random(seed), **(rates or EVENTFUL))
    while not match.over and len(match.payloads) < records:
        drafts.append(chance.play(match))
    return match, drafts


# --- Nothing changes before a commit ---

VERDICTS = {
    "tonj": {"accepted", "claim_opened", "NOT_YOUR_TURN"},
    "tonj_house": {"accepted", "NOT_YOUR_TURN", "CARD_DOES_NOT_FIT"},
    "trix": {"accepted", "NOT_YOUR_TURN", "WRONG_PHASE", "CARD_NOT_IN_HAND"},
}


@EVERY_GAME
@pytest.mark.parametrize("seed", range(3))
def test_what_is_refused_or_not_committed_changes_no_byte(game: str, seed: int) -> None:
    rng = random.Random(seed)
    match, _ = played(game, seed, 5, **CALM)
    chance = GAMES[game].chance(rng, **EVENTFUL)
    verdicts = set()
    for _ in range(60):
        if match.over:
            break
        before = shows(match.table)
        for _ in range(6):
            seat = rng.randrange(len(match.table.players))
            attempt = submit(match.table.match_id, chance.attempt(match, seat))
            try:
                verdicts.add(match.table.decide(seat, attempt, match.now_ms + 1).verdict)
            except _core.Refused as no:
                verdicts.add(no.reason)
        match.table.expire(match.now_ms)
        match.table.extend(5, match.now_ms)
        assert shows(match.table) == before, match.log()
        command, draft = chance.turn(match)
        assert shows(match.table) == before, match.log()
        match.now_ms = command.at_ms
        match.commit(draft)
    assert verdicts >= VERDICTS[game]
    assert verdicts <= {"accepted", "claim_opened", "penalty", *_core.RULE_REASONS}


@EVERY_GAME
def test_a_command_is_decided_the_same_each_time(game: str) -> None:
    match, _ = played(game, 7, 20, **CALM)
    command, draft = GAMES[game].chance(random.Random(7)).turn(match)
    again = match.draft(command)
    assert (again.payload, again.kinds, again.deadline_ms) == (draft.payload, draft.kinds, draft.deadline_ms)


@EVERY_GAME
def test_a_draft_is_committed_once_and_only_where_it_follows(game: str) -> None:
    match, other = Match(GAMES[game].asked()), Match(GAMES[game].asked(), match_id="m-2")
    first, second = (match.table.decide(0, submit("m-1", RESIGN), START_MS) for _ in range(2))
    with pytest.raises(ValueError, match="does not follow"):
        other.table.commit(first)
    assert other.table.record == 1
    match.table.commit(first)
    after = shows(match.table)
    for late in (first, second):
        with pytest.raises(ValueError, match="does not follow"):
            match.table.commit(late)
    assert shows(match.table) == after


@pytest.mark.parametrize(
    ("game", "clock", "players"),
    [
        ("tonj", "turn", ["amal", "basim"]),
        ("tonj_house", "turn", ["amal", "basim"]),
        ("trix", "choose", ["amal", "basim", "dalia", "faris"]),
    ],
)
def test_a_founded_table_waits_for_its_first_record(game: str, clock: str, players: list[str]) -> None:
    table, draft = _core.Table.found(GAMES[game].asked().SerializeToString(), "m-1", START_MS, _core.Sealer())
    assert (table.record, table.sequence, table.status) == (0, 0, match_pb2.MATCH_STATUS_WAITING)
    assert (table.clock, table.deadline_ms, table.players) == (None, None, (None,) * len(players))
    assert (draft.record, draft.first_sequence, draft.status) == (1, 1, match_pb2.MATCH_STATUS_ACTIVE)
    assert draft.players == tuple(players)
    table.commit(draft)
    assert (table.record, table.sequence, table.clock) == (1, draft.sequence, clock)
    assert (table.external_id, table.visibility, table.game) == ("golden", match_pb2.VISIBILITY_LINK, game)


@EVERY_GAME
def test_two_tables_are_dealt_differently(game: str) -> None:
    states = [Match(GAMES[game].asked()).state() for _ in range(2)]
    assert states[0].match.deal_commitment != states[1].match.deal_commitment
    assert states[0].view != states[1].view


# --- A log means what was played ---


@EVERY_GAME
@pytest.mark.parametrize("seed", range(3))
def test_a_log_loads_to_the_table_that_was_played(game: str, seed: int) -> None:
    match = Match(GAMES[game].asked(**ROOMS[game]))
    chance = GAMES[game].chance(random.Random(seed), **EVENTFUL)
    follower = _core.Table.load(match.payloads, match.sealer)
    for _ in range(150):
        if match.over:
            break
        draft = chance.play(match)
        followed = follower.read(draft.payload)
        assert (followed.payload, followed.kinds, followed.verdict) == (draft.payload, draft.kinds, draft.verdict)
        follower.commit(followed)
        loaded = _core.Table.load(match.payloads, match.sealer)
        assert shows(match.table) == shows(follower) == shows(loaded), match.log()


@EVERY_GAME
def test_what_was_missed_is_what_was_sent_live(game: str) -> None:
    match, drafts = played(game, 11)
    now_ms = START_MS + 5
    for viewer in match.viewers:
        for after in range(match.table.sequence + 2):
            live = [
                draft.update(viewer, now_ms, after) for draft in drafts if draft.sequence > after and draft.is_public
            ]
            missed = _core.missed(match.payloads, match.sealer, viewer, after, now_ms)
            assert missed[len(missed) - len(live) :] == live, match.log()
            first_record = len(missed) - len(live)
            assert first_record == (after < drafts[0].first_sequence - 1)  # the founding record has no draft here
            numbers = [event.sequence for message in missed for event in Update.FromString(message).events.events]
            assert numbers == list(range(after + 1, match.table.sequence + 1))


@EVERY_GAME
def test_an_answer_is_remade_from_the_log(game: str) -> None:
    match, drafts = played(game, 12)
    for number, draft in enumerate(drafts, start=2):
        for viewer in match.viewers:
            remade = _core.answer(match.payloads[:number], match.sealer, viewer)
            assert remade == draft.answer(viewer)
            answer = Answer.FromString(remade)
            assert answer.sequence == draft.sequence
            assert [event.sequence for event in answer.events] == list(range(draft.first_sequence, draft.sequence + 1))
            if draft.is_public:
                update = batch(draft, viewer)
                assert list(answer.events) == list(update.events.events)
                assert len(draft.kinds) - draft.kinds.count("double_answered") == len(answer.events)


@EVERY_GAME
def test_a_replay_waits_for_the_end_and_comes_in_pages(game: str) -> None:
    match, _ = played(game, 13, 40, **CALM)
    with pytest.raises(_core.Refused) as no:
        _core.replay(match.payloads, match.sealer, 0, 100)
    assert no.value.reason == "MATCH_NOT_ENDED"
    chance = GAMES[game].chance(random.Random(13), resigns=0.1)
    while not match.over:
        chance.play(match)
    whole, after = _core.replay(match.payloads, match.sealer, 0, 10_000)
    assert after == 0
    told = match_service_pb2.GetReplayResponse.FromString(whole)
    assert [event.sequence for event in told.events] == list(range(1, match.table.sequence + 1))
    pages, after = list[bytes](), 0
    while not pages or after:
        page, after = _core.replay(match.payloads, match.sealer, after, 1 + len(told.events) // 7)
        pages.append(page)
    assert len(pages) == 7
    events = [event for page in pages for event in match_service_pb2.GetReplayResponse.FromString(page).events]
    assert events == list(told.events)
    assert _core.verify(pages) == _core.verify([whole]) == ""

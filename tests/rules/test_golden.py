"""Golden matches mean today what they meant when they were recorded: bytes, digests, verdicts, positions (R13)."""

import json
import pathlib

import pytest
from google.protobuf import json_format

from majlis import _core
from tests.rules import golden, judges, shown
from tests.rules.golden import SEALER, Golden
from tests.rules.golden_recording import RECIPES
from tests.rules.matches import viewers
from tests.rules.recipes import happenings

NAMES = golden.names()


@pytest.fixture(params=NAMES, scope="module")
def match(request: pytest.FixtureRequest) -> Golden:
    return golden.read(request.param)


HAPPENS = {
    "tonj": {
        *("matchCreated", "seatTaken", "matchStarted", "matchEnded", "timedOut", "resigned"),
        *("dealt", "turnStarted", "cardRevealed", "cardsMoved", "cardDiscarded", "wasteRecycled", "turnEnded"),
        *("claimOpened", "claimResolved", "handEnded"),
        *(f"FAULT_CLASS_{kind} {how}" for kind in ("BUILD", "PRIORITY") for how in ("called", "expired")),
    },
    "tonj_house": {
        *("matchCreated", "seatTaken", "matchStarted", "matchEnded", "timedOut", "resigned"),
        *("dealt", "turnStarted", "wasteTurned", "cardOpened", "cardMoved", "foundationRetired", "cardDiscarded"),
        *("penalised", "passed", "turnEnded"),
    },
    "trix": {
        *("matchCreated", "seatTaken", "matchStarted", "matchEnded", "timedOut", "resigned", "returned"),
        *("dealt", "contractChosen", "doublesShown", "cardPlayed", "passed", "trickTaken", "dealScored"),
        *("expire choose", "expire double", "expire play", "expire auto", "expire away"),
    },
}


def test_every_recipe_was_recorded() -> None:
    assert set(RECIPES) <= set(NAMES)


@pytest.mark.parametrize("game", HAPPENS)
def test_what_the_matches_of_a_game_meet_together(game: str) -> None:
    seen = set().union(*(happenings(golden.read(name).records) for name in golden.names(game)))
    assert seen >= HAPPENS[game]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recording_fits_its_recipe(name: str) -> None:
    match = golden.read(name)
    assert RECIPES[name].fits(RECIPES[name].seen(match.records), match.end)


def test_a_stored_log_is_read_as_ever(match: Golden) -> None:
    """Record by record: what is sent of it, and the view digest."""
    first, *later = match.records
    table = _core.Table.load(match.payloads[:1], SEALER)
    assert golden.sent_first(match.payloads[0]) == first["sent"]
    assert (table.sequence, golden.digest(table)) == (first["sequence"], first["digest"])
    for record in later:
        draft = table.read(bytes.fromhex(record["payload"]))
        table.commit(draft)
        told = (table.sequence, golden.digest(table), golden.sent_with(table, draft))
        assert told == (record["sequence"], record["digest"], record["sent"]), record
    whole = _core.Table.load(match.payloads, SEALER)
    for viewer in viewers(table):
        assert whole.snapshot(viewer, table.instant_ms) == table.snapshot(viewer, table.instant_ms)


def test_commands_are_decided_as_ever(match: Golden) -> None:
    """The same command at the same instant makes the same bytes for the log, but for what is sealed anew each time."""
    table = _core.Table.load(match.payloads[:1], SEALER)
    for record, command in match.commands():
        draft, payload = command.draft(table), bytes.fromhex(record["payload"])
        assert golden.open_part(draft.payload) == golden.open_part(payload), golden.step(record)
        table.commit(draft)
        assert golden.sent_with(table, draft) == record["sent"], golden.step(record)


def test_the_replay_tells_the_same(match: Golden) -> None:
    pages = golden.replay(match.payloads)
    assert golden.hash_of(pages) == match.end["replay"]
    told = [json_format.MessageToDict(event) for event in golden.replayed(pages)]
    assert told == [event for record in match.records for event in record["events"]]
    assert _core.verify(pages) == ""
    [whole] = golden.replay(match.payloads, 5_000)
    assert _core.verify([whole]) == ""


@pytest.mark.parametrize("judge", [judges.rust, judges.oracle], ids=["rules", "oracle"])
def test_the_commands_judged_from_the_deal_lead_to_the_same_end(match: Golden, judge: judges.Judge) -> None:
    answer = judge(match.line())
    assert {judges.verdict(result) for result in answer["results"]} <= {
        ("accepted", None),
        ("claim_opened", "B"),
        ("claim_opened", "P"),
        ("penalty", None),
    }
    expected = {"results": answer["results"], "legal": [], **match.end}
    assert judges.difference(answer, expected) is None


@pytest.mark.parametrize("judge", [judges.rust, judges.oracle], ids=["rules", "oracle"])
def test_every_position_on_the_way_shows_what_the_digests_say(match: Golden, judge: judges.Judge) -> None:
    """From position to position, as a spectator and as one seat after the other.

    The last step is left out: what it leads to may depend on what no position tells (T27), and the trick that ended
    a match is none that could be read from what was taken (X6).
    """
    position, away, table = match.dealt(), set[int](), _core.Table.load(match.payloads[:1], SEALER)
    for number, record in enumerate(match.records[1:-1]):
        # A position does not tell who was given up (X17); the rest of a table's state it does.
        given_up = [{"seat": seat, "action": {"resign": {}}} for seat in away]
        answer = judge(judges.line(position, [*given_up, golden.step(record)], legal=False))
        assert answer["results"][-1]["verdict"] != "refused"
        position = answer["position"]
        for event in record["events"]:
            away |= {event["resigned"].get("seat", 0)} if "resigned" in event else set()
            away -= {event["returned"].get("seat", 0)} if "returned" in event else set()
        table.commit(table.read(bytes.fromhex(record["payload"])))
        lookers = (_core.SPECTATOR, number % len(table.players))
        told = {viewer: golden.digest(table, viewer) for viewer in lookers}
        shows = {viewer: shown.digest_of(position, viewer, record["sequence"], answer["outcome"]) for viewer in told}
        assert shows == told, golden.step(record)
        assert shows[_core.SPECTATOR] == record["digest"]


def test_a_recording_is_never_overwritten(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.rules import golden_recording

    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    (tmp_path / "tonj-resigned.jsonl").write_text("kept")
    with pytest.raises(SystemExit):
        golden_recording.main("tonj-resigned")
    assert (tmp_path / "tonj-resigned.jsonl").read_text() == "kept"


def test_a_recording_tells_a_whole_match(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.rules import golden_recording

    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    golden_recording.main("tonj-resigned")
    made = golden.read("tonj-resigned")
    assert made.end["outcome"]["reason"] == "END_REASON_RESIGNED"
    assert json.loads(made.line())["position"]["deal_seed"] == made.end["seed"]
    test_a_stored_log_is_read_as_ever(made)
    test_the_replay_tells_the_same(made)

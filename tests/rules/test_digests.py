"""The view digest: the vectors of seeds/digests, and a builder of its text that is independent of the core's."""

import hashlib
import json
import pathlib
import random
from typing import Any

import pytest

from majlis.client import digest
from tests.rules import digest_vectors, golden, matches
from tests.rules.games import EVERY_GAME, GAMES
from tests.rules.matches import Match, Update
from tests.rules.trix_play import LEADER_PAYS

FOLDER = pathlib.Path(__file__).parents[2] / "seeds" / "digests"
VECTORS = {game: [json.loads(line) for line in (FOLDER / f"{game}.jsonl").read_text().splitlines()] for game in GAMES}

LINES = {
    "tonj": [
        *(
            "hand 1 ",
            "hand 2 ",
            "side 0 ",
            "side 1 ",
            "foundation 0 0 -",
            "pending -",
            "claim -",
            "claim 0 ",
            "claim 1 ",
        ),
        *("outcome END_REASON_PLAYED_OUT", "outcome END_REASON_STALEMATE", "outcome END_REASON_RESIGNED"),
    ],
    "tonj_house": [
        *("turn 1 seat 0 starter 0 moves 40 passes 0", "turn 2 seat 0 starter 1 moves 3 passes 0", "side 0 ", "side 1"),
        *("foundation 0 0 -", "retired\n", "retired C", "opened -", "opened A"),
        "outcome END_REASON_PLAYED_OUT winners 0 totals 0 0 settlement 333 666 33 633 0\n",
        *("outcome END_REASON_STALEMATE", "outcome END_REASON_TURN_LIMIT", "outcome END_REASON_RESIGNED"),
    ],
    "trix": [
        *(f"deal {number} kingdom {(number + 4) // 5} owner" for number in (1, 20)),
        *("played\n", "played CONTRACT_", "hand\n", "hand ", "counts 13 13 13 13", "doubled\n", "doubled 1 KH\n"),
        *("trick\n", "trick 0 ", "trick 3 ", "last_trick\n", "last_trick 1 ", "rows\n", "rows C J J\n", "rows C 9 Q D"),
        *("finished\n", "finished 2\n", "finished 2 1 3", "points 0 0 0 0", "points -", "totals 0 0 0 0", "totals -"),
        *("tricks 0 0 0 0", "taken 0\n", "taken 3 ", "outcome END_REASON_PLAYED_OUT winners "),
    ],
}
"""How lines begin that some vector must have."""

WITHIN = {
    "tonj": [" reveal", " discard", " move PILE_KIND_HOUSE/", " PILE_KIND_FOUNDATION/0/- ", "waste 0 -"],
    "tonj_house": [
        *(" moves 1 passes 0", " passes 1\n", " passes 2\n", " winners 0 1 totals 0 0 settlement 77 154 0 77 77\n"),
        *("settlement 1000000000 2000000000 0 1000000000 1000000000\n", "settlement 1000 2000 0 "),
    ],
    "trix": [
        *(f"phase PHASE_{phase} " for phase in ("CHOOSING", "DOUBLING", "TRICKS", "LAYOUT", "OVER")),
        *(f"contract CONTRACT_{name} " for name in ("UNSPECIFIED", "KING_OF_HEARTS", "QUEENS", "DIAMONDS", "LTOOSH")),
        *("contract CONTRACT_TRIX ", " turn -\n", " turn 0\n", " 2 A", "winners 1 2 totals", "doubled 0 QS 1 QH 2 QD"),
    ],
}
"""What must stand somewhere in one."""


@EVERY_GAME
def test_the_digest_is_the_head_of_a_sha_256(game: str) -> None:
    for vector in VECTORS[game]:
        assert hashlib.sha256(vector["text"].encode()).hexdigest()[:32] == vector["digest"]


@EVERY_GAME
def test_vectors_show_every_kind_of_line(game: str) -> None:
    lines = [line for vector in VECTORS[game] for line in vector["text"].splitlines(keepends=True)]
    for start in (
        *("majlis-view-v1", "sequence ", "table -", f"game {game}", "outcome -", *LINES[game]),
        *("status MATCH_STATUS_WAITING", "status MATCH_STATUS_ACTIVE", "status MATCH_STATUS_ENDED"),
    ):
        assert any(line.startswith(start) for line in lines), start
    for within in WITHIN[game]:
        assert any(within in line for line in lines), within


@EVERY_GAME
def test_vectors_are_what_the_golden_matches_came_by(game: str) -> None:
    """But for the one of a match that waits, of which no golden match has a record."""
    known = {state.view_digest.hex() for name in golden.names(game) for state, _ in digest_vectors.states(name)}
    waiting = {vector["digest"] for vector in VECTORS[game]} - known
    assert waiting == {digest_vectors.before_the_first_record(game).view_digest.hex()}


@pytest.mark.parametrize("name", golden.names())
def test_the_builder_gives_the_digests_of_golden_matches(name: str) -> None:
    for state, _ in digest_vectors.states(name):
        text = digest_vectors.text_of(state)
        assert hashlib.sha256(text.encode()).hexdigest()[:32] == state.view_digest.hex()


ROOMS: dict[str, list[dict[str, Any]]] = {
    "tonj": [{"target_points": 20 * (seed % 2), "max_claims_per_turn": seed + 1} for seed in range(4)],
    "tonj_house": [{"max_turns": 30 * seed, "entry_fee_minor": seed, "max_moves_per_turn": seed} for seed in range(4)],
    "trix": [{}, {"forced_capture": LEADER_PAYS, "play_out": True}],
}


@EVERY_GAME
def test_the_builder_gives_the_digests_of_snapshots_and_batches_in_random_matches(game: str) -> None:
    for seed, options in enumerate(ROOMS[game]):
        match = Match(GAMES[game].asked(**options))
        chance = GAMES[game].chance(random.Random(seed), faulty=0.3, clock=0.1)
        for _ in range(250):
            if match.over:
                break
            draft = chance.play(match)
            for viewer in match.viewers:
                snapshot = Update.FromString(match.table.snapshot(viewer, match.now_ms)).snapshot
                expected = digest.view_digest(snapshot.match, snapshot.view)
                assert snapshot.view_digest == match.state(viewer).view_digest == expected, match.log()
                if draft.is_public:
                    batch = matches.batch(draft, viewer, match.now_ms).events
                    assert batch.view_digest == expected, match.log()


@EVERY_GAME
def test_a_client_builds_the_same_text_before_the_deal(game: str) -> None:
    state = digest_vectors.before_the_first_record(game)
    assert not state.HasField("view")
    assert digest.view_digest(state.match, None) == state.view_digest

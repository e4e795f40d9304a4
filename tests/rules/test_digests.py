"""The view digest: the vectors of seeds/digests, and a builder of its text that is independent of the core's.

python -m tests.rules.test_digests     # prints vectors from the golden matches, to be added to the file
"""

import hashlib
import json
import pathlib
import random

import pytest

from majlis.client import digest
from tests.rules import digest_vectors, golden
from tests.rules.matches import VIEWERS, Chance, Match, Update, asked

PATH = pathlib.Path(__file__).parents[2] / "seeds" / "digests" / "tonj.jsonl"
VECTORS = [json.loads(line) for line in PATH.read_text().splitlines()]


def test_the_digest_is_the_head_of_a_sha_256() -> None:
    for vector in VECTORS:
        assert hashlib.sha256(vector["text"].encode()).hexdigest()[:32] == vector["digest"]


def test_vectors_show_every_kind_of_line() -> None:
    lines = [line for vector in VECTORS for line in vector["text"].splitlines()]
    for start in (
        *("majlis-view-v1", "sequence ", "table -", "game tonj", "hand 1 ", "hand 2 ", "side 0 ", "side 1 "),
        *("status MATCH_STATUS_WAITING", "status MATCH_STATUS_ACTIVE", "status MATCH_STATUS_ENDED"),
        *("foundation 0 0 -", "pending -", "claim -", "claim 0 ", "claim 1 ", "outcome -"),
        *("outcome END_REASON_PLAYED_OUT", "outcome END_REASON_STALEMATE", "outcome END_REASON_RESIGNED"),
    ):
        assert any(line.startswith(start) for line in lines), start
    for within in (
        " reveal",
        " discard",
        " move PILE_KIND_HOUSE/",
        " PILE_KIND_FOUNDATION/0/- ",
        "waste 0 -",
    ):
        assert any(within in line for line in lines), within


def test_vectors_are_what_the_golden_matches_came_by() -> None:
    """The core gave these digests for these views."""
    told = {record["digest"] for name in golden.names() for record in golden.read(name).records}
    waiting = {vector["digest"] for vector in VECTORS if "table -" in vector["text"]}
    assert {vector["digest"] for vector in VECTORS} <= told | waiting
    assert waiting == {digest_vectors.before_the_first_record().view_digest.hex()}


@pytest.mark.parametrize("name", golden.names())
def test_the_builder_gives_the_digests_of_golden_matches(name: str) -> None:
    for state, record in digest_vectors.states(name):
        assert hashlib.sha256(digest_vectors.text_of(state).encode()).hexdigest()[:32] == record["digest"]


@pytest.mark.parametrize("seed", range(4))
def test_the_builder_gives_the_digests_of_snapshots_and_batches_in_random_matches(seed: int) -> None:
    chance = Chance(random.Random(seed), faulty=0.3, clock=0.1)
    match = Match(asked(target_points=20 * (seed % 2), max_claims_per_turn=seed + 1))
    for _ in range(250):
        if match.over:
            break
        command, draft = chance.turn(match)
        match.now_ms = command.at_ms
        match.commit(draft)
        for viewer in VIEWERS:
            snapshot = Update.FromString(match.table.snapshot(viewer, match.now_ms)).snapshot
            expected = digest.view_digest(snapshot.match, snapshot.view)
            batch = Update.FromString(draft.update(viewer, match.now_ms)).events
            assert snapshot.view_digest == batch.view_digest == match.state(viewer).view_digest == expected, match.log()


def test_a_client_builds_the_same_text_before_the_deal() -> None:
    state = digest_vectors.before_the_first_record()
    assert not state.HasField("view")
    assert digest.view_digest(state.match, None) == state.view_digest

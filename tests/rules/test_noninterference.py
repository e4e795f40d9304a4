"""Nobody can tell a match from one that differs only in what he may not know (X5, X11, X13, X16, X20).

    MAJLIS_TWINS=200 pytest tests/rules/test_noninterference.py     # as many whole matches, other ones each time

Whole matches of Trix are held against twins at every record, for each seat and a spectator: every message, the answers
to the viewer's own attempts of every kind, and what the next record tells. Leaks of one line that this has to find:

- a hand or an answer in any view, batch or digest; legal actions, or a private state, of another seat;
- awaited seats or a clock's length that depend on who was asked, on a seat's cards or on its absence;
- a clock that an answer starts anew, a sequence, a status or an instant that it moves, a seat that it brings back;
- `NOT_ASKED`, or any other refusal, by what others hold or have answered.
"""

import os
import random
from collections import Counter
from typing import Any

import pytest

from tests.rules.matches import Match
from tests.rules.trix_play import LEADER_PAYS, Chance, asked
from tests.rules.twins import Witness

MATCHES = int(os.environ.get("MAJLIS_TWINS", "0"))

ROOMS: list[tuple[dict[str, Any], dict[str, float]]] = [
    ({}, {"lapses": 0.1}),
    ({"forced_capture": LEADER_PAYS, "play_out": True, "auto_play_delay_ms": 0}, {"lapses": 0.02, "resigns": 0.01}),
    ({"double_seconds": 3, "play_seconds": 2, "auto_play_delay_ms": 2_500, "away_delay_ms": 300}, {"returns": 0.3}),
]
"""Options and rates: with and without auto-play, one that is later than the deadline, seats that come and go."""

COMPARED = {
    *("contract_chosen", "doubles_shown", "hidden answers", "card_played", "passed", "trick_taken", "deal_scored"),
    *("dealt", "timed_out", "resigned", "returned", "clock_extended", "match_ended"),
    *("own contract_chosen", "own double_answered", "own card_played", "own passed", "own resigned"),
    *("own NOT_YOUR_TURN", "own WRONG_PHASE", "own NO_SUCH_CONTRACT", "own CONTRACT_ALREADY_PLAYED", "own NOT_ASKED"),
    *("own ALREADY_ANSWERED", "own CARD_NAMED_TWICE", "own CARD_NOT_DOUBLABLE", "own CARD_NOT_IN_HAND"),
    *("own MUST_FOLLOW_SUIT", "own CARD_DOES_NOT_FIT", "own CARD_CAN_BE_PLAYED", "own MATCH_OVER"),
}
"""What an ordinary run has to come upon."""


def watch(seed: int) -> "Counter[str]":
    """One whole match beside its twins; what was compared in it."""
    rng = random.Random(seed)
    options, rates = ROOMS[seed % len(ROOMS)]
    match, chance = Match(asked(**options)), Chance(rng, **rates)
    witness = Witness(match, rng)
    while not match.over:
        witness.look()
        if rng.random() < 0.01:
            witness.follow(match.table.extend(700, match.now_ms + 5), extension_ms=700)
        command, draft = chance.turn(match)
        witness.follow(draft, command)
    witness.look()
    return witness.seen


def test_no_viewer_can_tell_a_match_from_its_twins() -> None:
    seen = sum((watch(seed) for seed in range(3)), Counter[str]())
    assert set(seen) >= COMPARED, sorted(COMPARED - set(seen))
    assert seen["other tables"] > 4 * seen["same tables"], "twins are hardly ever other tables"
    assert seen["followed"] > 4 * seen["not followed"], "twins are hardly ever found for the next record"


@pytest.mark.skipif(not MATCHES, reason="MAJLIS_TWINS names no number of matches")
def test_no_viewer_can_tell_many_matches_from_their_twins() -> None:
    first = random.SystemRandom().randrange(1 << 40)
    seen = sum((watch(seed) for seed in range(first, first + MATCHES)), Counter[str]())
    print(f"\n{MATCHES} matches from {first}: {dict(seen)}")
    assert set(seen) >= COMPARED

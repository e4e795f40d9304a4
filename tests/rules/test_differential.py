"""The server's rules against the oracle: random play must look the same to both.

    MAJLIS_DIFFERENTIAL=2000 pytest tests/rules/test_differential.py     # as many whole matches, other ones each time

A failure ends with a line for `majlis judge` and `python -m tests.oracle.judge`, the shortest on which they part.
"""

import os
import random
from collections import Counter
from collections.abc import Iterable

import pytest

from majlis import _core
from tests.rules import duel, judges
from tests.rules.duel import MANNERS, Disagreement, Duel

DEALT = {"tonj": 24, "tonj_house": 16, "trix": 100}
SMALL = {"tonj": 56, "tonj_house": 150, "trix": 150}
"""Tables of an ordinary run, from the deal and small ones."""

ORDINARY, AT_LENGTH = 0, 1

MATCHES = int(os.environ.get("MAJLIS_DIFFERENTIAL", "0"))
BATCH = 25
"""Matches of one test at length; a test that takes five minutes is stopped."""

EVERYTHING = {
    "tonj": {
        *("accepted", "refused", "claim_openedB", "claim_openedP"),
        *("move", "reveal", "discard", "endTurn", "callTonj", "expire turn", "expire claim"),
        *("END_REASON_PLAYED_OUT", "END_REASON_STALEMATE"),
    },
    "tonj_house": {
        *("accepted", "refused", "penalty", "move", "discard", "pass", "resign", "expire turn", "match over"),
        *("END_REASON_PLAYED_OUT", "END_REASON_STALEMATE", "END_REASON_TURN_LIMIT", "END_REASON_RESIGNED"),
        *("NOT_SEATED", "NOT_YOUR_TURN", "MATCH_OVER", "NO_SUCH_CLOCK", "MALFORMED_ACTION", "SOURCE_UNAVAILABLE"),
        *("COUNT_TOO_HIGH", "DESTINATION_UNAVAILABLE", "CARD_DOES_NOT_FIT", "NOTHING_PENDING", "CARDS_LEFT"),
    },
    "trix": {
        *("accepted", "refused", "END_REASON_PLAYED_OUT", "match over"),
        *("chooseContract", "answerDouble", "playCard", "pass", "resign"),
        *("expire choose", "expire double", "expire play", "expire auto", "expire away"),
        *("NOT_SEATED", "NOT_YOUR_TURN", "WRONG_PHASE", "MATCH_OVER", "NO_SUCH_CONTRACT", "CONTRACT_ALREADY_PLAYED"),
        *("NOT_ASKED", "ALREADY_ANSWERED", "CARD_NAMED_TWICE", "CARD_NOT_DOUBLABLE", "CARD_NOT_IN_HAND"),
        *("MUST_FOLLOW_SUIT", "CARD_DOES_NOT_FIT", "CARD_CAN_BE_PLAYED", "NO_SUCH_CLOCK", "MALFORMED_ACTION"),
    },
}
"""What an ordinary run has to come upon: verdicts, accepted steps, the oracle's reasons of refusals, ends."""

EVERY_GAME = pytest.mark.parametrize("game", MANNERS)


def play_all(game: str, dealt: Iterable[int], small: Iterable[int], length: int) -> "Counter[str]":
    """Tables made from the given numbers."""
    seen: Counter[str] = Counter()
    for seed in dealt:
        Duel(game, random.Random(seed), seen).dealt(MANNERS[game].deal_steps[length])
    for seed in small:
        Duel(game, random.Random(seed), seen).small(MANNERS[game].table_steps[length])
    return seen


@EVERY_GAME
def test_rules_and_oracle_agree(game: str) -> None:
    seen = play_all(game, range(DEALT[game]), range(SMALL[game]), ORDINARY)
    assert set(seen) >= EVERYTHING[game], seen


@pytest.mark.skipif(not MATCHES, reason="MAJLIS_DIFFERENTIAL names no number of matches")
@pytest.mark.parametrize("done", range(0, MATCHES, BATCH))
@EVERY_GAME
def test_rules_and_oracle_agree_at_length(game: str, done: int) -> None:
    first = random.SystemRandom().randrange(1 << 48)
    tables = range(first, first + min(BATCH, MATCHES - done))
    seen = play_all(game, tables, tables, AT_LENGTH)
    print(f"\n{game}: {len(tables)} matches, as many small tables: {dict(seen)}")
    assert {"accepted", "refused"} < set(seen), seen


def test_a_disagreement_is_told_with_its_shortest_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that miscount while a card is pending are found out, by a line of a step or two."""

    def mistaken(line: str) -> tuple[str, bool]:
        text, errored = _core.judge_line(line)
        return text.replace('"quiet":[0,0]', '"quiet":[0,7]') if '"pending":"' in text else text, errored

    monkeypatch.setattr(judges, "_core", type("Mistaken", (), {"judge_line": staticmethod(mistaken)}))
    with pytest.raises(Disagreement) as told:
        play_all("tonj", range(20), (), ORDINARY)
    first, line = str(told.value).splitlines()
    assert "quiet" in first
    assert line.count('"seat"') <= 2
    assert judges.difference(judges.rust(line), judges.oracle(line))
    monkeypatch.undo()
    assert judges.difference(judges.rust(line), judges.oracle(line)) is None


def test_a_line_is_the_shortest_that_still_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        judges, "rust", lambda line: {"error": line} if line.count("reveal") > 1 else judges.oracle(line)
    )
    position = {"game": "tonj", "turn_seat": 0, "partial": True, "hands": [["5H0", "6H0"], []]}
    steps = [{"seat": 0, "action": {"reveal": {}}} for _ in range(4)]
    assert duel.shortest(position, steps).count("reveal") == 2

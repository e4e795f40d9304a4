"""The server's rules against the oracle: random play must look the same to both, step by step.

    MAJLIS_DIFFERENTIAL=2000 pytest tests/rules/test_differential.py     # as many long matches, other ones each time

A failure ends with a line for `majlis judge` and `python -m tests.oracle.judge`, the shortest on which they part.
"""

import os
import random
from collections import Counter
from collections.abc import Iterable

import pytest

from majlis import _core
from tests.rules import duel, judges
from tests.rules.duel import Disagreement, Duel

QUICK, QUICK_STEPS, LONG_STEPS = 80, 60, 400
MATCHES = int(os.environ.get("MAJLIS_DIFFERENTIAL", "0"))

EVERYTHING = {
    *("accepted", "refused", "claim_openedB", "claim_openedP"),
    *("move", "reveal", "discard", "endTurn", "callTonj", "expire turn", "expire claim"),
    *("END_REASON_PLAYED_OUT", "END_REASON_STALEMATE"),
}


def play_all(seeds: Iterable[int], steps: int) -> "Counter[str]":
    seen: Counter[str] = Counter()
    for seed in seeds:
        Duel(random.Random(seed), seen).match(steps)
    return seen


def test_rules_and_oracle_agree() -> None:
    seen = play_all(range(QUICK), QUICK_STEPS)
    assert set(seen) >= EVERYTHING, seen


@pytest.mark.skipif(not MATCHES, reason="MAJLIS_DIFFERENTIAL names no number of matches")
def test_rules_and_oracle_agree_at_length() -> None:
    first = random.SystemRandom().randrange(1 << 48)
    seen = play_all(range(first, first + MATCHES), LONG_STEPS)
    print(f"\n{MATCHES} matches: {dict(seen)}")
    assert set(seen) >= EVERYTHING, seen


def test_a_disagreement_is_told_with_its_shortest_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that miscount while a card is pending are found out, by a line of a step or two."""

    def mistaken(line: str) -> tuple[str, bool]:
        text, errored = _core.judge_line(line)
        return text.replace('"quiet":[0,0]', '"quiet":[0,7]') if '"pending":"' in text else text, errored

    monkeypatch.setattr(judges, "_core", type("Mistaken", (), {"judge_line": staticmethod(mistaken)}))
    with pytest.raises(Disagreement) as told:
        play_all(range(QUICK), QUICK_STEPS)
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
    assert duel.shortest([position] * 5, steps).count("reveal") == 2

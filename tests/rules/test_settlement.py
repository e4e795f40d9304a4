"""What a match of the house edition pays (H20), as its viewers are told: money in is money out, to the unit.

Cases by hand stand in seeds/verdicts; here fees and rates are drawn, and matches end in every way.
"""

import random
from collections import Counter
from fractions import Fraction

import pytest

from majlis import _core
from majlis.v1 import match_pb2
from tests.rules import judges, matches
from tests.rules.matches import RESIGN, Match, Update
from tests.rules.tonj_house_play import Chance, asked

DEAREST, HIGHEST_RATE = 10**9, 5_000


def drawn_stakes(rng: random.Random) -> tuple[int, int]:
    """A fee in minor units and a rate in basis points, the bounds among them."""
    fee = rng.choice([0, 1, 2, 3, DEAREST - 1, DEAREST, rng.randint(0, 10_000), rng.randint(0, DEAREST)])
    return fee, rng.choice([0, 1, 3_333, HIGHEST_RATE - 1, HIGHEST_RATE, rng.randint(0, HIGHEST_RATE)])


def check(match: Match, fee: int, rate: int) -> str:
    """How it ended, after every viewer was told the same settlement, and the right one."""
    outcomes = [match.state(viewer).match.outcome for viewer in match.viewers]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    outcome, settled = outcomes[0], outcomes[0].settlement
    assert (settled.entry_fee_minor, settled.pot_minor) == (fee, 2 * fee)
    assert sum(settled.payout_minor) + settled.rake_minor == 2 * fee
    if len(outcome.winner_seats) == 2:
        assert (list(settled.payout_minor), settled.rake_minor) == ([fee, fee], 0)
        return "drawn"
    [winner] = outcome.winner_seats
    assert settled.payout_minor[1 - winner] == 0
    exactly = Fraction(2 * fee * rate, 10_000)
    assert settled.rake_minor <= exactly < settled.rake_minor + 1
    return match_pb2.EndReason.Name(outcome.reason)


def test_what_is_paid_is_what_was_paid_in() -> None:
    rng, ends = random.Random(20), Counter[str]()
    for _ in range(300):
        fee, rate = drawn_stakes(rng)
        match = Match(asked(entry_fee_minor=fee, rake_bps=rate, max_turns=rng.randint(1, 4), show_legal_moves=False))
        if rng.random() < 0.3:
            match.act(rng.randrange(2), RESIGN)
        while not match.over:
            match.expire()
        ends[check(match, fee, rate)] += 1
    assert set(ends) == {"drawn", "END_REASON_RESIGNED", "END_REASON_TURN_LIMIT"}


def won() -> tuple[Match, _core.Draft]:
    """A match that was played out, and its last record. Most matches are; the others end by their last turn."""
    while True:
        match, chance = Match(asked(entry_fee_minor=999, rake_bps=777)), Chance(random.Random(4), throws=0.02)
        last = chance.play(match)
        while not match.over:
            last = chance.play(match)
        if match.state().match.outcome.reason == match_pb2.END_REASON_PLAYED_OUT:
            return match, last


def test_a_win_is_paid_and_told_once() -> None:
    """In the last event, the answer that brought it about, the replay, and to whoever looks later."""
    match, draft = won()
    assert check(match, 999, 777) == "END_REASON_PLAYED_OUT"
    settled = match.state().match.outcome.settlement
    assert draft.kinds.count("match_ended") == 1
    told = [
        event.match_ended.outcome for event in matches.batch(draft, 0).events.events if event.HasField("match_ended")
    ]
    assert [outcome.settlement for outcome in told] == [settled]
    snapshot = Update.FromString(match.table.snapshot(_core.SPECTATOR, match.now_ms)).snapshot
    assert snapshot.match.outcome.settlement == settled
    loaded = _core.Table.load(match.payloads, match.sealer)
    assert match_pb2.Match.FromString(loaded.match([])).outcome.settlement == settled
    for seat in range(2):
        with pytest.raises(_core.Refused, match="MATCH_OVER"):
            match.act(seat, RESIGN)


@pytest.mark.parametrize("judge", [judges.rust, judges.oracle], ids=["rules", "oracle"])
def test_the_judges_settle_alike(judge: judges.Judge) -> None:
    rng = random.Random(5)
    for _ in range(500):
        fee, rate = drawn_stakes(rng)
        position = {"game": "tonj_house", "turn_seat": 0, "partial": True, "reserves": [["5C0"], ["9D1"]]}
        options = {"entryFeeMinor": fee, "rakeBps": rate}
        loser = rng.randrange(2)
        answer = judge(judges.line({**position, "options": options}, [{"seat": loser, "action": {"resign": {}}}]))
        settled = answer["outcome"]["settlement"]
        rake = 2 * fee * rate // 10_000
        assert settled["payoutMinor"][1 - loser] == 2 * fee - rake
        assert settled == {
            **({"entryFeeMinor": fee, "potMinor": 2 * fee} if fee else {}),
            **({"rakeMinor": rake} if rake else {}),
            "payoutMinor": settled["payoutMinor"],
        }
        assert sum(settled["payoutMinor"]) + rake == 2 * fee

"""The golden matches of the house edition."""

from collections.abc import Iterator

from tests.rules import golden
from tests.rules.recipes import Json, Recipe
from tests.rules.tonj_house_play import OWN_STOCK, Chance, asked


def happenings(records: list[Json]) -> Iterator[str]:
    """How turns ended, who placed, threw and passed, and what penalties took from whom."""
    for fact in (event["tonjHouse"] for record in records for event in record["events"] if "tonjHouse" in event):
        [(kind, content)] = fact.items()
        if kind == "turnEnded":
            yield str(content["by"])
        elif "cause" in content:
            yield f"{kind} {content['cause']}"
        elif kind == "penalised":
            yield from penalty(content)
        elif kind == "wasteTurned":
            yield "wasteTurned"


def penalty(penalised: Json) -> Iterator[str]:
    """Of one: whose cards, from which piles, and what was tried and came of it."""
    whose = "own" if penalised.get("source", 0) == penalised.get("seat", 0) else "opponent's"
    yield from (f"{whose} {pile}" for pile in ("fromStock", "fromWaste") if penalised.get(pile))
    yield f"neglected by {next(iter(penalised['attempt']))}"
    yield from (f"penalised {told}" for told in ("returned", "turnedUp") if told in penalised)


def ends_by(end: Json, reason: str, winners: int) -> bool:
    outcome = end["outcome"]
    return bool(outcome["reason"] == f"END_REASON_{reason}" and len(outcome["winner_seats"]) == winners)


RECIPES = {
    "tonj_house-played-out": Recipe(
        asked(entry_fee_minor=333, rake_bps=500),
        lambda rng: Chance(rng, throws=0.05, neglects=0.15),
        lambda seen, end: (
            ends_by(end, "PLAYED_OUT", winners=1)
            and {"opponent's fromStock", "neglected by discard", "neglected by move", "penalised returned"} <= seen
            and {"opponent's fromWaste", "penalised turnedUp"} <= seen
            and {"cardMoved CAUSE_CLOCK", "wasteTurned", "foundationRetired"} <= seen
        ),
        most_records=300,
        candidates=4,
        happenings=happenings,
    ),
    "tonj_house-own-stock": Recipe(
        asked(penalty_source=OWN_STOCK, penalty_cards=10, max_moves_per_turn=3, max_turns=120, entry_fee_minor=1_000),
        lambda rng: Chance(rng, neglects=0.5, faulty=0.2),
        lambda seen, end: (
            ends_by(end, "TURN_LIMIT", winners=1)
            and {"own fromStock", "own fromWaste", "TURN_END_MOVE_LIMIT", "cardDiscarded CAUSE_RULE"} <= seen
            and {"passed CAUSE_PLAYER"} <= seen
        ),
        most_records=260,
        candidates=2,
        sealer=golden.SEALER,
        happenings=happenings,
    ),
    "tonj_house-blocked": Recipe(
        asked(penalty_source=OWN_STOCK, penalty_cards=10, entry_fee_minor=77, rake_bps=5_000),
        lambda rng: Chance(rng, neglects=0.7, throws=0.4, shifts=0.4),
        lambda seen, end: ends_by(end, "STALEMATE", winners=2) and "penalised" in seen,
        most_records=600,
        candidates=1,
        happenings=happenings,
    ),
    "tonj_house-refunded": Recipe(
        asked(max_turns=16, entry_fee_minor=1_000_000_000, rake_bps=5_000, penalty_cards=1, turn_seconds=4),
        lambda rng: Chance(rng, neglects=0.5, clock=0.2),
        lambda seen, end: ends_by(end, "TURN_LIMIT", winners=2) and {"penalised", "timedOut"} <= seen,
        most_records=60,
        happenings=happenings,
    ),
    "tonj_house-resigned": Recipe(
        asked(entry_fee_minor=500, rake_bps=1, ranked=True, show_legal_moves=False, penalty_cards=0),
        lambda rng: Chance(rng, resigns=0.05),
        lambda seen, end: ends_by(end, "RESIGNED", winners=1) and {"penalised", "cardMoved CAUSE_PLAYER"} <= seen,
        most_records=40,
        happenings=happenings,
    ),
}

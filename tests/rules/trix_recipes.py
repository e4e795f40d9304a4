"""The golden matches of Trix: each a whole match of twenty deals."""

from collections.abc import Iterator

from tests.rules import golden
from tests.rules.recipes import Json, Recipe
from tests.rules.trix_play import LEADER_PAYS, Chance, asked

CLOCKS = {"CLOCK_KIND_CHOOSE", "CLOCK_KIND_PLAY", "expire double"}


def happenings(records: list[Json]) -> Iterator[str]:
    """How many doubled at once, and whether a doubler took his own card, on his own lead or another's (X9)."""
    doublers: dict[str, int] = {}
    trick: list[tuple[int, str]] = []
    for fact in (event["trix"] for record in records for event in record["events"] if "trix" in event):
        if "doublesShown" in fact:
            doubled = fact["doublesShown"].get("doubled", [])
            doublers = {str(shown["card"]): shown.get("seat", 0) for shown in doubled}
            yield f"doubled by {len(set(doublers.values()))}"
        elif "contractChosen" in fact:
            doublers = {}
        elif "cardPlayed" in fact:
            trick.append((fact["cardPlayed"].get("seat", 0), str(fact["cardPlayed"]["card"])))
        elif "trickTaken" in fact:
            taker = fact["trickTaken"].get("seat", 0)
            if any(doublers.get(card) == seat == taker for seat, card in trick):
                yield "own lead" if trick[0][0] == taker else "forced"
            trick = []
        elif "dealScored" in fact:
            trick = []


RECIPES = {
    "trix-played-out": Recipe(
        asked(),
        lambda rng: Chance(rng, resigns=0),
        lambda seen, end: (
            len(end["outcome"]["winner_seats"]) == 1
            and {"doubled by 0", "doubled by 2", "doubled by 3", "own lead", "expire auto", *CLOCKS} <= seen
        ),
        most_records=1_250,
        candidates=2,
        happenings=happenings,
    ),
    "trix-drawn": Recipe(
        asked(choose_seconds=5, double_seconds=4, play_seconds=6, auto_play_delay_ms=900, away_delay_ms=700),
        lambda rng: Chance(rng, resigns=0.006, returns=0.2, lapses=0.1),
        lambda seen, end: (
            len(end["outcome"]["winner_seats"]) == 2
            and {"resigned", "returned", "expire away", "expire auto", "forced", *CLOCKS} <= seen
        ),
        most_records=1_250,
        candidates=1,
        happenings=happenings,
    ),
    "trix-leader-pays": Recipe(
        asked(forced_capture=LEADER_PAYS, play_out=True, auto_play_delay_ms=0, show_legal_moves=False),
        lambda rng: Chance(rng, lapses=0.02, resigns=0.0),
        lambda seen, end: {"doubled by 2", "doubled by 3", "own lead", "forced"} <= seen,
        most_records=1_250,
        sealer=golden.SEALER,
        candidates=2,
        happenings=happenings,
    ),
}

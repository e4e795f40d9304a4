"""The golden matches of Tonj."""

from majlis.v1 import tonj_pb2
from tests.rules import golden
from tests.rules.recipes import Json, Recipe
from tests.rules.tonj_play import Chance, asked

EVERY_CLAIM = {f"FAULT_CLASS_{kind} {how}" for kind in ("BUILD", "PRIORITY") for how in ("called", "expired")}
ONE_ACTION = tonj_pb2.TonjOptions.TIMEOUT_POLICY_ONE_ACTION


def ends_by(end: Json, reason: str) -> bool:
    return bool(end["outcome"]["reason"] == f"END_REASON_{reason}")


RECIPES = {
    "tonj-played-out": Recipe(
        asked(),
        lambda rng: Chance(rng, clock=0.08, faulty=0.2),
        lambda seen, end: ends_by(end, "PLAYED_OUT") and {"timedOut", "wasteRecycled", *EVERY_CLAIM} <= seen,
        most_records=260,
    ),
    "tonj-stalemate": Recipe(
        asked(timeout_policy=ONE_ACTION, turn_seconds=5, claim_window_ms=1500),
        lambda rng: Chance(rng, clock=0.6, transfer=0.02),
        lambda seen, end: ends_by(end, "STALEMATE") and {"timedOut", "wasteRecycled", "claimResolved"} <= seen,
        most_records=400,
    ),
    "tonj-repetition": Recipe(
        asked(max_claims_per_turn=1),
        lambda rng: Chance(rng, faulty=0.6, called=1.0),
        lambda seen, end: ends_by(end, "STALEMATE"),
        most_records=30,
    ),
    "tonj-series": Recipe(
        asked(target_points=60, max_claims_per_turn=2, max_transfers_per_turn=4),
        lambda rng: Chance(rng, clock=0.6, faulty=0.2),
        lambda seen, end: (
            end["position"]["hand_number"] >= 3 and ends_by(end, "PLAYED_OUT") and {"timedOut", "claimResolved"} <= seen
        ),
        most_records=500,
        sealer=golden.SEALER,
    ),
    "tonj-resigned": Recipe(
        asked(),
        lambda rng: Chance(rng, faulty=0.5, resigns=0.1),
        lambda seen, end: end["position"]["claim"] is not None,
        most_records=20,
    ),
}

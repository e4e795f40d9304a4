"""Records golden matches: plays by chance until a match fits its recipe, since a table draws its own seed.

    python -m tests.rules.golden_recording tonj-played-out

Never overwrites a file. What a file holds stands in golden.py.
"""

import dataclasses
import json
import random
import sys
from collections.abc import Callable

from google.protobuf import json_format

from majlis import _core
from majlis.v1 import match_service_pb2, matchmaking_service_pb2, tonj_pb2
from tests.rules import golden, judges
from tests.rules.golden import Json
from tests.rules.matches import Chance, Match, asked


@dataclasses.dataclass(frozen=True)
class Recipe:
    """Which match is wanted, and how to come by one."""

    request: matchmaking_service_pb2.CreateMatchRequest
    chance: dict[str, float]
    fits: Callable[[set[str], Json], bool]
    """Given what happened (`happenings`) and the last line."""
    most_records: int
    sealer: _core.Sealer = dataclasses.field(default_factory=_core.Sealer)


def happenings(records: list[Json]) -> set[str]:
    """The events by name; closed claims also by their class and how they closed."""
    found = set()
    for event in (event for record in records for event in record["events"]):
        [kind] = event.keys() - {"sequence", "time"}
        content = event[kind]
        if kind == "tonj":
            [(kind, content)] = content.items()
        found.add(kind)
        if kind == "claimResolved":
            found.add(f"{content['faultClass']} {'called' if content.get('called') else 'expired'}")
    return found


def ends_by(end: Json, reason: str) -> bool:
    return bool(end["outcome"]["reason"] == f"END_REASON_{reason}")


EVERY_CLAIM = {f"FAULT_CLASS_{kind} {how}" for kind in ("BUILD", "PRIORITY") for how in ("called", "expired")}
ONE_ACTION = tonj_pb2.TonjOptions.TIMEOUT_POLICY_ONE_ACTION

RECIPES = {
    "tonj-played-out": Recipe(
        asked(),
        {"clock": 0.08, "faulty": 0.2},
        lambda seen, end: ends_by(end, "PLAYED_OUT") and {"timedOut", "wasteRecycled", *EVERY_CLAIM} <= seen,
        most_records=260,
    ),
    "tonj-stalemate": Recipe(
        asked(timeout_policy=ONE_ACTION, turn_seconds=5, claim_window_ms=1500),
        {"clock": 0.6, "transfer": 0.02},
        lambda seen, end: ends_by(end, "STALEMATE") and {"timedOut", "wasteRecycled", "claimResolved"} <= seen,
        most_records=400,
    ),
    "tonj-repetition": Recipe(
        asked(max_claims_per_turn=1),
        {"faulty": 0.6, "called": 1.0},
        lambda seen, end: ends_by(end, "STALEMATE"),
        most_records=30,
    ),
    "tonj-series": Recipe(
        asked(target_points=60, max_claims_per_turn=2, max_transfers_per_turn=4),
        {"clock": 0.6, "faulty": 0.2},
        lambda seen, end: (
            end["position"]["hand_number"] >= 3 and ends_by(end, "PLAYED_OUT") and {"timedOut", "claimResolved"} <= seen
        ),
        most_records=500,
        sealer=golden.SEALER,
    ),
    "tonj-resigned": Recipe(
        asked(),
        {"faulty": 0.5, "resigns": 0.1},
        lambda seen, end: end["position"]["claim"] is not None,
        most_records=20,
    ),
}


def record(recipe: Recipe, seed: int) -> golden.Golden | None:
    """One match by chance; None if it grows too long. The deal is the core's own draw."""
    chance = Chance(random.Random(seed), **recipe.chance)
    match = Match(recipe.request, "golden", recipe.sealer)
    create = {"create": json_format.MessageToDict(recipe.request), "at": match.now_ms}
    records = [create | stored(match, golden.sent_first(match.payloads[0]))]
    while not match.over:
        if len(records) >= recipe.most_records:
            return None
        clock = match.table.clock
        command, draft = chance.turn(match)
        match.now_ms = command.at_ms
        match.commit(draft)
        records.append(command.json(clock) | stored(match, golden.sent_with(match.table, draft)))
    return finished(match, records)


def stored(match: Match, sent: str) -> Json:
    """What a record's line holds besides its command and its events."""
    return {
        "sequence": match.table.sequence,
        "digest": golden.digest(match.table),
        "sent": sent,
        "payload": match.payloads[-1].hex(),
    }


def finished(match: Match, records: list[Json]) -> golden.Golden:
    """The match with its events and its last line, which are told when it is over."""
    pages = golden.replay(match.payloads)
    events = iter(golden.replayed(pages))
    for number, line in enumerate(records):
        first = records[number - 1]["sequence"] if number else 0
        line["events"] = [json_format.MessageToDict(next(events)) for _ in range(line["sequence"] - first)]
    told = match_service_pb2.GetReplayResponse.FromString(pages[0])
    end: Json = {"seed": told.deal_seed.hex(), "entropies": [entropy.hex() for entropy in told.entropies]}
    match_so_far = golden.Golden("new", records, end)
    answer = judges.rust(match_so_far.line())
    end |= {"outcome": answer["outcome"], "position": answer["position"], "replay": golden.hash_of(pages)}
    return match_so_far


def main(name: str) -> None:
    """Records the shortest of eight matches that fit."""
    path = golden.FOLDER / f"{name}.jsonl"
    if path.exists():
        sys.exit(f"{path} stands, and is never rewritten")
    recipe, found, seed = RECIPES[name], list[golden.Golden](), 0
    while len(found) < 8:
        seed += 1
        match = record(recipe, seed)
        if match and recipe.fits(happenings(match.records), match.end):
            found.append(match)
            print(f"{seed}: {len(match.records)} records", file=sys.stderr)
    best = min(found, key=lambda match: len(json.dumps(match.records)))
    lines = [*best.records, best.end]
    path.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Records golden matches: plays by chance until a match fits its recipe, since a table draws its own seed.

    python -m tests.rules.golden_recording tonj-played-out

Never overwrites a file. What a file holds stands in golden.py, what is wanted in recipes.py.
"""

import json
import random
import sys

from google.protobuf import json_format

from majlis.v1 import match_service_pb2
from tests.rules import golden, judges, tonj_house_recipes, tonj_recipes, trix_recipes
from tests.rules.golden import Json
from tests.rules.matches import Match
from tests.rules.recipes import Recipe

RECIPES = tonj_recipes.RECIPES | tonj_house_recipes.RECIPES | trix_recipes.RECIPES


def record(name: str, recipe: Recipe, seed: int) -> golden.Golden | None:
    """One match by chance; None if it grows too long. The deal is the core's own draw."""
    chance = recipe.chance(random.Random(seed))
    match = Match(recipe.request, "golden", recipe.sealer)
    create = {"create": json_format.MessageToDict(recipe.request), "at": match.now_ms}
    records = [create | stored(match, golden.sent_first(match.payloads[0]))]
    while not match.over:
        if len(records) >= recipe.most_records:
            return None
        clock = match.due
        command, draft = chance.turn(match)
        match.now_ms = command.at_ms
        match.commit(draft)
        records.append(command.json(clock) | stored(match, golden.sent_with(match.table, draft)))
    return finished(name, match, records)


def stored(match: Match, sent: str) -> Json:
    """What a record's line holds besides its command and its events."""
    return {
        "sequence": match.table.sequence,
        "digest": golden.digest(match.table),
        "sent": sent,
        "payload": match.payloads[-1].hex(),
    }


def finished(name: str, match: Match, records: list[Json]) -> golden.Golden:
    """The match with its events and its last line, which are told when it is over."""
    pages = golden.replay(match.payloads)
    events = iter(golden.replayed(pages))
    for number, line in enumerate(records):
        first = records[number - 1]["sequence"] if number else 0
        line["events"] = [json_format.MessageToDict(next(events)) for _ in range(line["sequence"] - first)]
    told = match_service_pb2.GetReplayResponse.FromString(pages[0])
    end: Json = {"seed": told.deal_seed.hex(), "entropies": [entropy.hex() for entropy in told.entropies]}
    match_so_far = golden.Golden(name, records, end)
    answer = judges.rust(match_so_far.line())
    end |= {"outcome": answer["outcome"], "position": answer["position"], "replay": golden.hash_of(pages)}
    return match_so_far


def main(name: str) -> None:
    """Records the shortest of the matches that fit."""
    path = golden.FOLDER / f"{name}.jsonl"
    if path.exists():
        sys.exit(f"{path} stands, and is never rewritten")
    recipe, found, seed = RECIPES[name], list[golden.Golden](), 0
    while len(found) < recipe.candidates:
        seed += 1
        match = record(name, recipe, seed)
        if match and recipe.fits(recipe.seen(match.records), match.end):
            found.append(match)
            print(f"{seed}: {len(match.records)} records", file=sys.stderr)
    best = min(found, key=lambda match: len(json.dumps(match.records)))
    lines = [*best.records, best.end]
    path.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])

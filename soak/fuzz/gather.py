"""`python -m soak.fuzz.gather`: the first inputs of seeds/fuzz, from what was really played, and mutants of them.

Run once for each new kind of input. It adds files and touches none that is there.
"""

import itertools
import json
import pathlib

from google.protobuf import json_format

from majlis import _core
from majlis.v1 import match_service_pb2
from soak.fuzz import corpus
from soak.fuzz.corpus import Parts
from soak.fuzz.doors import DOORS, SEALER
from soak.fuzz.run import kept, mutants

SEEDS = corpus.FOLDER.parent
RECORDS = 40
"""Of a long log, so many are taken from its beginning."""
LONGEST = 60
"""Records of a log that is taken as a replay, whole."""
MUTANTS = 4_000
"""At each door; kept is the first that meets something new, where its file stays small."""
MOST_BYTES = 8_192


def main() -> None:
    """Adds what is missing and says how much there is."""
    for path in sorted((SEEDS / "golden").glob("*.jsonl")):
        _from_match(path)
    for path in sorted((SEEDS / "verdicts").glob("*/*.jsonl")):
        first = path.read_bytes().split(b"\n")[0]
        corpus.keep("positions", (first,), path.stem)
    for game in ("tonj", "tonj_house", "trix"):
        _actions(game)
    for door in DOORS:
        met = {word for one in kept(door) for word in one.said}
        for one in itertools.islice(mutants(door, 0), MUTANTS):
            if not one.said <= met and sum(map(len, one.parts)) <= MOST_BYTES:
                met |= one.said
                corpus.keep(door, one.parts, "mutant")
        print(f"{door}: {sum(1 for _ in corpus.read(door))} inputs")


def _from_match(path: pathlib.Path) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    payloads: Parts = tuple(bytes.fromhex(line["payload"]) for line in lines[:-1])
    corpus.keep("records", payloads[:RECORDS], path.stem)
    if len(payloads) <= LONGEST:
        corpus.keep("replays", _pages(payloads), path.stem)


def _actions(game: str) -> None:
    """The first action of each kind that was played in a game."""
    known = set()
    for path in sorted((SEEDS / "golden").glob(f"{game}-*.jsonl")):
        for line in map(json.loads, path.read_text().splitlines()):
            action = line.get("action")
            if action is None or (kind := next(iter(action))) in known:
                continue
            known.add(kind)
            asked = action if kind == "resign" else {game: action}
            request = match_service_pb2.SubmitActionRequest(match_id="m-1", request_id="r")
            json_format.ParseDict(asked, request)
            corpus.keep("actions", (request.SerializeToString(deterministic=True),), f"{game}-{kind}")


def _pages(payloads: Parts) -> Parts:
    pages, after = [], 0
    while True:
        page, after = _core.replay(payloads, SEALER, after, 25)
        pages.append(page)
        if not after:
            return tuple(pages)


if __name__ == "__main__":
    main()

"""The counts of seeds/perft, made again by the oracle as deep as it can; `make perft` counts them whole."""

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.rules import judges

FOLDER = pathlib.Path(__file__).parents[2] / "seeds" / "perft"
MOST_NODES = {"tonj": 300, "tonj_house": 300, "trix": 2_000}
"""Of the deepest count that is made of an entry, and of those on the way there."""


def entries(path: pathlib.Path) -> Iterator[tuple[str, dict[str, Any], str, int, int]]:
    """Of each entry of a file the deepest count of each kind that is small enough: id, position, kind, depth, nodes."""
    name, position = "", {}
    large: set[tuple[str, str]] = set()
    chosen: dict[tuple[str, str], tuple[str, dict[str, Any], str, int, int]] = {}
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "id":
            name = f"{path.stem}-{rest}"
        elif word == "position":
            position = json.loads(rest)
        elif word in ("legal", "faults"):
            depth, nodes = map(int, rest.split())
            if nodes > MOST_NODES[path.stem]:
                large.add((name, word))
            if (name, word) not in large or (word, depth) == ("faults", 1):
                chosen[name, word] = (name, position, word, depth, nodes)
    yield from chosen.values()


ENTRIES = [entry for path in sorted(FOLDER.glob("*.txt")) for entry in entries(path)]


def below(game: Any, faults: bool) -> Iterator[Any]:
    """The tables one ply on."""
    for seat, action in game.attempts() if faults and not game.outcome() else game.plies():
        after = game.copy()
        verdict = after.act(seat, action)["verdict"]
        if verdict in ("accepted", "penalty"):
            yield after
        elif verdict == "claim_opened":
            expired = after.copy()
            after.act(1 - seat, {"callTonj": {}})
            expired.expire("claim")
            yield from (after, expired)


def count(game: Any, depth: int, faults: bool) -> int:
    if depth == 0:
        return 1
    return sum(count(after, depth - 1, faults) for after in below(game, faults))


@pytest.mark.parametrize(
    ("name", "position", "kind", "depth", "nodes"),
    ENTRIES,
    ids=[f"{entry[0]}-{entry[2]}-{entry[3]}" for entry in ENTRIES],
)
def test_counts(name: str, position: dict[str, Any], kind: str, depth: int, nodes: int) -> None:
    assert count(judges.table(position), depth, kind == "faults") == nodes

"""What a golden match is wanted for, and how to come by one. The recipes of a game stand in a file of its own."""

import dataclasses
import random
from collections.abc import Callable, Iterable
from typing import Any

from majlis import _core
from majlis.v1 import matchmaking_service_pb2
from tests.rules import matches

Json = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Recipe:
    """Which match is wanted, and how to come by one."""

    request: matchmaking_service_pb2.CreateMatchRequest
    chance: Callable[[random.Random], matches.Chance]
    fits: Callable[[set[str], Json], bool]
    """Given what happened (`happenings`) and the last line."""
    most_records: int
    sealer: _core.Sealer = dataclasses.field(default_factory=_core.Sealer)
    candidates: int = 8
    """The shortest of so many that fit is taken."""
    happenings: Callable[[list[Json]], Iterable[str]] = lambda records: ()
    """What is telling in this game besides."""

    def seen(self, records: list[Json]) -> set[str]:
        return happenings(records) | set(self.happenings(records))


def happenings(records: list[Json]) -> set[str]:
    """The events by name, and the clocks that ran out; of closed claims also their class and how they closed."""
    found = set()
    for event in (event for record in records for event in record["events"]):
        [kind] = event.keys() - {"sequence", "time"}
        content = event[kind]
        if kind in ("tonj", "tonjHouse", "trix"):
            [(kind, content)] = content.items()
        found.add(kind)
        if kind == "claimResolved":
            found.add(f"{content['faultClass']} {'called' if content.get('called') else 'expired'}")
        elif kind == "timedOut":
            found.add(content["kind"])
    return found | {f"expire {record['expire']}" for record in records if "expire" in record}

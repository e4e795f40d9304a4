"""A duel: the same random attempts, good and faulty, judged by the server's rules and by the oracle.

A table is played in chapters. A chapter is judged in one line from its start, with what its steps leave behind; then
play goes on from the printed position, so every position that play leads to can also be judged from. What
a position does not hold (Tonj's repetitions, T27; Trix's seats that were given up, X17) is forgotten there by both.
"""

import dataclasses
import json
import random
from collections import Counter
from typing import Any

from tests.oracle.games import GAMES
from tests.rules import judges
from tests.rules.judges import Json


@dataclasses.dataclass(frozen=True)
class Manner:
    """How a game is dueled. The work of a chapter grows with its length times the lines that are judged of it."""

    seats: int
    numbers: tuple[int, ...]
    """Hands or deals to begin with, the likelier ones more than once."""
    longest_chapter: int
    looks: float
    """The chance of a step to have the line so far judged; the last one always has."""
    deal_steps: tuple[int, int]
    """Attempts at a table that was dealt, in an ordinary run and at length; and..."""
    table_steps: tuple[int, int]
    """...at a small one."""


MANNERS = {
    "tonj": Manner(
        seats=2, numbers=(1, 1, 1, 2, 7), longest_chapter=120, looks=1, deal_steps=(60, 400), table_steps=(60, 400)
    ),
    "tonj_house": Manner(
        seats=2, numbers=(1,), longest_chapter=120, looks=0.3, deal_steps=(60, 1_200), table_steps=(40, 400)
    ),
    "trix": Manner(
        seats=4, numbers=(1,), longest_chapter=60, looks=0.02, deal_steps=(4_000, 4_000), table_steps=(60, 400)
    ),
}


class Disagreement(AssertionError):
    """The judges part. The text ends with the shortest line on which they do."""


@dataclasses.dataclass
class Duel:
    """Attempts on one table of a game after another; `seen` counts what came about."""

    name: str
    rng: random.Random
    seen: "Counter[str]" = dataclasses.field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rules = GAMES[self.name]
        self.manner = MANNERS[self.name]

    def dealt(self, most: int) -> None:
        """A match from the deal on: at most so many attempts, a few more than it lasts."""
        entropies = [self.entropy() for _ in range(self.rng.randint(0, self.manner.seats))]
        options = self.rules.tables.random_options(self.rng)
        seed, number = self.rng.randbytes(32).hex(), self.rng.choice(self.manner.numbers)
        self.play(self.rules.Game.deal(seed, entropies, options, number), most)

    def entropy(self) -> str:
        return self.rng.randbytes(self.rng.choice([0, 1, 32, 255])).hex()

    def small(self, most: int) -> None:
        """A small table: at most so many attempts, a few more than it lasts."""
        position = self.rules.tables.random_table(self.rng)
        self.play(self.rules.Game.from_position(position), most)

    def play(self, game: Any, most: int) -> None:
        left = most
        while left > 0:
            length = min(left, self.rng.randint(1, self.manner.longest_chapter))
            left -= length
            self.chapter(game, length)
            if game.outcome():
                return
            game = judges.table(game.to_position())

    def chapter(self, game: Any, length: int) -> None:
        """Steps from the game's position on, until a little after an outcome."""
        start = game.to_position()
        text = json.dumps(start)
        steps: list[Json] = []
        results: list[Json] = []
        after_end = 0
        while len(steps) < length and after_end < 3:
            steps.append(self.rules.play.random_action(game, self.rng))
            results.append(judges.step(game, steps[-1]))
            self.note(steps[-1], results[-1], game)
            after_end += bool(game.outcome())
            if len(steps) == length or after_end == 3 or self.rng.random() < self.manner.looks:
                line = f'{{"id":"duel","legal":true,"position":{text},"steps":{json.dumps(steps)}}}'
                if found := judges.difference(judges.rust(line), answer(game, results)):
                    raise Disagreement(f"rules / oracle: {found}\n{shortest(start, steps)}")

    def note(self, step: Json, result: Json, game: Any) -> None:
        self.seen["attempts"] += 1
        self.seen[result["verdict"] + result.get("class", "")] += 1
        if result["verdict"] == "accepted":
            self.seen[f"expire {step['expire']}" if "expire" in step else next(iter(step["action"]))] += 1
        else:
            self.seen[result.get("reason", "")] += 1
        if outcome := game.outcome():
            self.seen[outcome["reason"]] += 1
            self.seen["match over"] += outcome["match_over"]


def answer(game: Any, results: list[Json]) -> Json:
    """What the oracle would print after these results."""
    return {
        "results": results,
        "position": game.to_position(),
        "outcome": game.outcome(),
        "legal": game.legal_actions(),
    }


def shortest(start: Json, steps: list[Json]) -> str:
    """The line with the fewest of the last steps, from where they begin, on which the judges still part.

    Steps after the one on which they part first are left out.
    """
    end = next(end for end in range(1, len(steps) + 1) if part(judges.line(start, steps[:end])))
    positions, game = [start], judges.table(start)
    for step in steps[: end - 1]:
        judges.step(game, step)
        positions.append(game.to_position())
    lines = (judges.line(positions[first], steps[first:end]) for first in reversed(range(end)))
    return next(filter(part, lines))


def part(line: str) -> bool:
    return judges.difference(judges.rust(line), judges.oracle(line)) is not None

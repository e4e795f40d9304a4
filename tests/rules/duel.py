"""A duel: the same random attempts, good and faulty, judged by the server's rules and by the oracle, step by step.

The repetition history (T27) starts empty at a position, so each step is judged with all the steps before it. Now and
then a duel goes on from the printed position instead: every position that play leads to can also be judged from.
"""

import dataclasses
import json
import random
from collections import Counter
from typing import Any

from tests.oracle import play, tables
from tests.oracle.judge import take_step
from tests.oracle.tonj import Game
from tests.rules import judges
from tests.rules.judges import Json

LONGEST_CHAPTER = 120
"""Steps from one position; the work is quadratic in them."""

TARGETS = [0, 0, 1, 25, 60, 200]
CLAIMS = [0, 1, 2, 3, 5]
TRANSFERS = [0, 1, 2, 4, 30]
POLICIES = [0, 1, 2, "TIMEOUT_POLICY_FINISH_TURN", "TIMEOUT_POLICY_ONE_ACTION", "TIMEOUT_POLICY_ONE_ACTION"]


class Disagreement(AssertionError):
    """The judges part. The text ends with the shortest line on which they do."""


@dataclasses.dataclass
class Duel:
    """Attempts on one table after another; `seen` counts what came about."""

    rng: random.Random
    seen: "Counter[str]" = dataclasses.field(default_factory=Counter)

    def match(self, most: int) -> None:
        """One table, dealt or small: at most so many attempts, a few more than the hand or the match lasts."""
        game = Game.deal(*self.dealt()) if self.rng.random() < 0.3 else self.small()  # type: ignore[no-untyped-call]
        left = most
        while left > 0:
            length = min(left, self.rng.randint(1, LONGEST_CHAPTER))
            left -= length
            self.chapter(game, length)
            if game.outcome():
                return
            game = Game.from_position(game.to_position())  # type: ignore[no-untyped-call]

    def dealt(self) -> tuple[str, list[str], Json, int]:
        """Seed, entropies, options and number of a hand to deal."""
        entropies = [self.rng.randbytes(self.rng.choice([0, 1, 32, 255])).hex() for _ in range(self.rng.randrange(3))]
        return self.rng.randbytes(32).hex(), entropies, self.options(), self.rng.choice([1, 1, 1, 2, 7])

    def options(self) -> Json:
        """Any settings, under either spelling, some left out."""
        options = {
            self.rng.choice(["targetPoints", "target_points"]): self.rng.choice(TARGETS),
            "turnSeconds": self.rng.choice([0, 1, 30, "604800"]),
            "claimWindowMs": self.rng.choice([0, 100, 60_000]),
            "maxClaimsPerTurn": self.rng.choice(CLAIMS),
            self.rng.choice(["maxTransfersPerTurn", "max_transfers_per_turn"]): self.rng.choice(TRANSFERS),
            self.rng.choice(["timeoutPolicy", "timeout_policy"]): self.rng.choice(POLICIES),
            "showLegalMoves": self.rng.random() < 0.5,
        }
        return {name: value for name, value in options.items() if self.rng.random() < 0.6}

    def small(self) -> Any:
        position = tables.random_table(self.rng)  # type: ignore[no-untyped-call]
        if self.rng.random() < 0.5:
            position["options"] = {**position.get("options", {}), **self.rng.choice([{}, {"targetPoints": 1}])}
        return Game.from_position(position)  # type: ignore[no-untyped-call]

    def chapter(self, game: Any, length: int) -> None:
        """Steps from the game's position on, each judged with those before it, until a little after an outcome."""
        positions, steps, after_end = [game.to_position()], list[Json](), 0
        start = json.dumps(positions[0])
        texts: list[str] = []
        results: list[Json] = []
        for _ in range(length):
            step = self.attempt(game)
            result = take_step(game, step)  # type: ignore[no-untyped-call]
            steps.append(step)
            texts.append(json.dumps(step))
            results.append(result)
            positions.append(game.to_position())
            ours = judges.rust(f'{{"id":"duel","legal":true,"position":{start},"steps":[{",".join(texts)}]}}')
            theirs = {
                "results": results,
                "position": positions[-1],
                "outcome": game.outcome(),
                "legal": game.legal_actions(),
            }
            if found := judges.difference(ours, theirs):
                raise Disagreement(f"rules / oracle: {found}\n{shortest(positions, steps)}")
            self.note(step, result, game)
            if game.outcome():
                after_end += 1
                if after_end > 3:
                    return

    def attempt(self, game: Any) -> Json:
        """The next step; once the hand is over often a resignation, which is accepted while the match is not (T41)."""
        if game.outcome() and self.rng.random() < 0.3:
            return {"seat": self.rng.randrange(2), "action": {"resign": {}}}
        step: Json = play.random_action(game, self.rng)  # type: ignore[no-untyped-call]
        return step

    def note(self, step: Json, result: Json, game: Any) -> None:
        self.seen["attempts"] += 1
        self.seen[result["verdict"] + result.get("class", "")] += 1
        if result["verdict"] == "accepted":
            self.seen[f"expire {step['expire']}" if "expire" in step else next(iter(step["action"]))] += 1
        if game.outcome():
            self.seen[game.outcome()["reason"]] += 1


def shortest(positions: list[Json], steps: list[Json]) -> str:
    """The line with the fewest of the last steps on which the judges still part."""
    for start in reversed(range(len(steps))):
        line = judges.line(positions[start], steps[start:])
        if judges.difference(judges.rust(line), judges.oracle(line)):
            return line
    return judges.line(positions[0], steps)

"""OpenSpiel's `hearts` driven from Python: the yardstick for the rules, where it is installed.

It is no dependency of this project: `pip install open-spiel` puts it here, or the environment variable PYSPIEL_PYTHON
names an interpreter that has it.
"""

import dataclasses
import json
import os
import subprocess
import sys

_LOOP = """
import json, random, time
import pyspiel

game = pyspiel.load_game("hearts")
chance = random.Random(1)
chosen, applied = [], []
for _ in range({games}):
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    again, actions = state.clone(), []
    begin = time.perf_counter()
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        state.apply_action(action)
        actions.append(action)
    chosen.append(len(actions) / (time.perf_counter() - begin))
    begin = time.perf_counter()
    for action in actions:
        again.apply_action(action)
    applied.append(len(actions) / (time.perf_counter() - begin))
print(json.dumps({{"applied": applied, "chosen": chosen}}))
"""


@dataclasses.dataclass(frozen=True, slots=True)
class Hearts:
    """Decisions a second, an entry a game."""

    applied: list[float]
    """One call a decision: actions that were chosen before are played again."""
    chosen: list[float]
    """Two calls a decision: what is legal, and one of it, chosen by chance."""


def hearts(games: int) -> Hearts | None:
    """Plays so many games; None where OpenSpiel is not installed."""
    python = os.environ.get("PYSPIEL_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import pyspiel"], check=False, capture_output=True).returncode:
        return None
    loop = _LOOP.format(games=games)
    told = subprocess.run([python, "-c", loop], check=True, capture_output=True, text=True).stdout
    return Hearts(**json.loads(told))

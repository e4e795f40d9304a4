"""OpenSpiel's `hearts` driven from Python: the yardstick for the rules, where it is installed.

It is no dependency of this project: `pip install open-spiel` puts it here, or the environment variable PYSPIEL_PYTHON
names an interpreter that has it.
"""

import json
import os
import subprocess
import sys

_LOOP = """
import json, random, time
import pyspiel

game = pyspiel.load_game("hearts")
chance = random.Random(1)
rates = []
for words in {words}:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    legal_actions, apply_action, is_terminal = state.legal_actions, state.apply_action, state.is_terminal
    begin = time.perf_counter()
    for made, word in enumerate(words, 1):
        actions = legal_actions()
        apply_action(actions[word % len(actions)])
        if is_terminal():
            break
    rates.append(made / (time.perf_counter() - begin))
print(json.dumps(rates))
"""


def hearts(stories: list[list[int]]) -> list[float] | None:
    """Decisions a second, an entry a game; each game's decisions are chosen by one list of words.

    Dealing is left out. None where OpenSpiel is not installed.
    """
    python = os.environ.get("PYSPIEL_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import pyspiel"], check=False, capture_output=True).returncode:
        return None
    loop = _LOOP.format(words=json.dumps(stories))
    told = subprocess.run([python, "-"], input=loop, check=True, capture_output=True, text=True).stdout
    rates: list[float] = json.loads(told)
    return rates

"""One line of judge input in, one answer out: `python -m tests.oracle.judge < cases.jsonl`.

The exit status is 1 if any line errored.
"""

import json
import sys

from tests.oracle.games import GAMES
from tests.oracle.position import Impossible
from tests.oracle.verdict import refused


def table(position):
    """The game of a position. Raises Impossible."""
    if not isinstance(position, dict):
        raise Impossible("a position is an object")
    game = position.get("game")
    if not isinstance(game, str) or game not in GAMES:
        raise Impossible(f"game: one of {', '.join(GAMES)} was expected")
    return GAMES[game].Game.from_position(position)


def take_step(game, step):
    """The verdict on {"seat", "action"} or {"expire": clock}; a step of another form is a malformed action."""
    if isinstance(step, dict) and set(step) == {"expire"}:
        return game.expire(step["expire"])
    if isinstance(step, dict) and set(step) == {"seat", "action"} and type(step["seat"]) is int:
        return game.act(step["seat"], step["action"])
    return refused("MALFORMED_ACTION")


def judge(line):
    """The answer to one line of text."""
    try:
        case = json.loads(line)
    except json.JSONDecodeError as fault:
        return {"id": None, "error": f"no JSON: {fault}"}
    if not isinstance(case, dict):
        return {"id": None, "error": "an object was expected"}
    name, steps = case.get("id"), case.get("steps", [])
    steps = [] if steps is None else steps
    if not isinstance(steps, list):
        return {"id": name, "error": "steps: a list was expected"}
    try:
        game = table(case.get("position"))
    except Impossible as fault:
        return {"id": name, "error": str(fault)}
    answer = {"id": name, "results": [take_step(game, step) for step in steps]}
    answer["position"] = game.to_position()
    answer["outcome"] = game.outcome()
    if case.get("legal"):
        answer["legal"] = game.legal_actions()
    return answer


def main():
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    errored = False
    for line in sys.stdin:
        if not line.strip():
            continue
        answer = judge(line)
        errored = errored or "error" in answer
        print(json.dumps(answer, separators=(",", ":")), flush=True)
    return 1 if errored else 0


if __name__ == "__main__":
    sys.exit(main())

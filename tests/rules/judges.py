"""Both judges behind one face: the rules of the server, and the slow oracle. Lines and answers as JSON objects."""

import json
from collections.abc import Callable
from typing import Any

from majlis import _core
from tests.oracle import judge as oracle_judge

Json = dict[str, Any]
Judge = Callable[[str], Json]


def rust(line: str) -> Json:
    """The answer of the server's rules to one line of text."""
    text, errored = _core.judge_line(line)
    answer: Json = json.loads(text)
    assert errored == ("error" in answer)
    return answer


def oracle(line: str) -> Json:
    """The oracle's answer to the same line."""
    answer: Json = oracle_judge.judge(line)  # type: ignore[no-untyped-call]
    return answer


def step(game: Any, step: Json) -> Json:
    """The oracle's verdict on a step at a game of its own, which it may change."""
    result: Json = oracle_judge.take_step(game, step)  # type: ignore[no-untyped-call]
    return result


def table(position: Json) -> Any:
    """A game of the oracle's from a position."""
    return oracle_judge.table(position)  # type: ignore[no-untyped-call]


def line(position: Json, steps: list[Json], name: str = "case", legal: bool = True) -> str:
    """A line of judge input; `legal` asks for the legal actions in the end."""
    return json.dumps({"id": name, "legal": legal, "position": position, "steps": steps})


def difference(ours: Json, theirs: Json) -> str | None:
    """Where two answers part, or None. Reasons of refusals and texts of errors are each judge's own."""
    if "error" in ours or "error" in theirs:
        return None if "error" in ours and "error" in theirs else f"only one is an error: {ours} / {theirs}"
    for number, (our, their) in enumerate(zip(ours["results"], theirs["results"], strict=True)):
        if verdict(our) != verdict(their):
            return f"results[{number}]: {our} / {their}"
    over = bool(ours["outcome"]) and ours["outcome"]["match_over"]
    return first_difference(meant(ours, over), meant(theirs, over))


def verdict(result: Json) -> tuple[str, str | None]:
    return result["verdict"], result.get("class")


def meant(answer: Json, over: bool) -> Json:
    """What two answers must share; once the match is over, turn_seat and turn_number mean nothing."""
    ignored = {"turn_seat", "turn_number"} if over else set()
    position = {key: value for key, value in answer["position"].items() if key not in ignored}
    return {"outcome": answer["outcome"], "legal": answer.get("legal"), "position": position}


def first_difference(ours: Json, theirs: Json, where: str = "") -> str | None:
    for key in sorted(ours.keys() | theirs.keys()):
        our, their = ours.get(key), theirs.get(key)
        if our == their:
            continue
        if isinstance(our, dict) and isinstance(their, dict):
            return first_difference(our, their, f"{where}{key}.")
        return f"{where}{key}: {json.dumps(our)} / {json.dumps(their)}"
    return None

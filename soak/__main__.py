"""`python -m soak`: every scenario, a table each; exits with 1 when something did not hold."""

import argparse
import asyncio
import pathlib
import sys
import tempfile
from collections.abc import Callable, Coroutine
from typing import Any

import uvloop

from bench import machine
from soak import findings
from soak.findings import Finding
from soak.fuzz import hunt
from soak.load import crowd, disconnects, many, overload, site, stalled

Scenario = Callable[[site.Site], Coroutine[Any, Any, list[Finding]]]

DIRECTORY = pathlib.Path("var/soak")
SCENARIOS = ("many", "stalled", "disconnects", "crowd", "overload", "fuzz")
LEAST_ROUNDS = 3
"""Of a stalled reader: with and without him, in turns."""


def main() -> None:
    """Runs what was asked for."""
    arguments = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    arguments.add_argument("only", nargs="*", metavar="WHAT", help=f"of {', '.join(SCENARIOS)}; all without any")
    arguments.add_argument(
        "--minutes", type=float, default=5.0, help="how long each lasts that can go on, 5 without it"
    )
    arguments.add_argument("--scale", type=float, default=1.0, help="part of the matches and callers, 1 without it")
    arguments.add_argument("--number", type=int, help="what fuzz begins with, to repeat a run")
    asked = arguments.parse_args()
    if wrong := set(asked.only) - set(SCENARIOS):
        arguments.error(f"there is no {', '.join(sorted(wrong))}")
    here = machine.described()
    print(", ".join(f"{name} {value}" for name, value in here.items()))
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    seconds = 60 * asked.minutes
    held = [_run(what, asked.scale, seconds, asked.number) for what in asked.only or SCENARIOS]
    sys.exit(0 if all(held) else 1)


def _run(what: str, scale: float, seconds: float, number: int | None) -> bool:
    match what:
        case "many":
            return _loaded("Many matches", (), lambda at: many.many(at, scale, seconds))
        case "stalled":
            rounds = max(LEAST_ROUNDS, round(seconds / stalled.TURN_SECONDS / 2))
            return _loaded("A stalled reader", stalled.FLAGS, lambda at: stalled.stalled(at, scale, rounds))
        case "disconnects":
            return _loaded("Disconnects", disconnects.FLAGS, lambda at: disconnects.disconnects(at, scale))
        case "crowd":
            return _loaded("A crowd", crowd.flags(scale), lambda at: crowd.crowd(at, scale))
        case "overload":
            turn = seconds / (len(overload.LADDER) + 2)
            return _loaded("Overload", overload.FLAGS, lambda at: overload.overload(at, scale, turn))
        case _:
            tried, found = hunt.hunt(seconds, number)
            told = [findings.most(f"finds in {tried:,} inputs", len(found), 0)]
            for find in found:
                print(f"  {find}")
            return findings.told("Arbitrary bytes", told)


def _loaded(title: str, flags: tuple[str, ...], scenario: Scenario) -> bool:
    """A scenario on a server of its own."""
    # On the disk of the tree, and not in a /tmp that may be memory.
    with (
        tempfile.TemporaryDirectory(dir=DIRECTORY) as scratch,
        site.served(pathlib.Path(scratch), *flags) as at,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return findings.told(title, runner.run(scenario(at)))


if __name__ == "__main__":
    main()

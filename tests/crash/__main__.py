"""`python -m tests.crash --minutes N`: one run after another, each with a seed of its own, until the time is over."""

import argparse
import asyncio
import functools
import pathlib
import sys
import tempfile
import time

from tests.crash.asking import Broken
from tests.crash.run import Run
from tests.crash.storm import Storm

SECONDS_A_RUN = 120.0


async def soak(minutes: float, seed: int, tables: int, guests: int) -> None:
    """Raises Broken when a run does."""
    end = time.monotonic() + 60 * minutes
    while (left := end - time.monotonic()) > 0:
        with tempfile.TemporaryDirectory(prefix="majlis-crash-") as data:
            run = Run(pathlib.Path(data), seed, tables=tables, guests=guests)
            seconds = min(left, SECONDS_A_RUN)
            await run.through(functools.partial(Storm.rage, seconds=seconds))
            print(run.summary(), flush=True)
        seed += 1


def main() -> int:
    """Exit status 1 when something is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long; a run that has begun is finished")
    parser.add_argument("--seed", type=int, default=1, help="of the first run; the others count on")
    parser.add_argument("--tables", type=int, default=9, help="matches at once")
    parser.add_argument("--guests", type=int, default=12, help="who come to matches of their own by the lobby")
    asked = parser.parse_args()
    try:
        asyncio.run(soak(asked.minutes, asked.seed, asked.tables, asked.guests))
    except Broken as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

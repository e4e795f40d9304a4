"""Batches of mutants for as long as one likes, door by door and number by number, each in a process of its own."""

import itertools
import json
import pathlib
import secrets
import subprocess
import sys
import tempfile
import time

from soak.fuzz import corpus
from soak.fuzz.doors import DOORS

BATCH = 5_000
LONGEST = 600.0
"""Seconds that a batch may take."""


def hunt(seconds: float, number: int | None = None) -> tuple[int, list[str]]:
    """How many inputs were tried, and what was found. Finds are kept in the corpus, and fail its test until mended.

    Without a number it begins with one of chance, which it prints: with that, it does the same again.
    """
    first = secrets.randbelow(2**32) if number is None else number
    print(f"  fuzz: numbers from {first}", flush=True)
    end = time.monotonic() + seconds
    found: list[str] = []
    for place in itertools.count():
        door = tuple(DOORS)[place % len(DOORS)]
        found += _batch(door, first + place // len(DOORS))
        if time.monotonic() >= end and place + 1 >= len(DOORS):
            return (place + 1) * BATCH, found
    raise AssertionError("unreachable")


def _batch(door: str, number: int) -> list[str]:
    with tempfile.TemporaryDirectory() as scratch:
        last = pathlib.Path(scratch) / "last"
        command = [sys.executable, "-m", "soak.fuzz.batch", door, str(number), str(BATCH)]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=LONGEST, check=False)
            if done.returncode == 0:
                return [
                    f"{door} {number}: {find['what']} ({find['file']})"
                    for find in map(json.loads, done.stdout.splitlines())
                ]
            if done.returncode > 0:
                raise subprocess.CalledProcessError(done.returncode, command)  # a fault of the hunt itself
            why = f"the process was ended by signal {-done.returncode}"
            # Once more with each input written down first, which is too slow for every batch.
            subprocess.run([*command, "--last", str(last)], stdout=subprocess.DEVNULL, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            why = f"no end within {LONGEST:.0f} s"
        kept = corpus.keep_text(door, last.read_bytes(), "find") if last.exists() else None
        return [f"{door} {number}: {why} ({kept})"]

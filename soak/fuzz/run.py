"""Fuzzing by a number: inputs of the corpus, mutated, at every door in turn; what a door must not do is a find.

Finds are a panic, any exception that the door does not promise, a broken promise of its own, and an input that takes
longer than any should.
"""

import dataclasses
import random
import time
from collections.abc import Callable, Iterator

from soak.fuzz import corpus, mutate
from soak.fuzz.corpus import Parts
from soak.fuzz.doors import DOORS, Said

PATIENCE = 5.0
"""Seconds in which a door must have answered; by far more than the longest log takes."""


@dataclasses.dataclass(frozen=True, slots=True)
class Find:
    """An input that a door did not take as it must."""

    door: str
    parts: Parts
    what: str
    """The exception and its text."""


@dataclasses.dataclass(frozen=True, slots=True)
class Tried:
    """One input."""

    door: str
    parts: Parts
    said: Said
    """What came of it."""
    find: Find | None


def tried(door: str, parts: Parts) -> Tried:
    """What comes of an input."""
    begun = time.monotonic()
    try:
        said = DOORS[door](parts)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # a panic that slips through is no Exception
        what = f"{type(error).__name__}: {error}"
        return Tried(door, parts, frozenset({what}), Find(door, parts, what))
    if (lasted := time.monotonic() - begun) > PATIENCE:
        return Tried(door, parts, said, Find(door, parts, f"took {lasted:.1f} s"))
    return Tried(door, parts, said, None)


def kept(door: str) -> Iterator[Tried]:
    """The corpus of a door as it is."""
    return (tried(door, parts) for _, parts in corpus.read(door))


def mutants(door: str, number: int, before: Callable[[Parts], object] | None = None) -> Iterator[Tried]:
    """Inputs made from a door's corpus by this number, without end; each is told `before` it is tried.

    What met something new is built upon.
    """
    chance = random.Random(f"{door} {number}")
    pool = [parts for _, parts in corpus.read(door)]
    met = {word for parts in pool for word in tried(door, parts).said}
    while True:
        parts = mutate.mutated(door, chance, chance.choice(pool), pool)
        if before is not None:
            before(parts)
        one = tried(door, parts)
        if not one.said <= met:
            met |= one.said
            pool.append(one.parts)
        yield one

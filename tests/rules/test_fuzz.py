"""The corpus of seeds/fuzz and thousands of mutants of it: the core takes whatever comes, and never panics.

What single damages come to stands in test_core_damage.py; what calls make of random bytes, in tests/api.
"""

import itertools
import pathlib
import random

import pytest

from majlis import _core
from soak.fuzz import corpus, mutate, run, wire
from soak.fuzz.corpus import Parts
from soak.fuzz.doors import DOORS, Said

MUTANTS = 2_000
EVERY_DOOR = pytest.mark.parametrize("door", DOORS)


@EVERY_DOOR
def test_the_corpus_is_taken(door: str) -> None:
    said: set[str] = set()
    for one in run.kept(door):
        assert one.find is None, one.find
        said |= one.said
    assert len(said) > 10, "a corpus that meets so little is no corpus"


@EVERY_DOOR
def test_mutants_are_taken(door: str) -> None:
    """The same in each run; `python -m soak fuzz` goes on with other numbers."""
    said: set[str] = set()
    for one in itertools.islice(run.mutants(door, 1), MUTANTS):
        assert one.find is None, one.find
        said |= one.said
    assert len(said) > 10


def test_mutants_get_past_the_first_look() -> None:
    said = {word for one in itertools.islice(run.mutants("records", 2), 500) for word in one.said}
    assert {"replayed", "drafted accepted"} & said
    assert any(word.startswith("damaged: the event does not follow") for word in said)


def test_a_number_makes_the_same_mutants_again() -> None:
    one, again = (list(itertools.islice(run.mutants("actions", 3), 200)) for _ in range(2))
    assert one == again
    assert one != list(itertools.islice(run.mutants("actions", 4), 200))


def panics(parts: Parts) -> Said:
    raise _core.Panicked(f"of {len(parts)}")


def dawdles(parts: Parts) -> Said:
    return frozenset({"done"})


def test_a_panic_is_a_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOORS, "records", panics)
    find = run.tried("records", (b"x",)).find
    assert find == run.Find("records", (b"x",), "Panicked: of 1")


def test_an_input_that_takes_too_long_is_a_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOORS, "records", dawdles)
    monkeypatch.setattr(run, "PATIENCE", -1.0)
    find = run.tried("records", (b"x",)).find
    assert find is not None
    assert "took" in find.what


@EVERY_DOOR
def test_what_is_kept_is_read_again(door: str, tmp_path: pathlib.Path) -> None:
    chance = random.Random(5)
    pool = [parts for _, parts in corpus.read(door)]
    for parts in [mutate.mutated(door, chance, chance.choice(pool), pool) for _ in range(200)]:
        path = corpus.keep(door, parts, "find", tmp_path)
        assert (path.stem, parts) in corpus.read(door, tmp_path)
        path.unlink()


def test_the_wire_format_is_read_and_written_alike() -> None:
    for _, parts in corpus.read("actions"):
        for part in parts:
            if fields := wire.read(part):
                assert wire.read(wire.written(fields)) == fields
    sound = [parts for name, parts in corpus.read("actions") if not name.startswith("mutant")]
    assert sound
    for parts in sound:
        assert wire.written(wire.read(parts[0])) == parts[0]

"""The inputs that are kept: seeds/fuzz/<door>/<name>.txt, a part a line.

A part is what a door takes several of: a record of a log, a page of a replay. It is written in hex, but for positions,
which are text.
"""

import hashlib
import pathlib
from collections.abc import Iterator

FOLDER = pathlib.Path(__file__).parents[2] / "seeds" / "fuzz"
TEXT = frozenset({"positions"})
"""Doors that take text."""

Parts = tuple[bytes, ...]


def read(door: str, folder: pathlib.Path = FOLDER) -> Iterator[tuple[str, Parts]]:
    """Every input of a door with its name, in the order of names."""
    for path in sorted((folder / door).glob("*.txt")):
        yield path.stem, _parts(door, path.read_bytes())


def keep(door: str, parts: Parts, why: str, folder: pathlib.Path = FOLDER) -> pathlib.Path:
    """Adds an input, named after why it is kept and what it is; the same one twice is one file."""
    name = f"{why}-{hashlib.sha256(b'|'.join(parts)).hexdigest()[:12]}.txt"
    path = folder / door / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text(door, parts))
    return path


def keep_text(door: str, text: bytes, why: str) -> pathlib.Path:
    """The same for an input as its file holds it."""
    return keep(door, _parts(door, text), why)


def text(door: str, parts: Parts) -> bytes:
    """An input as its file holds it."""
    return b"".join((part if door in TEXT else part.hex().encode()) + b"\n" for part in parts)


def _parts(door: str, text: bytes) -> Parts:
    lines = text.split(b"\n")[:-1]
    return tuple(lines if door in TEXT else (bytes.fromhex(line.decode()) for line in lines))

"""Matches as a real server sent them, written down so that the relay can send messages of the very same sizes."""

import dataclasses
import pathlib
import pickle


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """What one move caused: serialized messages."""

    answer: bytes
    """`SubmitActionResponse`."""
    updates: tuple[bytes, bytes]
    """`WatchMatchResponse`, by seat."""


@dataclasses.dataclass(frozen=True, slots=True)
class Script:
    """One match, from its making to its end."""

    created: bytes
    """`CreateMatchResponse`."""
    snapshots: tuple[bytes, bytes]
    """`WatchMatchResponse`, by seat."""
    steps: tuple[Step, ...]


def write(path: pathlib.Path, scripts: list[Script]) -> None:
    """Writes scripts for another process of this run."""
    path.write_bytes(pickle.dumps(scripts))


def read(path: pathlib.Path) -> list[Script]:
    """Reads what `write` wrote."""
    scripts: list[Script] = pickle.loads(path.read_bytes())
    return scripts

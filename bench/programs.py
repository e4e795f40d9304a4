"""The other processes of a run: starting them, talking to them, and reading their clocks and memory."""

import contextlib
import json
import pathlib
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import psutil

PATIENCE = 30.0
"""Seconds in which a program must have started, and in which it must have stopped."""


class Program:
    """A process that was started here, and is ended here."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._seen = psutil.Process(self._process.pid)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def cpu_seconds(self) -> float:
        """Processor time of all its threads so far, the kernel's for it included."""
        times = self._seen.cpu_times()
        return times.user + times.system

    def resident_bytes(self) -> int:
        """Its memory that is not swapped out."""
        return self._seen.memory_info().rss

    def tell(self, **command: Any) -> None:
        """Sends a line of JSON."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """The next line of JSON.

        Raises:
            EOFError: it ended instead; what went wrong stands on standard error.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"{self._process.args!r} ended")
        heard: dict[str, Any] = json.loads(line)
        return heard

    def ask(self, **command: Any) -> dict[str, Any]:
        """Sends a line and waits for the answer."""
        self.tell(**command)
        return self.hear()

    def end(self) -> None:
        """Asks it to stop, and waits."""
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[Program]:
    """`python -m` with these arguments; ended at the end of the `with`."""
    program = Program(*arguments)
    try:
        yield program
    finally:
        program.end()


@contextlib.contextmanager
def server(data: pathlib.Path, *flags: str) -> Iterator[tuple[Program, str]]:
    """The real server on a directory, with development tokens; and its address."""
    ready = data / "ready.json"
    addresses = ["--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--log-level", "warning"]
    files = ["--data", str(data), "--ready-file", str(ready)]
    with started("majlis", "serve", "--dev-identity", *addresses, *files, *flags) as program:
        end = time.monotonic() + PATIENCE
        while not ready.exists():
            if not program.running or time.monotonic() > end:
                raise EOFError("the server did not start")
            time.sleep(0.02)
        yield program, json.loads(ready.read_text())["listen"]


@contextlib.contextmanager
def relay(scripts: pathlib.Path) -> Iterator[tuple[Program, str]]:
    """The bare relay; and its address."""
    with started("bench.relay", str(scripts)) as program:
        yield program, program.hear()["listen"]


@contextlib.contextmanager
def clients(count: int) -> Iterator[Sequence[Program]]:
    """Processes of players."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(started("bench.client")) for _ in range(count)]


def ask_all(programs: Sequence[Program], **command: Any) -> list[dict[str, Any]]:
    """The same command to all at once; their answers in order."""
    for program in programs:
        program.tell(**command)
    return [program.hear() for program in programs]

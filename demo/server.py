"""A server of the demo's own: another process, on free ports, with a fresh store that is gone afterwards."""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import sys
import tempfile
from collections.abc import AsyncIterator

import grpc

from demo.caller import Caller
from demo.failure import Failure
from majlis.api import dev_identity
from majlis.api.caller import Role
from majlis.ops.settings import PREFIX

PATIENCE = 15.0
"""Seconds in which it must have started, and in which it must have stopped."""


SETTINGS = pathlib.Path(__file__).with_name("majlis.toml")


class Server:
    """A server that answers."""

    def __init__(self, listen: str, data: pathlib.Path, channel: grpc.aio.Channel) -> None:
        self.listen = listen
        self.channel = channel
        self._data = data

    def caller(self, name: str, role: Role = Role.PLAYER) -> Caller:
        """Somebody with a token."""
        return Caller(self.channel, name, self.token(name, role))

    def token(self, name: str, role: Role = Role.PLAYER, shown: str = "") -> str:
        """A token that is good for an hour, as `majlis token` makes it; others are shown the second name, if any."""
        return dev_identity.token(self._data, name, role, hours=1.0, name=shown)


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[Server]:
    """A server that runs inside the `async with`; whatever happens there, its process and its files are gone after it.

    Raises:
        Failure: it did not start, or it did not stop in order.
    """
    with tempfile.TemporaryDirectory(prefix="majlis-demo-") as scratch:
        data = pathlib.Path(scratch)
        log, ready = data / "log", data / "ready.json"
        with log.open("wb") as output:
            process = await asyncio.create_subprocess_exec(
                *_command(data, ready), env=_environment(), stderr=output, stdout=output
            )
        try:
            listen = await _address(process, ready, log)
            async with grpc.aio.insecure_channel(listen) as channel:
                yield Server(listen, data, channel)
            await _stop(process, log)
        finally:
            _signal(process, signal.SIGKILL)
            await process.wait()


def _command(data: pathlib.Path, ready: pathlib.Path) -> list[str]:
    addresses = ["--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
    files = ["--data", str(data), "--ready-file", str(ready), "--config", str(SETTINGS)]
    return [sys.executable, "-m", "majlis", "serve", "--dev-identity", *addresses, *files]


def _environment() -> dict[str, str]:
    """Ours without the operator's settings: the demo touches no store but its own."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


async def _address(process: asyncio.subprocess.Process, ready: pathlib.Path, log: pathlib.Path) -> str:
    try:
        async with asyncio.timeout(PATIENCE):
            while (listen := _told(ready)) is None:
                if process.returncode is not None:
                    raise Failure(f"the server did not start: {_last_line(log)}")
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise Failure(f"the server did not start within {PATIENCE:.0f} s: {_last_line(log)}") from None
    return listen


def _told(ready: pathlib.Path) -> str | None:
    if not ready.exists():
        return None
    listen: str = json.loads(ready.read_text())["listen"]
    return listen


async def _stop(process: asyncio.subprocess.Process, log: pathlib.Path) -> None:
    _signal(process, signal.SIGTERM)
    try:
        status = await asyncio.wait_for(process.wait(), PATIENCE)
    except TimeoutError:
        raise Failure(f"the server did not stop within {PATIENCE:.0f} s") from None
    if status:
        raise Failure(f"the server ended with status {status}: {_last_line(log)}")


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    # By asyncio's own way one that has just died is waited for on the spot, and asyncio then misses its status.
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)


def _last_line(log: pathlib.Path) -> str:
    lines = log.read_text(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")

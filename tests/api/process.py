"""The server as a process of its own, to be killed, stopped and kept from starting."""

import asyncio
import contextlib
import json
import pathlib
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc

from majlis.api.caller import Role
from tests.api.clients import PATIENCE, Client, bearer


class Process:
    """`python -m majlis serve` on a directory."""

    program: Sequence[str] = ("-m", "majlis")
    """What Python is to run: the program itself, or what starts it."""

    def __init__(self, data: pathlib.Path, *flags: str) -> None:
        self.data = data
        self.log: list[dict[str, Any]] = []
        self.listen = ""
        self.metrics = ""
        self._flags = flags
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns when it answers."""
        self.process = await asyncio.create_subprocess_exec(
            *command("serve", *self._flags, data=self.data, listen="127.0.0.1:0", program=self.program),
            stderr=asyncio.subprocess.PIPE,
        )
        ready: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._read(ready))
        addresses = await asyncio.wait_for(ready, PATIENCE)
        self.listen, self.metrics = addresses["listen"], addresses["metrics"]

    async def kill(self) -> None:
        """Ends it without a warning, as a power cut would."""
        self.process.kill()
        await self.ended()

    async def ended(self) -> int:
        """Its exit status, once it has ended and its whole log was read."""
        status = await asyncio.wait_for(self.process.wait(), PATIENCE)
        if self._reading is not None:
            await self._reading
        return status

    @contextlib.asynccontextmanager
    async def clients(self, *names: str) -> AsyncIterator[list[Client]]:
        """Players of these names."""
        async with grpc.aio.insecure_channel(self.listen) as channel:
            yield [Client(channel, name, bearer(self.data, name)) for name in names]

    @contextlib.asynccontextmanager
    async def matchmaker(self) -> AsyncIterator[Client]:
        async with grpc.aio.insecure_channel(self.listen) as channel:
            yield Client(channel, "lobby", bearer(self.data, "lobby", Role.MATCHMAKER))

    @contextlib.asynccontextmanager
    async def wallet(self) -> AsyncIterator[Client]:
        async with grpc.aio.insecure_channel(self.listen) as channel:
            yield Client(channel, "wallet", bearer(self.data, "wallet", Role.WALLET))

    async def _read(self, ready: "asyncio.Future[dict[str, str]]") -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            event = json.loads(line)
            self.log.append(event)
            if "listen" in event and not ready.done():
                ready.set_result(event)
        if not ready.done():
            ready.set_exception(EOFError("it ended before it was ready"))


def command(
    name: str, *flags: str, data: pathlib.Path, listen: str, program: Sequence[str] = Process.program
) -> list[str]:
    """The command line of a server for development."""
    addresses = ["--listen", listen, "--metrics", "127.0.0.1:0", "--data", str(data)]
    return [sys.executable, *program, name, *addresses, "--dev-identity", "--log-format", "json", *flags]


@contextlib.asynccontextmanager
async def running(data: pathlib.Path, *flags: str) -> AsyncIterator[Process]:
    """A process that is killed at the end if it still runs."""
    process = Process(data, *flags)
    await process.start()
    try:
        yield process
    finally:
        if process.process.returncode is None:
            await process.kill()

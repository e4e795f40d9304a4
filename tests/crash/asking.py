"""Calls to a server that comes and goes: what ends in passing, and what is asked again until it is answered."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import grpc

from majlis.api.caller import Role
from tests.api.clients import PATIENCE, Client, bearer
from tests.api.refused import Refused, reason
from tests.crash.server import Server

T = TypeVar("T")

PASSING = frozenset(
    {"", "STORE_UNAVAILABLE", "OVERLOADED", "DRAINING", "STREAM_RESET", "STREAM_STALLED", "STREAM_MOVED"}
)
"""Reasons for which the same is asked again; the empty one is a connection that broke."""
BREAKS = (grpc.aio.AioRpcError, Refused, EOFError, TimeoutError, asyncio.InvalidStateError)
"""How a call or a stream ends in passing, or for good: the reason tells."""
# Channels to one address would share how long they wait before they connect again.
ALONE = (("grpc.use_local_subchannel_pool", 1),)


class Broken(Exception):
    """The server has not kept what it promises."""


async def comes_true(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Waits for something to become true; whether it did in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


@contextlib.asynccontextmanager
async def connected(server: Server, name: str, role: Role = Role.PLAYER) -> AsyncIterator[Client]:
    """A client at the server's address of now, once it has one."""
    await server.answering.wait()
    async with grpc.aio.insecure_channel(server.listen, options=ALONE) as channel:
        yield Client(channel, name, bearer(server.data, name, role))


async def answered(
    server: Server,
    name: str,
    ask: Callable[[Client], Awaitable[T]],
    role: Role = Role.PLAYER,
    seconds: float = 5 * PATIENCE,
) -> T:
    """The answer, however often it takes.

    Raises:
        Broken: it was refused for good, or nobody answered.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            async with connected(server, name, role) as client:
                return await ask(client)
        except BREAKS as error:
            why = reason(error)
            server.told[why] += 1
            if why not in PASSING or time.monotonic() > end:
                raise Broken(f"{name} was told {why or error!r}") from error
        await asyncio.sleep(0.05)

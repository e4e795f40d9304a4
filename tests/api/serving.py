"""Servers for the tests: each in this process, on ports that the system chooses, with a store of its own."""

import contextlib
import dataclasses
import pathlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc

from majlis import app
from majlis.api.caller import Role
from majlis.ops.address import Address
from majlis.ops.settings import Settings
from tests.api.clients import Client, bearer

ANY_PORT = "127.0.0.1:0"


@dataclasses.dataclass(frozen=True)
class Served:
    """A server that answers, and callers of it."""

    data: pathlib.Path
    listen: Address
    metrics: Address
    channel: grpc.aio.Channel

    def player(self, name: str, role: Role = Role.PLAYER, hours: float = 1.0) -> Client:
        return Client(self.channel, name, bearer(self.data, name, role, hours))

    @property
    def matchmaker(self) -> Client:
        return self.player("lobby", Role.MATCHMAKER)

    @property
    def wallet(self) -> Client:
        return self.player("wallet", Role.WALLET)

    @property
    def nobody(self) -> Client:
        return Client(self.channel, "")


Serve = Callable[..., contextlib.AbstractAsyncContextManager[Served]]


@contextlib.asynccontextmanager
async def serving(
    data: pathlib.Path, now: Callable[[], int] = app.wall_clock, **settings: Any
) -> AsyncIterator[Served]:
    """A server on a directory, with settings of one's own."""
    asked = {"listen": ANY_PORT, "metrics": ANY_PORT, "data": data, "dev_identity": True, **settings}
    async with (
        app.running(Settings.model_validate(asked), now) as addresses,
        grpc.aio.insecure_channel(str(addresses.listen)) as channel,
    ):
        yield Served(data, addresses.listen, addresses.metrics, channel)

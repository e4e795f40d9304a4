"""Hints between servers: which match has got which record. One that is lost costs time, and nothing else.

They are sent after the commit and over a connection of their own, since PostgreSQL lets those who notify commit one
after the other, and those of some milliseconds together.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterator

from majlis.store import protocol
from majlis.store.postgres import link, links
from majlis.store.postgres.address import Address
from majlis.store.postgres.away import Away
from majlis.store.postgres.link import Connection
from majlis.store.postgres.patience import Patience

_CHANNEL = "majlis"
_TOGETHER_S = 0.007
_LARGEST = 7900
"""Bytes; PostgreSQL takes less than 8000."""
_MOST = 10_000
"""Matches that may wait to be told of while the database is away; the others are not told of."""
_LOOK_S = 10.0
"""Between looks whether the connection that listens still stands."""


class Hints:
    """Of one server."""

    def __init__(
        self, address: Address, patience: Patience, away: Away, server: str, heard: Callable[[str, int], None]
    ) -> None:
        """Listens from now on. `heard` is told match and record of others' appends."""
        self._address = address
        self._patience = patience
        self._away = away
        self._server = server
        self._heard = heard
        self._waiting: dict[str, int] = {}
        self._teller: Connection | None = None
        self._telling: asyncio.Task[None] | None = None
        self._listening = asyncio.create_task(self._listen())

    def tell(self, match_id: str, record: int) -> None:
        """Tells the other servers, shortly."""
        if len(self._waiting) < _MOST:
            self._waiting[match_id] = record
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell())

    async def close(self) -> None:
        """Tells what waits, and listens no more."""
        self._listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._listening
        if self._telling is not None:
            await self._telling
        if self._teller is not None:
            await links.shut(self._teller)

    async def _tell(self) -> None:
        while self._waiting:
            await asyncio.sleep(_TOGETHER_S)
            waiting, self._waiting = self._waiting, {}
            try:
                async with asyncio.timeout(self._patience.answer):
                    if self._teller is None or self._teller.is_closed():
                        self._teller = await self._away.opened(
                            lambda: link.opened(self._address, self._patience, "hints")
                        )
                    for payload in _payloads(self._server, waiting):
                        await self._teller.execute("SELECT pg_notify($1, $2)", _CHANNEL, payload)
            except Exception:
                # Whoever needs it will look; the connection is opened anew with the next.
                if self._teller is not None:
                    self._teller.terminate()
                    self._teller = None
        self._telling = None

    async def _listen(self) -> None:
        while True:
            try:
                connection = await self._away.opened(lambda: link.opened(self._address, self._patience, "listener"))
            except protocol.Unavailable:
                await asyncio.sleep(self._patience.retry)
                continue
            try:
                await self._follow(connection)
            except Exception:
                await asyncio.sleep(self._patience.retry)
            finally:
                connection.terminate()

    async def _follow(self, connection: Connection) -> None:
        """Returns when the connection is broken."""
        over = asyncio.Event()
        connection.add_termination_listener(lambda _: over.set())
        async with asyncio.timeout(self._patience.answer):
            await connection.add_listener(_CHANNEL, self._told)
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await over.wait()
            async with asyncio.timeout(self._patience.answer):
                await connection.fetchval("SELECT 1")

    def _told(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        server, *told = json.loads(str(payload))
        if server != self._server:
            for match_id, record in told:
                self._heard(match_id, record)


def _payloads(server: str, waiting: dict[str, int]) -> Iterator[str]:
    """As few texts as hold it all: JSON, the server and then pairs."""
    head = json.dumps(server)
    parts, size = [head], len(head) + 2
    for pair in waiting.items():
        part = json.dumps(pair)
        if len(parts) > 1 and size + len(part) + 2 > _LARGEST:
            yield f"[{', '.join(parts)}]"
            parts, size = [head], len(head) + 2
        parts.append(part)
        size += len(part) + 2
    yield f"[{', '.join(parts)}]"

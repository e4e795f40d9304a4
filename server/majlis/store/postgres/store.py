"""The PostgreSQL store as the runtime sees it: puts the pieces together, and has no SQL of its own."""

import asyncio
import concurrent.futures
import os
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

import asyncpg

from majlis.store import gather, protocol
from majlis.store.postgres import away, hints, links, months, queries, schema, upkeep, writer
from majlis.store.postgres.address import Address
from majlis.store.postgres.link import Connection
from majlis.store.postgres.patience import Patience

_P = ParamSpec("_P")
_T = TypeVar("_T")

CONNECTIONS = 8
"""For questions and small writings; three more append, tell and listen."""
_MONTHS_S = 86_400.0
"""Between looks whether the log has partitions for the months to come."""


class PostgresStore:
    """Logs in a database, to which other servers may append, too. See `protocol.Store` for what each call means."""

    def __init__(
        self,
        url: str,
        *,
        linger_ms: float = 1.0,
        connections: int = CONNECTIONS,
        patience: Patience = Patience(),  # noqa: B008 -- it is immutable
    ) -> None:
        """Looks whether the database fits. Does I/O, so it is called before anything is served, on the loop of use.

        Args:
            url: of the database.
            linger_ms: how long a busy event loop lets a batch collect.
            connections: how many questions may be under way at once.
            patience: how long each wait may last.

        Raises:
            Foreign: the database was not migrated, or is not ours to work on.
            Unavailable: it cannot be reached.
            ValueError: it is no URL.
        """
        address = Address.parse(url)
        with concurrent.futures.ThreadPoolExecutor(1) as aside:
            aside.submit(schema.check_now, address, patience).result()
        self.on_reopen: Callable[[], None] = lambda: None
        self.on_hint: Callable[[str, int], None] = lambda _match_id, _record: None
        self._loop = loop = asyncio.get_running_loop()
        self._server = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        reach = away.Away(patience.retry)
        self._links = links.Links(address, patience, reach, connections)
        self._hints = hints.Hints(address, patience, reach, self._server, self._heard)
        self._writer = writer.Writer(address, patience, reach, appended=self._hints.tell, restarted=self._restarted)
        self._gather = gather.Gather(loop, self._writer.submit, linger_ms / 1000)
        self._months_at = 0.0
        self._closing: asyncio.Task[None] | None = None

    @property
    def shared(self) -> bool:
        """Always."""
        return True

    async def append(self, append: protocol.Append) -> protocol.Outcome:
        """Appends one record."""
        self._refuse_when_closing()
        return await self._gather.append(append)

    async def find_append(self, match_id: str, append_id: bytes) -> int | None:
        """The record that carries this append id."""
        self._refuse_when_closing()
        await self._writer.settled()
        return await self._find(None, queries.find_append, match_id, append_id)

    async def head(self, match_id: str) -> protocol.Head | None:
        """Where the match's log ends."""
        return await self._find(None, queries.head, match_id)

    async def heads(self, match_ids: Sequence[str]) -> list[protocol.Head]:
        """Where the logs of several matches end."""
        return await self._find([], queries.heads, match_ids)

    async def payloads(self, match_id: str, after_record: int = 0, up_to_record: int | None = None) -> list[bytes]:
        """Payloads in order."""
        return await self._find([], queries.payloads, match_id, after_record, up_to_record)

    async def find_request(self, match_id: str, key: bytes) -> protocol.Repeated | None:
        """The record that answered the request with this key."""
        return await self._find(None, queries.find_request, match_id, key)

    async def find_external(self, external_id: str) -> protocol.Founded | None:
        """The match that was made under this external id."""
        return await self._find(None, queries.find_external, external_id)

    async def find_name(self, kind: str, name: str, now_ms: int) -> protocol.Held | None:
        """Which match has this name."""
        return await self._find(None, queries.find_name, kind, name, now_ms)

    async def names_of(self, match_id: str, kind: str, now_ms: int) -> list[str]:
        """The names of a kind that a match has."""
        return await self._find([], queries.names_of, match_id, kind, now_ms)

    async def matches_of(self, player_id: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Matches of a player that are not over."""
        return await self._find([], queries.matches_of, player_id, before, limit)

    async def due(self, by_ms: int, limit: int) -> list[protocol.Head]:
        """Matches whose clock runs out by an instant; every server may find the same, and one will append."""
        return await self._ask(queries.due, by_ms, limit)

    async def beat(self, now_ms: int, longest_ms: int) -> list[protocol.Outage]:
        """Keeps a sign of life, and partitions ready for the next months."""
        outages = await self._ask(upkeep.beat, self._server, now_ms, longest_ms)
        if time.monotonic() > self._months_at:
            self._months_at = time.monotonic() + _MONTHS_S
            await self._ask(_make_months)
        return outages

    async def claim(self, match_id: str, claim: protocol.Claim, now_ms: int) -> protocol.Held:
        """Takes a name unless somebody has it."""
        return await self._ask(upkeep.claim, match_id, claim, now_ms)

    async def publish(self, limit: int) -> int:
        """Gives places to results that have none yet."""
        return await self._ask(upkeep.publish, limit)

    async def results(self, after: int, limit: int) -> list[protocol.Result]:
        """Results after a place, in order."""
        return await self._ask(queries.results, after, limit)

    async def acknowledged(self, consumer: str) -> int:
        """The place up to which a consumer has everything."""
        return await self._find(0, queries.acknowledged, consumer)

    async def acknowledge(self, consumer: str, position: int) -> None:
        """Keeps how far a consumer has come."""
        await self._ask(upkeep.acknowledge, consumer, position)

    async def close(self) -> None:
        """Finishes what waits, then lets go of the connections."""
        if self._closing is None:
            self._closing = self._loop.create_task(self._let_go())
        await asyncio.shield(self._closing)

    async def _ask(
        self, question: Callable[Concatenate[Connection, _P], Awaitable[_T]], *args: _P.args, **kwargs: _P.kwargs
    ) -> _T:
        self._refuse_when_closing()
        return await self._links.ask(question, *args, **kwargs)

    async def _find(
        self,
        nothing: _T,
        question: Callable[Concatenate[Connection, _P], Awaitable[_T]],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T:
        """The answer; nothing for a text that no row can hold, since the server has no NUL."""
        try:
            return await self._ask(question, *args, **kwargs)
        except ValueError as error:
            if isinstance(error.__cause__, asyncpg.CharacterNotInRepertoireError):
                return nothing
            raise

    async def _let_go(self) -> None:
        await self._gather.drain()
        await self._hints.close()
        await self._writer.stop()
        await self._links.close()

    def _restarted(self) -> None:
        self.on_reopen()

    def _heard(self, match_id: str, record: int) -> None:
        self.on_hint(match_id, record)

    def _refuse_when_closing(self) -> None:
        if self._closing is not None:
            raise protocol.Unavailable("the store is closed")


async def _make_months(connection: Connection) -> None:
    try:
        await months.make(connection, time.time(), ahead=2)
    except asyncpg.PostgresError:
        return  # there are some for a year from the last migration; tomorrow is early enough

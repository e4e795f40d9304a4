"""The SQLite store as the runtime sees it: puts the pieces together, and has no SQL and no thread of its own."""

import asyncio
import pathlib
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

import apsw

from majlis.store import gather, protocol
from majlis.store.sqlite import checkpoint, database, queries, reader, upkeep, writer

_P = ParamSpec("_P")
_T = TypeVar("_T")


class SqliteStore:
    """Logs in one file, which no other process may use meanwhile. See `protocol.Store` for what each call means."""

    def __init__(self, path: pathlib.Path, *, linger_ms: float = 1.0, vfs: str | None = None) -> None:
        """Opens or makes the file. Does I/O, so it is called before anything is served, on the loop that will use it.

        Args:
            path: of the database; its directory must be there.
            linger_ms: how long a busy event loop lets a batch collect.
            vfs: SQLite's name for the file system to go through; None for the operating system's.

        Raises:
            Foreign: the file is not ours to work on; nothing was changed.
            Unavailable: in use by another process, or not accessible.
        """
        self.on_reopen: Callable[[], None] = lambda: None
        self.on_hint: Callable[[str, int], None] = lambda _match_id, _record: None
        self._loop = loop = asyncio.get_running_loop()
        self._database = database.Database(path, self._reopened, vfs)
        self._reader = reader.Reader(loop, self._database)
        self._writer = writer.Writer(self._database)
        self._checkpointer = checkpoint.Checkpointer(self._database)
        self._gather = gather.Gather(loop, self._writer.submit, linger_ms / 1000)
        self._closing: asyncio.Task[None] | None = None

    @property
    def shared(self) -> bool:
        """Never: the file is locked."""
        return False

    async def append(self, append: protocol.Append) -> protocol.Outcome:
        """Appends one record."""
        self._refuse_when_closing()
        return await self._gather.append(append)

    async def find_append(self, match_id: str, append_id: bytes) -> int | None:
        """The record that carries this append id."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.find_append, match_id, append_id)

    async def head(self, match_id: str) -> protocol.Head | None:
        """Where the match's log ends."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.head, match_id)

    async def heads(self, match_ids: Sequence[str]) -> list[protocol.Head]:
        """Where the logs of several matches end."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.heads, match_ids)

    async def payloads(self, match_id: str, after_record: int = 0, up_to_record: int | None = None) -> list[bytes]:
        """Payloads in order."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.payloads, match_id, after_record, up_to_record)

    async def find_request(self, match_id: str, key: bytes) -> protocol.Repeated | None:
        """The record that answered the request with this key."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.find_request, match_id, key)

    async def find_external(self, external_id: str) -> protocol.Founded | None:
        """The match that was made under this external id."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.find_external, external_id)

    async def find_name(self, kind: str, name: str, now_ms: int) -> protocol.Held | None:
        """Which match has this name."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.find_name, kind, name, now_ms)

    async def names_of(self, match_id: str, kind: str, now_ms: int) -> list[str]:
        """The names of a kind that a match has."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.names_of, match_id, kind, now_ms)

    async def matches_of(self, player_id: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Matches of a player that are not over."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.matches_of, player_id, before, limit)

    async def due(self, by_ms: int, limit: int) -> list[protocol.Head]:
        """Matches whose clock runs out by an instant."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.due, by_ms, limit)

    async def beat(self, now_ms: int, longest_ms: int) -> list[protocol.Outage]:
        """Keeps a sign of life."""
        return await self._write(upkeep.beat, now_ms, longest_ms)

    async def claim(self, match_id: str, claim: protocol.Claim, now_ms: int) -> protocol.Held:
        """Takes a name unless somebody has it."""
        return await self._write(upkeep.claim, match_id, claim, now_ms)

    async def publish(self, limit: int) -> int:
        """Gives places to results that have none yet."""
        return await self._write(upkeep.publish, limit)

    async def results(self, after: int, limit: int) -> list[protocol.Result]:
        """Results after a place, in order."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.results, after, limit)

    async def acknowledged(self, consumer: str) -> int:
        """The place up to which a consumer has everything."""
        self._refuse_when_closing()
        return await self._reader.ask(queries.acknowledged, consumer)

    async def acknowledge(self, consumer: str, position: int) -> None:
        """Keeps how far a consumer has come."""
        await self._write(upkeep.acknowledge, consumer, position)

    async def close(self) -> None:
        """Finishes what waits, then lets go of the file."""
        if self._closing is None:
            self._closing = self._loop.create_task(self._let_go())
        await asyncio.shield(self._closing)

    async def _write(
        self, job: Callable[Concatenate[apsw.Connection, _P], _T], *args: _P.args, **kwargs: _P.kwargs
    ) -> _T:
        """Has a job done on the writer's thread, between two batches.

        Raises:
            Unavailable: it could not be committed, or nobody knows.
            ValueError: it holds what cannot be stored.
        """
        self._refuse_when_closing()
        future: asyncio.Future[_T] = self._loop.create_future()

        def settle(result: _T | Exception) -> None:
            if future.done():
                return
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)

        def deliver(result: _T | Exception) -> None:
            self._loop.call_soon_threadsafe(settle, result)

        self._writer.do(lambda connection: job(connection, *args, **kwargs), deliver)
        return await future

    async def _let_go(self) -> None:
        await self._gather.drain()
        await asyncio.to_thread(self._writer.stop)
        await asyncio.to_thread(self._checkpointer.stop)
        await asyncio.to_thread(self._reader.stop)
        await asyncio.to_thread(self._database.close)

    def _refuse_when_closing(self) -> None:
        if self._closing is not None:
            raise protocol.Unavailable("the store is closed")

    def _reopened(self) -> None:
        self._loop.call_soon_threadsafe(self._tell_owner)

    def _tell_owner(self) -> None:
        self.on_reopen()

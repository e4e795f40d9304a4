"""The connections for questions, and for what is written beside appends: a bounded number, opened when needed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from majlis.store import protocol
from majlis.store.postgres import faults, link
from majlis.store.postgres.address import Address
from majlis.store.postgres.away import Away
from majlis.store.postgres.patience import Patience

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Links:
    """Answers questions, as many at once as there are connections."""

    def __init__(self, address: Address, patience: Patience, away: Away, most: int) -> None:
        """None is open yet."""
        self._address = address
        self._patience = patience
        self._away = away
        self._most = most
        self._room = asyncio.Semaphore(most)
        self._idle: list[link.Connection] = []
        self._asked: set[asyncio.Task[Any]] = set()

    async def ask(
        self, question: Callable[Concatenate[link.Connection, _P], Awaitable[_T]], *args: _P.args, **kwargs: _P.kwargs
    ) -> _T:
        """Asks over one of the connections. Whoever is cancelled breaks none: the answer is waited for without him.

        Raises:
            Unavailable: there was no answer, or no connection in time; what was to be written may be.
            ValueError: it holds what cannot be stored.
        """
        asking = asyncio.create_task(self._answer(lambda connection: question(connection, *args, **kwargs)))
        self._asked.add(asking)
        asking.add_done_callback(self._answered)
        return await asyncio.shield(asking)

    async def close(self) -> None:
        """Returns when everything that was asked is answered."""
        while self._asked:
            await asyncio.wait(list(self._asked))
        while self._idle:
            await shut(self._idle.pop())

    def _answered(self, asking: asyncio.Task[Any]) -> None:
        self._asked.discard(asking)
        if not asking.cancelled():
            asking.exception()  # nobody may be left to take it

    async def _answer(self, question: Callable[[link.Connection], Awaitable[_T]]) -> _T:
        try:
            async with asyncio.timeout(self._patience.turn):
                await self._room.acquire()
        except TimeoutError:
            raise protocol.Unavailable(f"all {self._most} connections are in use") from None
        try:
            return await self._over(await self._connection(), question)
        finally:
            self._room.release()

    async def _connection(self) -> link.Connection:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
        return await self._away.opened(lambda: link.opened(self._address, self._patience, "reader"))

    async def _over(self, connection: link.Connection, question: Callable[[link.Connection], Awaitable[_T]]) -> _T:
        try:
            async with asyncio.timeout(self._patience.answer):
                answer = await question(connection)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) or faults.fate(error) is faults.Fate.UNKNOWN:
                connection.terminate()
            else:
                self._idle.append(connection)
            if isinstance(error, Exception):
                raise faults.failed(error) from error
            raise
        self._idle.append(connection)
        return answer


async def shut(connection: link.Connection) -> None:
    """Closes a connection that nobody uses, in order if the server answers."""
    try:
        await connection.close(timeout=1)
    except Exception:
        connection.terminate()

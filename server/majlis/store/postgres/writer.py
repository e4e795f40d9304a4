"""Who commits: one batch after the other over a connection of its own, and what becomes of a batch when that breaks.

The server tells why a transaction was rolled back, and then nothing of it is there. If instead the connection breaks,
the appends are in doubt, and the session at its other end may still be at work. It is therefore ended for certain
before anything else is written or looked up: what is found then is final.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from majlis.store import gather, protocol
from majlis.store.postgres import commit, faults, link, links
from majlis.store.postgres.address import Address
from majlis.store.postgres.away import Away
from majlis.store.postgres.faults import Fate
from majlis.store.postgres.patience import Patience

_PAUSE = 0.005
"""Seconds before a batch is tried again of which everything was in the hands of others."""


class Writer:
    """Commits batches."""

    def __init__(
        self,
        address: Address,
        patience: Patience,
        away: Away,
        *,
        appended: Callable[[str, int], None],
        restarted: Callable[[], None],
    ) -> None:
        """Not connected yet.

        Args:
            address: of the database.
            patience: how long each wait may last.
            away: whether it can be reached.
            appended: told match and record of what is durable.
            restarted: called when it is not the server any more that it was.
        """
        self._address = address
        self._patience = patience
        self._away = away
        self._appended = appended
        self._restarted = restarted
        self._link: link.Link | None = None
        self._opening = asyncio.Lock()
        self._doubted: list[link.Backend] = []
        """Sessions that may still be at work."""
        self._server_began: object = None
        self._waiting: dict[bytes, float] = {}
        """By append id: when an append first met another transaction that was in its way."""
        self._task: asyncio.Task[None] | None = None

    def submit(self, appends: Sequence[protocol.Append], deliver: gather.Deliver) -> None:
        """Begins a batch; the one before is over."""
        self._task = asyncio.create_task(self._do(appends, deliver))

    async def settled(self) -> None:
        """Returns when nothing that is in doubt can come up any more.

        Raises:
            Unavailable: the database cannot be reached.
        """
        if self._doubted:
            await self._ready()

    async def stop(self) -> None:
        """Lets go of the connection; nothing waits any more."""
        if self._task is not None:
            await self._task
        if self._link is not None:
            await links.shut(self._link.connection)

    async def _do(self, appends: Sequence[protocol.Append], deliver: gather.Deliver) -> None:
        try:
            results = await self._commit(appends)
        except BaseException as error:
            self._let_go()
            deliver([faults.because(error, protocol.InDoubt(faults.text(error))) for _ in appends])
            raise
        if all(result is None for result in results):
            await asyncio.sleep(_PAUSE)
        deliver(results)

    async def _commit(self, appends: Sequence[protocol.Append]) -> list[gather.Result]:
        try:
            ready = await self._ready()
        except protocol.Unavailable as error:
            return [faults.because(error, protocol.Unavailable(str(error))) for _ in appends]
        try:
            async with asyncio.timeout(self._patience.answer):
                outcomes = await commit.write(ready.connection, appends)
        except Exception as error:
            what = faults.fate(error)
            if what is Fate.ITS_OWN and len(appends) > 1:
                return [result for append in appends for result in await self._commit([append])]
            if what is Fate.UNKNOWN:
                self._let_go()
            return [self._failed(append, what, error) for append in appends]
        return [self._settled(append, outcome) for append, outcome in zip(appends, outcomes, strict=True)]

    def _failed(self, append: protocol.Append, what: Fate, error: Exception) -> Exception:
        self._waiting.pop(append.append_id, None)
        if what is Fate.UNKNOWN:
            return faults.because(error, protocol.InDoubt(faults.text(error)))
        return faults.failed(error)

    def _settled(self, append: protocol.Append, outcome: protocol.Outcome | None) -> gather.Result:
        """The outcome; or None, that it be tried again, until it has waited for too long."""
        if outcome is not None:
            self._waiting.pop(append.append_id, None)
            if isinstance(outcome, protocol.Appended):
                self._appended(append.match_id, append.record)
            return outcome
        now = time.monotonic()
        if now - self._waiting.setdefault(append.append_id, now) < self._patience.lock:
            return None
        del self._waiting[append.append_id]
        return protocol.Unavailable("another transaction is in its way")

    async def _ready(self) -> link.Link:
        """The connection, opened anew if need be, with nothing left in doubt.

        Raises:
            Unavailable: there is none to be had.
        """
        async with self._opening:
            if self._link is not None and not self._link.connection.is_closed():
                return self._link
            self._link = None
            opened = await self._away.opened(self._opened)
            try:
                await self._end_doubted(opened)
            except BaseException:
                opened.connection.terminate()
                raise
            if self._server_began not in (None, opened.server_began):
                self._restarted()
            self._server_began = opened.server_began
            self._link = opened
            return opened

    async def _opened(self) -> link.Link:
        connection = await link.opened(self._address, self._patience, "writer")
        try:
            async with asyncio.timeout(self._patience.answer):
                return await link.known(connection)
        except BaseException:
            connection.terminate()
            raise

    async def _end_doubted(self, opened: link.Link) -> None:
        """Ends the sessions that may still be at work."""
        while self._doubted:
            try:
                async with asyncio.timeout(self._patience.answer):
                    ended = await link.gone(opened.connection, self._doubted[-1], self._patience.lock)
            except Exception as error:
                raise faults.because(error, protocol.Unavailable(faults.text(error))) from error
            if not ended:
                raise protocol.Unavailable("a session that was given up is still at work")
            self._doubted.pop()

    def _let_go(self) -> None:
        if self._link is not None:
            self._doubted.append(self._link.backend)
            self._link.connection.terminate()
            self._link = None

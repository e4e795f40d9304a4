"""Deliberate faults of the server, each of which the checks have to see: put in from outside, one at a time.

`early-answer`: an append is called durable before it is committed. `early-publish`: watchers get what is not committed
yet. `forgotten-requests`: request ids are not kept. `unsynced`: commits are not synced. `ignored-refusal`: what the
store could not take is answered as if it had.
"""

import asyncio
import dataclasses
from typing import Any

from majlis.runtime.audience import Audience
from majlis.runtime.ledger import Ledger
from majlis.store import protocol
from majlis.store.sqlite.database import Database
from majlis.store.sqlite.store import SqliteStore
from tests.crash.points import WIRE_SECONDS, Call, wrap

_late = set[asyncio.Task[Any]]()


def put_in(name: str) -> None:
    """Spoils this process."""
    if name == "early-answer":
        wrap(SqliteStore, "append", _early_answer)
    elif name == "early-publish":
        published = list[Any]()
        wrap(Audience, "publish", lambda call: _once(call, published))
        wrap(Ledger, "record", lambda call: _early_publish(call, published))
    elif name == "forgotten-requests":
        wrap(SqliteStore, "append", _forgotten_requests)
    elif name == "unsynced":
        wrap(Database, "_connect", _unsynced)
    elif name == "ignored-refusal":
        wrap(SqliteStore, "append", _ignored_refusal)


def _early_answer(call: Call) -> Call:
    async def late(self: SqliteStore, append: protocol.Append) -> None:
        await asyncio.sleep(WIRE_SECONDS)
        await call(self, append)

    async def appended(self: SqliteStore, append: protocol.Append) -> protocol.Outcome:
        if append.record == 1:
            return await call(self, append)  # type: ignore[no-any-return]
        task = asyncio.create_task(late(self, append))
        _late.add(task)
        task.add_done_callback(_late.discard)
        return protocol.Appended()

    return appended


def _once(call: Call, published: list[Any]) -> Call:
    def publish(self: Audience, draft: Any) -> None:
        if draft in published:
            published.remove(draft)
        else:
            call(self, draft)

    return publish


def _early_publish(call: Call, published: list[Any]) -> Call:
    async def record(self: Ledger, draft: Any, *args: Any, **kwargs: Any) -> Any:
        self.audience.publish(draft)
        published.append(draft)
        await asyncio.sleep(WIRE_SECONDS)
        return await call(self, draft, *args, **kwargs)

    return record


def _forgotten_requests(call: Call) -> Call:
    async def appended(self: SqliteStore, append: protocol.Append) -> protocol.Outcome:
        return await call(self, dataclasses.replace(append, request=None))  # type: ignore[no-any-return]

    return appended


def _unsynced(call: Call) -> Call:
    def connected(self: Database) -> Any:
        connections = call(self)
        connections.writer.execute("PRAGMA synchronous = OFF")
        return connections

    return connected


def _ignored_refusal(call: Call) -> Call:
    async def appended(self: SqliteStore, append: protocol.Append) -> protocol.Outcome:
        try:
            return await call(self, append)  # type: ignore[no-any-return]
        except (protocol.Unavailable, protocol.InDoubt):
            return protocol.Appended()

    return appended

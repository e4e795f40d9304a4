"""Deliberate faults of the server, each of which the checks have to see: put in from outside, one at a time.

`early-answer`: an append is called durable before it is committed. `early-publish`: watchers get what is not committed
yet. `forgotten-requests`: request ids are not kept. `unsynced`: commits are not synced. `ignored-refusal`: what the
store could not take is answered as if it had.

In the lobby and the results: `forgotten-claims`: a request for a seat is not kept. `forgotten-fee`: a confirmation is
written some seconds after it was answered. `ignored-leave`: a seat that was given back is not. `lost-result`: an end is
not told. `doubled-result`: it is told twice.
"""

import asyncio
import contextvars
import dataclasses
from collections.abc import Callable
from typing import Any

from majlis.runtime.audience import Audience
from majlis.runtime.ledger import Ledger
from majlis.runtime.lobby import Lobby
from majlis.store import protocol
from majlis.store.sqlite import database
from majlis.store.sqlite.database import Database
from majlis.store.sqlite.store import SqliteStore
from tests.crash.points import WIRE_SECONDS, Call, wrap

FEE_SECONDS = 3.0
"""By which a confirmation is written too late."""
ENDS = frozenset({"ended", "void"})

_late = set[asyncio.Task[Any]]()
_confirming = contextvars.ContextVar("_confirming", default=False)


def put_in(name: str) -> None:
    """Spoils this process."""
    if name == "early-answer":
        wrap(SqliteStore, "append", _early_answer)
    elif name == "early-publish":
        published = list[Any]()
        wrap(Audience, "publish", lambda call: _once(call, published))
        wrap(Ledger, "record", lambda call: _early_publish(call, published))
    elif name == "forgotten-requests":
        wrap(SqliteStore, "append", lambda call: _changed(call, _without_key))
    elif name == "unsynced":
        wrap(Database, "_connect", _unsynced)
        database._LONG_LOG_PAGES = 100_000  # a checkpoint would sync what is there
    elif name == "ignored-refusal":
        wrap(SqliteStore, "append", _ignored_refusal)
    elif name == "forgotten-claims":
        wrap(SqliteStore, "append", lambda call: _changed(call, _without_request))
    elif name == "forgotten-fee":
        wrap(Lobby, "confirm_stake", _marked)
        wrap(SqliteStore, "append", _forgotten_fee)
    elif name == "ignored-leave":
        wrap(Lobby, "leave", _ignored)
    elif name == "lost-result":
        wrap(SqliteStore, "append", lambda call: _changed(call, _without_end))
    elif name == "doubled-result":
        wrap(SqliteStore, "append", lambda call: _changed(call, _with_two_ends))


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


def _changed(call: Call, change: Callable[[protocol.Append], protocol.Append]) -> Call:
    async def appended(self: SqliteStore, append: protocol.Append) -> protocol.Outcome:
        return await call(self, change(append))  # type: ignore[no-any-return]

    return appended


def _without_key(append: protocol.Append) -> protocol.Append:
    return dataclasses.replace(append, request=None)


def _without_request(append: protocol.Append) -> protocol.Append:
    return dataclasses.replace(append, claims=tuple(claim for claim in append.claims if claim.kind != "request"))


def _without_end(append: protocol.Append) -> protocol.Append:
    return dataclasses.replace(append, outbox=tuple(kind for kind in append.outbox if kind not in ENDS))


def _with_two_ends(append: protocol.Append) -> protocol.Append:
    ends = tuple(kind for kind in append.outbox if kind in ENDS)
    return dataclasses.replace(append, outbox=append.outbox + ends)


def _ignored(_: Call) -> Call:
    async def ignored(*_: Any) -> None:
        return None

    return ignored


def _marked(call: Call) -> Call:
    async def confirmed(*args: Any) -> bytes:
        _confirming.set(True)
        return await call(*args)  # type: ignore[no-any-return]

    return confirmed


def _forgotten_fee(call: Call) -> Call:
    last: dict[str, asyncio.Task[None]] = {}

    async def later(self: SqliteStore, append: protocol.Append, before: asyncio.Task[None] | None) -> None:
        await asyncio.sleep(FEE_SECONDS)
        if before is not None:
            await before
        await call(self, append)

    async def appended(self: SqliteStore, append: protocol.Append) -> protocol.Outcome:
        before = last.get(append.match_id)
        if _confirming.get():
            last[append.match_id] = asyncio.create_task(later(self, append, before))
            return protocol.Appended()
        if before is not None:
            await before
        return await call(self, append)  # type: ignore[no-any-return]

    return appended

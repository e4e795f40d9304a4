"""Stores that fail, hesitate and leave in doubt, as they are told."""

import asyncio
import collections
import enum
from collections.abc import Callable
from typing import Any

from majlis.store import memory, protocol


class Fault(enum.Enum):
    """What becomes of an append."""

    UNAVAILABLE = enum.auto()
    """It is not written, and the caller is told so."""
    LANDED = enum.auto()
    """It is written, and the caller is told that nobody knows."""
    VANISHED = enum.auto()
    """It is not written, and the caller is told that nobody knows."""
    BROKEN = enum.auto()
    """It is written, and a fault of the store's own code comes out."""


class Faulty(memory.MemoryStore):
    """Logs in memory, over which the test has power."""

    def __init__(self, logs: memory.Logs | None = None, *, shared: bool = False) -> None:
        super().__init__(logs if shared or logs is not None else None)
        self.faults: collections.deque[Fault] = collections.deque()
        """Of the next appends, one each."""
        self.down = False
        """Every call fails."""
        self.gate = asyncio.Event()
        """While it is not set, appends wait after they were written."""
        self.gate.set()
        self.door = asyncio.Event()
        """While it is not set, appends wait before they are written; a cancelled one is written in the end, too."""
        self.door.set()
        self.appends = 0
        self.reads = asyncio.Event()
        """While it is not set, payloads wait before they are read."""
        self.reads.set()
        self.loads = 0

    async def append(self, append: protocol.Append) -> protocol.Outcome:
        self.appends += 1
        return await asyncio.shield(asyncio.ensure_future(self._append(append)))

    async def _append(self, append: protocol.Append) -> protocol.Outcome:
        self._fail_if_down()
        await self.door.wait()
        fault = self.faults.popleft() if self.faults else None
        if fault is Fault.UNAVAILABLE:
            raise protocol.Unavailable
        if fault is Fault.VANISHED:
            raise protocol.InDoubt
        outcome = await super().append(append)
        await self.gate.wait()
        if fault is Fault.LANDED:
            raise protocol.InDoubt
        if fault is Fault.BROKEN:
            raise RuntimeError("a fault of the store")
        return outcome

    async def payloads(self, match_id: str, after_record: int = 0, up_to_record: int | None = None) -> list[bytes]:
        self._fail_if_down()
        if after_record == 0:
            self.loads += 1
        await self.reads.wait()
        return await super().payloads(match_id, after_record, up_to_record)

    async def head(self, match_id: str) -> protocol.Head | None:
        self._fail_if_down()
        return await super().head(match_id)

    async def find_request(self, match_id: str, key: bytes) -> protocol.Repeated | None:
        self._fail_if_down()
        return await super().find_request(match_id, key)

    async def find_name(self, kind: str, name: str, now_ms: int) -> protocol.Held | None:
        self._fail_if_down()
        return await super().find_name(kind, name, now_ms)

    async def beat(self, now_ms: int, longest_ms: int) -> list[protocol.Outage]:
        self._fail_if_down()
        return await super().beat(now_ms, longest_ms)

    def _fail_if_down(self) -> None:
        if self.down:
            raise protocol.Unavailable


class Failing:
    """Any store, whose appends and signs of life fail as the test says; the rest is the store's own."""

    def __init__(self, inner: protocol.Store) -> None:
        self.inner = inner
        self.faults: collections.deque[Fault] = collections.deque()
        """Of the next appends, one each."""
        self.down = False
        """It takes nothing, and says so."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    @property
    def on_reopen(self) -> Callable[[], None]:
        return self.inner.on_reopen

    @on_reopen.setter
    def on_reopen(self, told: Callable[[], None]) -> None:
        self.inner.on_reopen = told

    async def append(self, append: protocol.Append) -> protocol.Outcome:
        if self.down:
            raise protocol.Unavailable
        fault = self.faults.popleft() if self.faults else None
        if fault is Fault.UNAVAILABLE:
            raise protocol.Unavailable
        if fault is Fault.VANISHED:
            raise protocol.InDoubt
        outcome = await self.inner.append(append)
        if fault is Fault.LANDED:
            raise protocol.InDoubt
        if fault is Fault.BROKEN:
            raise RuntimeError("a fault of the store")
        return outcome

    async def beat(self, now_ms: int, longest_ms: int) -> Any:
        if self.down:
            raise protocol.Unavailable
        return await self.inner.beat(now_ms, longest_ms)

"""The hall: which matches are in memory. One is loaded once, however many ask for it, and leaves when nobody uses it.

What happens at a table is told in `sitting`. A match that leaves loses nothing: its log is the truth.
"""

import asyncio
import time
from collections.abc import Iterator

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime.background import shielded
from majlis.runtime.folding import folded
from majlis.runtime.ledger import House, Ledger
from majlis.runtime.sitting import Sitting


class Hall:
    """The loaded matches of one runtime."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._sittings: dict[str, Sitting] = {}
        self._loading: dict[str, asyncio.Task[Sitting]] = {}
        self._resets = 0

    def __len__(self) -> int:
        return len(self._sittings)

    def __iter__(self) -> Iterator[Sitting]:
        return iter(list(self._sittings.values()))

    def get(self, match_id: str) -> Sitting | None:
        """The match, if it is in memory."""
        return self._sittings.get(match_id)

    async def sitting(self, match_id: str) -> Sitting:
        """The match; loads it if it is not in memory.

        Raises:
            Refusal: MATCH_NOT_FOUND, MATCH_DAMAGED or OVERLOADED.
            Unavailable: the store cannot be read.
        """
        while True:
            sitting = self._sittings.get(match_id)
            if sitting is None:
                sitting = await shielded(self._loading.get(match_id) or self._begin_loading(match_id))
            if not sitting.gone:
                return sitting
            if sitting.left is not None:
                await sitting.left.wait()

    def seat(self, table: _core.Table, records: int, began: float) -> Sitting:
        """The match of a table that was just made or loaded, unless it is in memory by now."""
        sitting = self._sittings.get(table.match_id)
        if sitting is None:
            sitting = self._sittings[table.match_id] = Sitting(table, self._house)
            self._house.observer.loaded(sitting.game, records, time.perf_counter() - began)
            self._house.arm(sitting)
        return sitting

    def forget(self, sitting: Ledger) -> None:
        """A dropped match makes room; whoever asks again loads it afresh."""
        if self._sittings.get(sitting.match_id) is sitting:
            del self._sittings[sitting.match_id]

    def drop_all(self, why: str) -> None:
        """Every match leaves; what is under way is finished first."""
        self._resets += 1
        for sitting in self:
            sitting.drop(why)

    def drop_unused(self, now_ms: int) -> None:
        """Those leave that nobody has used for long."""
        idle_ms = self._house.limits.idle_seconds * 1000
        for sitting in self:
            if not sitting.in_use and not 0 <= now_ms - sitting.used_ms < idle_ms:
                sitting.drop("idle")

    def _begin_loading(self, match_id: str) -> asyncio.Task[Sitting]:
        loading = self._house.background.begin(self._load(match_id), "load")
        self._loading[match_id] = loading
        return loading

    async def _load(self, match_id: str) -> Sitting:
        try:
            self._make_room()
            while True:
                resets, began = self._resets, time.perf_counter()
                payloads = await self._house.store.payloads(match_id)
                if not payloads:
                    raise Refusal("MATCH_NOT_FOUND")
                table = await self._table(payloads)
                if resets == self._resets:
                    return self.seat(table, len(payloads), began)
        finally:
            self._loading.pop(match_id, None)

    async def _table(self, payloads: list[bytes]) -> _core.Table:
        try:
            return await folded(len(payloads), _core.Table.load, payloads, self._house.sealer)
        except _core.Damaged as error:
            self._house.observer.failed("load", error)
            raise Refusal("MATCH_DAMAGED") from error
        except _core.Panicked as error:
            self._house.observer.failed("load", error)
            raise Refusal("INTERNAL") from error

    def _make_room(self) -> None:
        """Lets a tenth leave early when the hall is full.

        Raises:
            Refusal: OVERLOADED, when all are in use.
        """
        if len(self._sittings) < self._house.limits.loaded:
            return
        unused = sorted((sitting for sitting in self if not sitting.in_use), key=lambda sitting: sitting.used_ms)
        if not unused:
            raise Refusal("OVERLOADED")
        for sitting in unused[: max(1, self._house.limits.loaded // 10)]:
            sitting.drop("crowded")

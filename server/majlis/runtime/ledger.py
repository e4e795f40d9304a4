"""A match's table and its log, kept in step: what is appended is taken over once it is durable, and not before.

Whoever changes either holds the section; if he goes away in the middle of an append, a task holds it in his place until
it is known what became of it. What may be appended, and why, is decided in `sitting`.
"""

import asyncio
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from majlis import _core
from majlis.match import status
from majlis.match.refusal import Refusal
from majlis.runtime import doubt, entry
from majlis.runtime.audience import Audience
from majlis.runtime.background import Background, shielded
from majlis.runtime.limits import Limits
from majlis.runtime.observer import Observer
from majlis.runtime.outages import Outages
from majlis.runtime.presence import Presence
from majlis.runtime.section import Section
from majlis.store import protocol

P = ParamSpec("P")
T = TypeVar("T")


class Gone(Exception):
    """This sitting was dropped; another one has to be asked."""


@dataclasses.dataclass(frozen=True, slots=True)
class House:
    """What the matches of one runtime share."""

    store: protocol.Store
    sealer: _core.Sealer
    now: Callable[[], int]
    limits: Limits
    observer: Observer
    outages: Outages
    presence: Presence
    background: Background
    announce: Callable[[], None]
    """Told when a result has become durable."""
    arm: "Callable[[Ledger], None]"
    """Told when the clock of a match may have changed."""
    forget: "Callable[[Ledger], None]"
    """Told when a match has left the memory."""


class Ledger:
    """The table of a loaded match, who watches it, and the way to its log."""

    __slots__ = (
        "_lent",
        "acted_sequence",
        "audience",
        "deadline_ms",
        "durable",
        "firing",
        "game",
        "gone",
        "house",
        "left",
        "match_id",
        "pins",
        "players",
        "public_ms",
        "section",
        "sequence",
        "status",
        "table",
        "used_ms",
    )

    def __init__(self, table: _core.Table, house: House) -> None:
        """Of a table that is at the durable head of its log."""
        self.house = house
        self.table = table
        self.match_id = table.match_id
        self.game = table.game
        self.players = table.players
        """By seat; None on a free one."""
        self.status = table.status
        self.sequence = table.sequence
        self.acted_sequence = table.acted_sequence
        """Of the last event that was more than time given back: what was formed before that is stale."""
        self.deadline_ms = table.deadline_ms
        self.public_ms = table.public_ms
        """When its last public event happened: a hidden answer must not be seen by the time that is given back."""
        self.section = Section(house.limits.queue_length)
        self.audience = Audience(table, self.snapshot, house.now, house.limits, house.observer, house.presence)
        self.used_ms = house.now()
        self.pins = 0
        """Calls that will come back to it after an await outside the section."""
        self.firing = False
        """A timer has fired and waits, or is at work."""
        self.durable = 0.0
        """When the last append was known to be durable, by the performance counter."""
        self.gone = False
        """It was dropped."""
        self.left: asyncio.Event | None = None
        """Set when what was under way at its drop is finished."""
        self._lent = False  # the section's holder has gone away, and a task holds it in his place

    @property
    def in_use(self) -> bool:
        """Whether anybody acts on it, waits for it or watches it."""
        return self.section.held or bool(self.section.waiting or self.pins or self.audience)

    def told(self, ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the table answers to a question that has no refusal; a table at fault is dropped.

        Raises:
            Refusal: INTERNAL or MATCH_DAMAGED.
        """
        try:
            return ask(*args, **kwargs)
        except Exception as error:
            raise self.mistrusted(error) from error

    def snapshot(self, viewer: int) -> bytes:
        """A `WatchMatchResponse` with a snapshot.

        Raises:
            Refusal: INTERNAL.
        """
        return self.told(self.table.snapshot, viewer, self.house.now(), self.audience.connected())

    def drop(self, why: str) -> None:
        """Leaves the memory: who waits for it or watches it has to come again. What is under way is finished first."""
        if self.gone:
            return
        self.gone = True
        self.house.observer.dropped(self.game, why)
        self.section.shut(Gone)
        self.audience.dismiss_all(lambda: Refusal("STREAM_RESET"))
        if self.section.held:
            self.left = asyncio.Event()
        else:
            self.house.forget(self)

    def leave(self) -> None:
        """Gives up the section, unless a task holds it now."""
        if self._lent:
            return
        self.section.leave()
        if self.left is not None:
            self.house.forget(self)
            self.left.set()

    def mistrusted(self, error: Exception) -> Refusal:
        """Drops a table that can no longer be relied on; what its caller is told."""
        self.house.observer.failed("table", error)
        self.drop("reset")
        return Refusal("MATCH_DAMAGED" if isinstance(error, _core.Damaged) else "INTERNAL")

    async def record(
        self, draft: _core.Draft, request: protocol.Request | None, claims: Sequence[protocol.Claim] = ()
    ) -> protocol.Outcome:
        """Appends a draft and, once it is durable, takes it over; whatever becomes of the caller."""
        append = entry.of(self.table, draft, request=request, claims=claims)
        try:
            outcome = await self.house.store.append(append)
        except (protocol.Unavailable, ValueError):
            raise  # it was certainly not written
        except asyncio.CancelledError:
            self._lent = True
            self.house.background.begin(self._settle(append, draft), "settle")
            raise
        except Exception as error:  # InDoubt, or a fault of the store that leaves as much in doubt
            if not isinstance(error, protocol.InDoubt):
                self.house.observer.failed("append", error)
            settling = self.house.background.begin(self._settle(append, draft), "settle")
            try:
                return await shielded(settling)
            except asyncio.CancelledError:
                self._lent = not settling.done()
                raise
        if isinstance(outcome, protocol.Appended):
            self._landed(append, draft)
        return outcome

    async def _settle(self, append: protocol.Append, draft: _core.Draft) -> protocol.Outcome:
        """Finds out what became of an append and acts on it, in the place of a caller who waits or has gone away."""
        try:
            outcome = await doubt.settle(self.house.store, append, self._shut)
            landed = isinstance(outcome, protocol.Appended)
            self.house.observer.doubted(self.game, landed)
            if landed:
                self._landed(append, draft)
            return outcome
        except asyncio.CancelledError:
            self.drop("stopped")  # where the log ends will be seen by whoever loads it next
            raise
        finally:
            if not self.gone:
                self.section.reopen()
            if self._lent:
                self._lent = False
                self.leave()

    def _shut(self, trouble: Exception) -> None:
        """While it is unknown where the log ends, nothing is taken."""
        self.house.observer.failed("settle", trouble)
        if not self.gone:
            self.section.shut(lambda: Refusal("STORE_UNAVAILABLE"))

    def _landed(self, append: protocol.Append, draft: _core.Draft) -> None:
        self.durable = time.perf_counter()
        if append.outbox:
            self.house.announce()
        self.take_over(draft)

    def take_over(self, draft: _core.Draft) -> None:
        """What is durable becomes the state, and the watchers get it."""
        was = self.status
        try:
            self.table.commit(draft)
            self.sequence, self.acted_sequence = draft.sequence, draft.acted_sequence
            self.status, self.public_ms, self.deadline_ms = draft.status, draft.public_ms, draft.deadline_ms
            self.audience.publish(draft)
            if draft.players != self.players:
                self.players = draft.players
                self.audience.reseat(self.players)
        except Exception as error:
            raise self.mistrusted(error) from error
        self.used_ms = self.house.now()
        self.house.arm(self)
        if self.status != was and status.is_over(self.status):
            self.house.observer.over(self.game, self.status)
            self.audience.finish(all_of_them=self.status == status.MatchStatus.VOID)

    async def behind(self) -> bool:
        """Whether others had appended; the table has it now."""
        head = await self.house.store.head(self.match_id)
        if head is None or head.record < self.table.record:
            raise self.mistrusted(_core.Damaged("the log is shorter than it was"))
        return head.record > self.table.record and await self.catch_up()

    async def catch_up(self) -> bool:
        """Takes over what others have appended; whether there was any."""
        payloads = await self.house.store.payloads(self.match_id, self.table.record)
        if not payloads:
            # The store took nothing and shows nothing: only a fresh look at the log can tell.
            self.drop("reset")
            raise Gone
        for payload in payloads:
            self.take_over(self.told(self.table.read, payload))
        return True

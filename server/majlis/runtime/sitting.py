"""One match in memory: its table, and the serial way in which anything happens to it.

An action is decided on the table, appended to the log, and only when it is durable does the table take it over and do
the watchers get it. All of that runs in the caller's own coroutine while it holds the match's section; a caller who
goes away in the middle leaves the rest to a task. Who loads and drops sittings is told in `hall`.
"""

import asyncio
import dataclasses
import secrets
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from majlis import _core
from majlis.match import seats, status
from majlis.match.refusal import Refusal
from majlis.runtime import doubt, section
from majlis.runtime.audience import Audience
from majlis.runtime.background import Background, shielded
from majlis.runtime.folding import folded
from majlis.runtime.limits import Limits
from majlis.runtime.observer import Observer
from majlis.runtime.outages import Outages
from majlis.store import protocol

P = ParamSpec("P")
T = TypeVar("T")


class Gone(Exception):
    """This sitting was dropped; another one has to be asked."""


@dataclasses.dataclass(frozen=True, slots=True)
class House:
    """What the sittings of one runtime share."""

    store: protocol.Store
    sealer: _core.Sealer
    now: Callable[[], int]
    limits: Limits
    observer: Observer
    outages: Outages
    background: Background
    arm: "Callable[[Sitting], None]"
    """Told when the clock of a sitting may have changed."""
    forget: "Callable[[Sitting], None]"
    """Told when a sitting is over and done with."""


class Sitting:
    """A loaded match."""

    __slots__ = (
        "_durable",
        "_house",
        "_lent",
        "audience",
        "deadline_ms",
        "firing",
        "game",
        "gone",
        "instant_ms",
        "left",
        "match_id",
        "pins",
        "players",
        "section",
        "sequence",
        "status",
        "table",
        "used_ms",
        "visibility",
    )

    def __init__(self, table: _core.Table, house: House) -> None:
        """Seats a table that is at the durable head of its log."""
        self.table = table
        self.match_id = table.match_id
        self.game = table.game
        self.players = table.players
        self.visibility = table.visibility
        self.status = table.status
        self.sequence = table.sequence
        self.deadline_ms = table.deadline_ms
        self.instant_ms = table.instant_ms
        self.section = section.Section(house.limits.queue_length)
        self.audience = Audience(table, self.snapshot, house.now, house.limits, house.observer)
        self.pins = 0
        """Calls that will come back to it after an await outside the section."""
        self.used_ms = house.now()
        self.firing = False
        """A timer has fired and waits, or is at work."""
        self.gone = False
        """It was dropped."""
        self.left: asyncio.Event | None = None
        """Set when what was under way at its drop is finished."""
        self._house = house
        self._lent = False  # the section's holder has gone away, and a task holds it in his place
        self._durable = 0.0  # when the last append was known to be durable

    @property
    def in_use(self) -> bool:
        """Whether anybody acts on it, waits for it or watches it."""
        return self.section.held or bool(self.section.waiting or self.pins or self.audience)

    def viewer(self, player_id: str) -> int:
        """The seat of a player, or `SPECTATOR`.

        Raises:
            Refusal: MATCH_NOT_FOUND, when he may not know of the match.
        """
        viewer = seats.viewer_of(self.players, player_id)
        if not seats.may_see(self.visibility, viewer):
            raise Refusal("MATCH_NOT_FOUND")
        return viewer

    def told(self, ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the table answers to a question that has no refusal; a table at fault is dropped.

        Raises:
            Refusal: INTERNAL or MATCH_DAMAGED.
        """
        try:
            return ask(*args, **kwargs)
        except Exception as error:
            raise self._mistrusted(error) from error

    def snapshot(self, viewer: int) -> bytes:
        """A `WatchMatchResponse` with a snapshot.

        Raises:
            Refusal: INTERNAL.
        """
        return self.told(self.table.snapshot, viewer, self._house.now(), self.audience.connected())

    async def submit(self, player_id: str, submit: _core.Submit, now_ms: int) -> bytes:
        """Plays an action that was received at this instant; the bytes of a `SubmitActionResponse`, once it is durable.

        Raises:
            Refusal: nothing was changed.
            Unavailable: nothing was changed.
            Gone: nothing was done here.
        """
        seat = self.viewer(player_id)
        if seat == _core.SPECTATOR:
            raise Refusal("NOT_SEATED", sequence=self.sequence)
        request = protocol.Request(player_id, submit.request_id, submit.body_hash)
        came = time.perf_counter()
        if not self.section.take():
            await self.section.wait(section.received(now_ms))
        try:
            answer = await self._act(seat, submit, request, now_ms, came)
        finally:
            self._leave()
        if isinstance(answer, bytes):
            return answer
        self._house.observer.repeated(self.game, submit.kind)
        return await self._remade(answer, request, seat)

    async def run_out(self, clock_record: int) -> None:
        """Lets the clock run out that this record armed, unless something came first.

        Raises:
            Refusal: the table was at fault.
            Unavailable: nothing was changed.
            Gone: nothing was done here.
        """
        await self.section.wait(section.behind(self.deadline_ms or 0), always=True)
        try:
            if self.table.clock_record == clock_record:
                await self._keep_time(self._house.now())
        finally:
            self._leave()

    async def refresh(self) -> None:
        """Brings the table to the stored head, if others may append to it, too.

        Raises:
            Refusal: the log is damaged.
            Unavailable: the head could not be read.
            Gone: nothing was done here.
        """
        if self._house.store.shared:
            await self.section.wait(section.received(self._house.now()))
            try:
                await self._behind()
            finally:
                self._leave()

    def drop(self, why: str) -> None:
        """Leaves the memory: who waits for it or watches it has to come again. What is under way is finished first."""
        if self.gone:
            return
        self.gone = True
        self._house.observer.dropped(self.game, why)
        self.section.shut(Gone)
        self.audience.dismiss_all(lambda: Refusal("STREAM_RESET"))
        if self.section.held:
            self.left = asyncio.Event()
        else:
            self._house.forget(self)

    # Inside the section.

    async def _act(
        self, seat: int, submit: _core.Submit, request: protocol.Request, now_ms: int, came: float
    ) -> bytes | protocol.Repeated:
        """Decides, appends, takes over. The answer, or where the log has it."""
        house, entered = self._house, time.perf_counter()
        while True:
            now_ms = max(now_ms, self.instant_ms)
            if (self.deadline_ms is not None and now_ms > self.deadline_ms) or house.outages.concern(
                self.instant_ms, now_ms
            ):
                now_ms = await self._keep_time(now_ms)
            draft = self._judged(seat, submit, now_ms)
            if isinstance(draft, Refusal):
                # The request id comes first: a request that was answered once is not refused now.
                known = await house.store.find_request(self.match_id, request.player_id, request.request_id)
                if known is not None:
                    return known
                if house.store.shared and await self._behind():
                    continue
                raise draft
            judged = time.perf_counter()
            outcome = await self._record(draft, request)
            if isinstance(outcome, protocol.Appended):
                answer = draft.answer(seat)
                house.observer.accepted(self.game, submit.kind, draft.verdict)
                house.observer.staged(
                    entered - came, judged - entered, self._durable - judged, time.perf_counter() - self._durable
                )
                return answer
            if isinstance(outcome, protocol.Repeated):
                return outcome
            house.observer.lost(self.game)
            await self._catch_up()

    def _judged(self, seat: int, submit: _core.Submit, now_ms: int) -> _core.Draft | Refusal:
        expected = submit.expected_sequence
        if expected is not None and expected != self.sequence:
            return Refusal("STALE_SEQUENCE" if expected < self.sequence else "AHEAD_OF_HEAD", sequence=self.sequence)
        try:
            return self.table.decide(seat, submit, now_ms)
        except (_core.Refused, _core.Malformed) as no:
            return Refusal.of(no, self.sequence)
        except Exception as error:
            raise self._mistrusted(error) from error

    async def _keep_time(self, now_ms: int) -> int:
        """Gives back what an outage took, and lets a clock run out whose time is up; the instant to act at.

        Whoever comes first after a deadline does it, so that no late action can overtake the timer.
        """
        outages = self._house.outages
        if outages.concern(self.instant_ms, now_ms):
            await outages.beat()
        while True:
            now_ms = max(now_ms, self.instant_ms)
            if self.deadline_ms is None:
                return now_ms
            if lost_ms := outages.lost_ms(self.instant_ms):
                at_ms = max(now_ms, outages.until_ms)
                draft = self.told(self.table.extend, lost_ms, at_ms)
            elif now_ms > self.deadline_ms:
                late_ms = now_ms - self.deadline_ms
                self._house.observer.fired(self.game, late_ms)
                draft = self.told(self.table.expire, now_ms)
            else:
                return now_ms
            if not isinstance(await self._record(draft, None), protocol.Appended):
                self._house.observer.lost(self.game)
                await self._catch_up()

    async def _record(self, draft: _core.Draft, request: protocol.Request | None) -> protocol.Outcome:
        """Appends a draft and, once it is durable, takes it over; whatever becomes of the caller."""
        append = protocol.Append(
            match_id=self.match_id,
            record=draft.record,
            sequence=draft.sequence,
            status=draft.status,
            over=status.is_over(draft.status),
            instant_ms=draft.instant_ms,
            deadline_ms=draft.deadline_ms,
            append_id=secrets.token_bytes(16),
            payload=draft.payload,
            request=request,
            outbox=status.results(self.status, draft.status),
        )
        try:
            outcome = await self._house.store.append(append)
        except protocol.Unavailable:
            raise
        except asyncio.CancelledError:
            self._lent = True
            self._house.background.begin(self._settle(append, draft), "settle")
            raise
        except Exception as error:  # InDoubt, or a fault of the store that leaves as much in doubt
            if not isinstance(error, protocol.InDoubt):
                self._house.observer.failed("append", error)
            settling = self._house.background.begin(self._settle(append, draft), "settle")
            try:
                return await shielded(settling)
            except asyncio.CancelledError:
                self._lent = not settling.done()
                raise
        if isinstance(outcome, protocol.Appended):
            self._durable = time.perf_counter()
            self._take_over(draft)
        return outcome

    async def _settle(self, append: protocol.Append, draft: _core.Draft) -> protocol.Outcome:
        """Finds out what became of an append and acts on it, in the place of a caller who waits or has gone away."""
        try:
            outcome = await doubt.settle(self._house.store, append, self._shut)
            landed = isinstance(outcome, protocol.Appended)
            self._house.observer.doubted(self.game, landed)
            if landed:
                self._durable = time.perf_counter()
                self._take_over(draft)
            return outcome
        except asyncio.CancelledError:
            self.drop("stopped")  # where the log ends will be seen by whoever loads it next
            raise
        finally:
            if not self.gone:
                self.section.reopen()
            if self._lent:
                self._lent = False
                self._leave()

    def _shut(self, trouble: Exception) -> None:
        """While it is unknown where the log ends, nothing is taken."""
        self._house.observer.failed("settle", trouble)
        if not self.gone:
            self.section.shut(lambda: Refusal("STORE_UNAVAILABLE"))

    def _take_over(self, draft: _core.Draft) -> None:
        """What is durable becomes the state, and the watchers get it."""
        was = self.status
        try:
            self.table.commit(draft)
            self.status, self.sequence, self.instant_ms = draft.status, draft.sequence, draft.instant_ms
            self.deadline_ms = draft.deadline_ms
            self.audience.publish(draft)
        except Exception as error:
            raise self._mistrusted(error) from error
        self.used_ms = self._house.now()
        self._house.arm(self)
        if self.status != was and status.is_over(self.status):
            self._house.observer.over(self.game, self.status)
            self.audience.finish()

    async def _behind(self) -> bool:
        """Whether others had appended; the table has it now."""
        head = await self._house.store.head(self.match_id)
        if head is None or head.record < self.table.record:
            raise self._mistrusted(_core.Damaged("the log is shorter than it was"))
        return head.record > self.table.record and await self._catch_up()

    async def _catch_up(self) -> bool:
        """Takes over what others have appended; whether there was any."""
        payloads = await self._house.store.payloads(self.match_id, self.table.record)
        if not payloads:
            # The store took nothing and shows nothing: only a fresh look at the log can tell.
            self.drop("reset")
            raise Gone
        for payload in payloads:
            self._take_over(self.told(self.table.read, payload))
        return True

    def _leave(self) -> None:
        if self._lent:
            return
        self.section.leave()
        if self.left is not None:
            self._house.forget(self)
            self.left.set()

    def _mistrusted(self, error: Exception) -> Refusal:
        """Drops a table that can no longer be relied on; what its caller is told."""
        self._house.observer.failed("table", error)
        self.drop("reset")
        return Refusal("MATCH_DAMAGED" if isinstance(error, _core.Damaged) else "INTERNAL")

    # Outside the section.

    async def _remade(self, known: protocol.Repeated, request: protocol.Request, seat: int) -> bytes:
        """The answer that a request had got before.

        Raises:
            Refusal: REQUEST_ID_REUSED, when it asked for something else.
        """
        if known.body_hash != request.body_hash:
            raise Refusal("REQUEST_ID_REUSED", sequence=self.sequence)
        payloads = await self._house.store.payloads(self.match_id, 0, known.record)
        try:
            return await folded(len(payloads), _core.answer, payloads, self._house.sealer, seat)
        except _core.Damaged as error:
            self._house.observer.failed("answer", error)
            raise Refusal("MATCH_DAMAGED") from error

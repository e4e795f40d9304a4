"""One match being played: its players' actions and its clock, one after the other.

An action is decided on the table, appended to the log, and only when it is durable does the table take it over and do
the watchers get it: all of that in the caller's own coroutine, while he holds the match's section. The appending is
done in `ledger`; who loads and drops matches is told in `hall`.
"""

import time
from collections.abc import Callable, Sequence

from majlis import _core
from majlis.match import seats, status
from majlis.match.refusal import Refusal
from majlis.runtime import section
from majlis.runtime.folding import folded
from majlis.runtime.ledger import House, Ledger
from majlis.store import protocol


class Sitting(Ledger):
    """A loaded match."""

    __slots__ = ("rematch_id", "visibility")

    def __init__(self, table: _core.Table, house: House) -> None:
        """Seats a table that is at the durable head of its log."""
        super().__init__(table, house)
        self.visibility = table.visibility
        self.rematch_id: str | None = None
        """The rematch that its watchers were told of."""

    def viewer(self, player_id: str) -> int:
        """The seat of a player, or `SPECTATOR`.

        Raises:
            Refusal: MATCH_NOT_FOUND, when he may not know of the match.
        """
        viewer = seats.viewer_of(self.players, player_id)
        if not seats.may_see(self.visibility, viewer) and player_id not in self.table.reserved:
            raise Refusal("MATCH_NOT_FOUND")
        return viewer

    async def submit(self, player_id: str, submit: _core.Submit, now_ms: int) -> bytes:
        """Plays an action that was received at this instant; the bytes of a `SubmitActionResponse`, once it is durable.

        Raises:
            Refusal: nothing was changed.
            Unavailable: nothing was changed.
            Gone: nothing was done here.
        """
        if self.status == status.MatchStatus.WAITING:
            await self.refresh()  # he may have come by another server
        seat = self.viewer(player_id)
        if seat == _core.SPECTATOR:
            raise Refusal("NOT_SEATED", sequence=self.sequence)
        request = protocol.Request(*self.told(self.table.request, player_id, submit))
        came = time.perf_counter()
        if not self.section.take():
            await self.section.wait(section.received(now_ms))
        try:
            answer = await self._act(player_id, seat, submit, request, now_ms, came)
        finally:
            self.leave()
        if isinstance(answer, bytes):
            return answer
        self.house.observer.repeated(self.game, submit.kind)
        return await self._remade(answer, request, seat)

    async def change(
        self,
        decide: Callable[[], _core.Draft],
        now_ms: int,
        *,
        request: protocol.Request | None = None,
        claims: Sequence[protocol.Claim] = (),
        always: bool = False,
    ) -> protocol.Repeated | protocol.Held | None:
        """Changes what is no matter of the table: a seat, a fee. `always` waits even when the queue is full.

        Returns:
            None once it is durable, or if nothing follows; else the request that was answered before, or the name that
            is claimed and held already. Nothing was changed then.

        Raises:
            Refusal: nothing was changed.
            Unavailable: nothing was changed.
            Gone: nothing was done here.
        """
        await self.section.wait(section.received(now_ms), always=always)
        try:
            return await self._change(decide, now_ms, request, claims)
        finally:
            self.leave()

    async def welcome(self, player_id: str, now_ms: int) -> None:
        """A player whom the match waits for came to it at this instant; with the last of them it starts.

        He is turned away for nothing that others do: not for a queue that is full, nor for a match that is void by now.

        Raises:
            Unavailable: it could not be kept that he came.
            Gone: nothing was done here.
        """
        await self.change(lambda: self.table.connect(player_id, now_ms), now_ms, always=True)

    def tell_rematch(self, rematch_id: str) -> None:
        """Tells those who wait for it of the rematch that was made, once."""
        if rematch_id != self.rematch_id:
            self.rematch_id = rematch_id
            self.audience.keep_for_all(self.told(self.table.rematch_made, rematch_id, self.house.now()))

    async def run_out(self) -> None:
        """Lets the clock run out, behind everything received up to its deadline, and unless that came first.

        Raises:
            Refusal: the table was at fault.
            Unavailable: nothing was changed.
            Gone: nothing was done here.
        """
        await self.section.wait(section.behind(self.deadline_ms or 0), always=True)
        try:
            await self._keep_time(self.house.now())
        finally:
            self.leave()

    async def refresh(self, *, settled: bool = False) -> None:
        """Brings the table to the stored head, if others may append to it, too, and gives back what an outage took.

        Who looks at the match is so told the deadline that holds, and acts on a head that this will not move again. An
        outage that nobody has found out yet, since its first beat is still to come, is found out by whoever looks.

        Args:
            settled: waits for what is under way, too: the log may tell of it already.

        Raises:
            Refusal: the log is damaged.
            Unavailable: the head could not be read, or the time not be given back.
            Gone: nothing was done here.
        """
        now_ms = self.house.now()
        if self.house.store.shared or self._may_be_owed_time(now_ms) or (settled and self.section.held):
            await self.section.wait(section.received(now_ms))
            try:
                if self.house.store.shared:
                    await self.behind()
                if self._may_be_owed_time(now_ms):
                    await self._keep_time(now_ms)
            finally:
                self.leave()

    @property
    def may_be_rematched(self) -> bool:
        """Whether those who await a rematch may still stay for it."""
        if self.status != status.MatchStatus.ENDED or self.table.end_ms is None:
            return False
        return self.house.now() - self.table.end_ms < self.house.limits.rematch_stay_seconds * 1000

    @property
    def is_owed_time(self) -> bool:
        """Whether an outage has taken time from it that was not yet given back."""
        return self.deadline_ms is not None and self.house.outages.until_ms > self.public_ms

    def _may_be_owed_time(self, now_ms: int) -> bool:
        return self.is_owed_time or (self.deadline_ms is not None and self.house.outages.due(now_ms))

    # Inside the section.

    async def _act(
        self, player_id: str, seat: int, submit: _core.Submit, request: protocol.Request, now_ms: int, came: float
    ) -> bytes | protocol.Repeated:
        """Decides, appends, takes over. The answer, or where the log has it."""
        house, entered = self.house, time.perf_counter()
        while True:
            if self.deadline_ms is not None and now_ms > self.deadline_ms:
                await self._keep_time(now_ms)
            draft = self._judged(player_id, seat, submit, now_ms)
            if isinstance(draft, Refusal) or draft.is_empty:
                # The request id comes first: a request that was answered once is not refused now, nor answered anew.
                known = await house.store.find_request(self.match_id, request.key)
                if known is not None:
                    return known
                if house.store.shared and await self.behind():
                    continue
                if isinstance(draft, Refusal):
                    raise draft
                # It changes nothing, so nothing has to last and nobody has to be told.
                house.observer.accepted(self.game, submit.kind, draft.verdict)
                return draft.answer(seat)
            # Time is given back before what everybody is told of, and not before what is hidden: all would see when.
            if (self.is_owed_time or house.outages.due(now_ms)) and draft.is_public:
                await self._keep_time(now_ms)
                continue
            judged = time.perf_counter()
            outcome = await self.record(draft, request)
            if isinstance(outcome, protocol.Appended):
                answer = draft.answer(seat)
                house.observer.accepted(self.game, submit.kind, draft.verdict)
                house.observer.staged(
                    entered - came, judged - entered, self.durable - judged, time.perf_counter() - self.durable
                )
                return answer
            if isinstance(outcome, protocol.Repeated):
                return outcome
            house.observer.lost(self.game)
            await self.catch_up()

    async def _change(
        self,
        decide: Callable[[], _core.Draft],
        now_ms: int,
        request: protocol.Request | None,
        claims: Sequence[protocol.Claim],
    ) -> protocol.Repeated | protocol.Held | None:
        house = self.house
        while True:
            if self.deadline_ms is not None and now_ms > self.deadline_ms:
                await self._keep_time(now_ms)
            draft = self._decided(decide)
            if isinstance(draft, Refusal) or draft.is_empty:
                # As with actions the request id comes first.
                known = await self._answered(request, claims, now_ms)
                if known is not None:
                    return known
                if house.store.shared and await self.behind():
                    continue
                if isinstance(draft, Refusal):
                    raise draft
                return None
            if self.is_owed_time or house.outages.due(now_ms):
                await self._keep_time(now_ms)
                continue
            outcome = await self.record(draft, request, claims)
            if isinstance(outcome, protocol.Appended):
                return None
            if isinstance(outcome, protocol.Repeated | protocol.Held):
                return outcome
            house.observer.lost(self.game)
            await self.catch_up()

    async def _answered(
        self, request: protocol.Request | None, claims: Sequence[protocol.Claim], now_ms: int
    ) -> protocol.Repeated | protocol.Held | None:
        if request is not None and (known := await self.house.store.find_request(self.match_id, request.key)):
            return known
        for claim in claims:
            if held := await self.house.store.find_name(claim.kind, claim.name, now_ms):
                return held
        return None

    def _judged(self, player_id: str, seat: int, submit: _core.Submit, now_ms: int) -> _core.Draft | Refusal:
        if self.players[seat] != player_id:  # before the start a seat can become another's while its player waits
            return Refusal("NOT_SEATED", sequence=self.sequence)
        expected = submit.expected_sequence
        if expected is not None and not self.acted_sequence <= expected <= self.sequence:
            ahead = expected > self.sequence
            return Refusal("AHEAD_OF_HEAD" if ahead else "STALE_SEQUENCE", sequence=self.sequence)
        return self._decided(lambda: self.table.decide(seat, submit, now_ms))

    def _decided(self, decide: Callable[[], _core.Draft]) -> _core.Draft | Refusal:
        try:
            return decide()
        except (_core.Refused, _core.Malformed) as no:
            return Refusal.of(no, self.sequence)
        except Exception as error:
            raise self.mistrusted(error) from error

    async def _keep_time(self, now_ms: int) -> None:
        """Gives back what an outage took, and lets a clock run out whose time is up.

        Whoever comes first after a deadline does it, so that no late action can overtake the timer. That no instant
        lies before the one of the record before is seen to by the core.
        """
        outages = self.house.outages
        await outages.find_out(now_ms)
        while self.deadline_ms is not None:
            if lost_ms := outages.lost_ms(self.public_ms):
                draft = self.told(self.table.extend, lost_ms, max(now_ms, outages.until_ms))
            elif now_ms > self.deadline_ms:
                self.house.observer.fired(self.game, now_ms - self.deadline_ms)
                draft = self.told(self.table.expire, now_ms)
            else:
                return
            if not isinstance(await self.record(draft, None), protocol.Appended):
                self.house.observer.lost(self.game)
                await self.catch_up()

    # Outside the section.

    async def _remade(self, known: protocol.Repeated, request: protocol.Request, seat: int) -> bytes:
        """The answer that a request had got before.

        Raises:
            Refusal: REQUEST_ID_REUSED, when it asked for something else.
        """
        if known.body_hash != request.body_hash:
            raise Refusal("REQUEST_ID_REUSED", sequence=self.sequence)
        payloads = await self.house.store.payloads(self.match_id, 0, known.record)
        try:
            return await folded(len(payloads), _core.answer, payloads, self.house.sealer, seat)
        except _core.Damaged as error:
            self.house.observer.failed("answer", error)
            raise Refusal("MATCH_DAMAGED") from error

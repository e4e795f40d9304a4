"""The runtime: what the api asks for, by match and player, in bytes.

It puts the parts together. How calls come in is told in `entrance`, what happens in a match in `sitting`, how a feed
opens in `opening`, how a match is made in `founding`, and without a matchmaker in `lobby`; how services follow what
comes of matches, in `results`; what happens by itself in `pulse`, `timers` and `sweep`.
"""

import functools
from collections.abc import Callable

from majlis import _core
from majlis.match import status
from majlis.match.refusal import Refusal
from majlis.runtime import draining, opening, pages
from majlis.runtime.background import Background
from majlis.runtime.entrance import ATTEMPTS, Entrance
from majlis.runtime.feed import Feed
from majlis.runtime.folding import folded
from majlis.runtime.founding import created
from majlis.runtime.hall import Hall
from majlis.runtime.hints import Hints
from majlis.runtime.ledger import Gone, House, Ledger
from majlis.runtime.limits import Limits
from majlis.runtime.lobby import Lobby
from majlis.runtime.observer import Observer
from majlis.runtime.outages import Outages
from majlis.runtime.presence import Presence
from majlis.runtime.pulse import Pulse
from majlis.runtime.results import Results
from majlis.runtime.sitting import Sitting
from majlis.runtime.sweep import Sweep
from majlis.runtime.timers import Timers
from majlis.store import protocol


class Runtime:
    """All matches of one server process. One event loop uses it.

    Every call may raise a `Refusal`: DRAINING once `stop` was called, STORE_UNAVAILABLE while the store is away,
    OVERLOADED when too many wait, MATCH_NOT_FOUND, MATCH_DAMAGED, INTERNAL, and what it names itself.
    """

    def __init__(
        self,
        store: protocol.Store,
        sealer: _core.Sealer,
        *,
        now: Callable[[], int],
        observer: Observer,
        limits: Limits,
    ) -> None:
        """A runtime that was not started yet.

        Args:
            store: the logs.
            sealer: opens and seals deal seeds.
            now: milliseconds since 1970.
            observer: is told what happens.
            limits: bounds of it all.
        """
        self._background = Background(observer.failed)
        outages = Outages(store, now, limits.outage_seconds * 1000, limits.restart_seconds * 1000, observer.outage)
        self._house = House(
            store=store,
            sealer=sealer,
            now=now,
            limits=limits,
            observer=observer,
            outages=outages,
            presence=Presence(int(limits.presence_grace_seconds * 1000)),
            background=self._background,
            announce=self._announce,
            arm=self._arm,
            forget=self._forget,
        )
        self._hall = Hall(self._house)
        self.sweep = Sweep(self._house, self._hall)
        self.hints = Hints(self._house, self._hall)
        self.pulse = Pulse(self._house, self._hall, self.hints, self.sweep.fire)
        self._timers = Timers(now, self.sweep.fire)
        self._entrance = Entrance(self._house, self._hall)
        self.lobby = Lobby(self._house, self._hall, self._entrance)
        self.results = Results(self._house, self._entrance)

    async def start(self) -> None:
        """Takes up its work: overdue clocks first.

        Raises:
            Unavailable: the store is away.
        """
        self._house.store.on_reopen = lambda: self._hall.drop_all("reset")
        self._house.store.on_hint = self.hints.heard
        await self._house.outages.beat()
        self._background.begin(self.pulse.beats(), "beats")
        self._background.begin(self.sweep.sweeps(), "sweeps")
        self._background.begin(self.results.publications(), "publications")

    async def close(self) -> None:
        """Takes no more calls, tells who watches, and finishes the calls that were begun. Safe to call twice."""
        if not self._entrance.close():
            return
        limits = self._house.limits
        self._timers.stop()
        self._house.outages.rest()
        self._house.presence.hold()
        draining.tell(self._house, self._hall, int((limits.grace_seconds + limits.drain_seconds) * 1000))
        try:
            await self._entrance.emptied(limits.grace_seconds)
        except TimeoutError as error:
            self._house.observer.failed("stop", error)

    def ends(self) -> list[Callable[[], None]]:
        """What ends the feeds that are open, one each; but those that a session reads, which ends with all it has."""
        watched = ((sitting.audience, feed) for sitting in self._hall for feed in sitting.audience)
        return [
            *(
                functools.partial(audience.dismiss, feed, Refusal("DRAINING"))
                for audience, feed in watched
                if feed.on_ready is None
            ),
            *(functools.partial(feed.end, Refusal("DRAINING")) for feed in self.results.open),
        ]

    async def stop(self) -> None:
        """Closes it if it is open, ends the feeds, and lets go of everything. Safe to call twice."""
        await self.close()
        await draining.spread(self.ends(), self._house.limits.drain_seconds)
        await self._background.cancel()
        self._hall.drop_all("stopped")

    @property
    def loaded(self) -> int:
        """How many matches are in memory."""
        return len(self._hall)

    async def create(self, request: bytes) -> bytes:
        """Makes the match that a `CreateMatchRequest` asks for, or finds the one made before; a `Match`.

        Raises:
            Refusal: MALFORMED_REQUEST; EXTERNAL_ID_REUSED, when the same id asked for another match.
        """
        with self._entrance.inside():
            sitting = await created(self._house, self._hall, request)
            return sitting.told(sitting.table.match, sitting.audience.connected())

    async def submit(self, player_id: str, submit: _core.Submit, now_ms: int) -> bytes:
        """Plays an action that was received at this instant; a `SubmitActionResponse`, once it is durable.

        A repeat of an answered request gets the first answer, made again from the log.

        Raises:
            Refusal: NOT_SEATED, STALE_SEQUENCE, AHEAD_OF_HEAD, REQUEST_ID_REUSED, or what the rules say.
        """
        self._entrance.begin()
        game = ""
        try:
            for _ in range(ATTEMPTS):
                sitting = self._hall.get(submit.match_id)
                if sitting is None or sitting.gone:
                    sitting = await self._hall.sitting(submit.match_id)
                game = sitting.game
                try:
                    return await sitting.submit(player_id, submit, now_ms)
                except Gone:
                    continue
            raise Refusal("STORE_UNAVAILABLE")  # as at the entrance
        except Refusal as no:
            self._house.observer.refused(game, submit.kind, no.reason)
            raise
        except protocol.Unavailable as error:
            self._house.observer.refused(game, submit.kind, "STORE_UNAVAILABLE")
            raise Refusal("STORE_UNAVAILABLE") from error
        finally:
            self._entrance.end()

    async def get_match(self, player_id: str, match_id: str) -> bytes:
        """A `GetMatchResponse`, as this player may see it."""

        async def look(sitting: Sitting) -> bytes:
            await sitting.refresh()
            viewer = sitting.viewer(player_id)
            return sitting.told(sitting.table.get_match, viewer, self._house.now(), sitting.audience.connected())

        return await self._entrance.at(match_id, look)

    async def watch(
        self,
        player_id: str,
        match_id: str,
        after_sequence: int | None,
        device: str = "",
        *,
        spectator_id: str = "",
        await_rematch: bool = False,
    ) -> Feed:
        """A feed of `WatchMatchResponse`s for this player, who has come with it if the match waits for him.

        Whoever gets it closes it.

        Args:
            player_id: who watches; empty for one who is no player.
            match_id: what.
            after_sequence: what he has seen; None asks for a snapshot.
            device: which of his devices it is for, when that is known: a new feed takes the place of the device's old.
            spectator_id: who watches, if he is no player.
            await_rematch: whether it stays for a while after the end, to be told of a rematch.

        Raises:
            Refusal: AHEAD_OF_HEAD.
        """
        now_ms = self._house.now()

        async def open_feed(sitting: Sitting) -> Feed:
            await sitting.refresh()
            return await opening.opened(
                self._house, sitting, player_id, after_sequence, device, spectator_id, await_rematch, now_ms
            )

        return await self._entrance.at(match_id, open_feed)

    async def matches_of(self, player_id: str, page_size: int, page_token: str) -> tuple[list[bytes], str]:
        """A page of the player's matches that are not over, newest first, as `Match`es; and the token of the next.

        Raises:
            Refusal: MALFORMED_REQUEST, for a token that is none.
        """
        before = None
        if page_token:
            instant, match_id = pages.place(page_token, 2)
            before = (int(instant), match_id)
        with self._entrance.inside():
            found = await self._house.store.matches_of(player_id, before, page_size + 1)
        matches = []
        for _, match_id in found[:page_size]:
            try:
                matches.append(await self._entrance.at(match_id, self._match))
            except Refusal as no:
                # One match that cannot be read does not hide the others; the observer was told.
                if no.reason not in ("MATCH_DAMAGED", "INTERNAL", "MATCH_NOT_FOUND"):
                    raise
        return matches, pages.token(*found[page_size - 1]) if len(found) > page_size else ""

    async def replay(self, player_id: str, match_id: str, page_size: int, page_token: str) -> tuple[bytes, str]:
        """A page of an ended match's record, a `GetReplayResponse` without its token; and the token of the next.

        Raises:
            Refusal: MATCH_NOT_ENDED; MALFORMED_REQUEST, for a token that is none.
        """
        after = int(pages.place(page_token, 1)[0]) if page_token else 0

        async def read(sitting: Sitting) -> tuple[bytes, str]:
            await sitting.refresh()
            sitting.viewer(player_id)
            if not status.is_over(sitting.status):
                raise Refusal("MATCH_NOT_ENDED", sequence=sitting.sequence)
            if after > sitting.sequence:
                raise pages.malformed()
            payloads = await self._house.store.payloads(match_id)
            try:
                page, last = await folded(len(payloads), _core.replay, payloads, self._house.sealer, after, page_size)
            except _core.Damaged as error:
                self._house.observer.failed("replay", error)
                raise Refusal("MATCH_DAMAGED") from error
            return page, pages.token(last) if last else ""

        return await self._entrance.at(match_id, read)

    async def _match(self, sitting: Sitting) -> bytes:
        await sitting.refresh()
        return sitting.told(sitting.table.match, sitting.audience.connected())

    def _announce(self) -> None:
        self.results.announce()

    def _arm(self, match: Ledger) -> None:
        self._timers.arm(match)

    def _forget(self, match: Ledger) -> None:
        self._hall.forget(match)
        self._timers.disarm(match)

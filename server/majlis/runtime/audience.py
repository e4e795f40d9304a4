"""Who watches one match: feeds by viewer, presence, heartbeats, and the bytes that go out, made once for each view.

When something is sent is the sitting's affair, how a reader gets it the feed's, which of a device's feeds counts that
of `leases`, and for how long somebody who went is shown that of `presence`. A viewer class whom nobody belongs to costs
nothing: its bytes are not made.
"""

from collections.abc import Callable, Iterator, Sequence

from majlis import _core
from majlis.match import seats
from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.runtime.leases import Leases
from majlis.runtime.limits import Limits
from majlis.runtime.observer import Observer
from majlis.runtime.presence import Presence


class Audience:
    """The open feeds of a match."""

    __slots__ = (
        "_by_viewer",
        "_leases",
        "_limits",
        "_match_id",
        "_now",
        "_observer",
        "_presence",
        "_snapshot",
        "_table",
        "spoken_ms",
    )

    def __init__(
        self,
        table: _core.Table,
        snapshot: Callable[[int], bytes],
        now: Callable[[], int],
        limits: Limits,
        observer: Observer,
        presence: Presence,
    ) -> None:
        self._table = table
        self._match_id = table.match_id
        self._snapshot = snapshot
        self._now = now
        self._limits = limits
        self._observer = observer
        self._presence = presence
        self._leases = Leases(limits.feeds_per_player)
        self._by_viewer: dict[int, dict[Feed, None]] = {}  # ordered sets, oldest first; none is empty
        self.spoken_ms = now()
        """When everybody was last sent something."""

    def __bool__(self) -> bool:
        return bool(self._by_viewer)

    def __iter__(self) -> Iterator[Feed]:
        for feeds in list(self._by_viewer.values()):
            yield from list(feeds)

    def __len__(self) -> int:
        return sum(map(len, self._by_viewer.values()))

    def connected(self) -> list[int]:
        """The seats whose players watch, or went so little ago that they are shown as if they did."""
        watching = {viewer for viewer in self._by_viewer if viewer != _core.SPECTATOR}
        return sorted(watching | self._presence.shown(self._match_id, self._table.players))

    def admit(self, player_id: str, viewer: int, device: str, how: str, spectator_id: str = "") -> Feed:
        """A new feed, which takes the place of the same device's; what happens from now on is pushed to it.

        It opens with a `snapshot`, a `gap` or at the `head`: that is for the observer.

        Raises:
            Refusal: OVERLOADED, when there are too many spectators.
        """
        watching = self._by_viewer.get(viewer, {})
        rival = self._leases.rival(player_id, device, spectator_id)
        replaced = [feed for feed in watching if feed.lease == rival] if rival else []
        if viewer == _core.SPECTATOR and len(watching) - len(replaced) >= self._limits.spectator_feeds:
            raise Refusal("OVERLOADED")
        lease = self._leases.take(player_id, device, spectator_id)
        feed = Feed(self, lease, viewer, self._limits.feed_length, self._observer.lagged)
        if not watching and viewer != _core.SPECTATOR and self._presence.came(self._match_id, viewer, player_id):
            self._announce(viewer, True)
        self._by_viewer.setdefault(viewer, {})[feed] = None
        self._observer.feed_opened(how)
        for old in replaced:
            self.dismiss(old, Refusal("STREAM_REPLACED"))
        return feed

    def leave(self, feed: Feed, why: str) -> None:
        """Forgets a feed; forgetting it twice is forgetting it once."""
        feeds = self._by_viewer.get(feed.viewer)
        if feeds is None or feed not in feeds:
            return
        del feeds[feed]
        self._leases.give_back(feed.lease)
        self._observer.feed_closed(why)
        if not feeds:
            del self._by_viewer[feed.viewer]
            self._went(feed.viewer, feed.lease.player_id)

    def dismiss(self, feed: Feed, refusal: Refusal, *, unread: bool = True) -> None:
        """Ends a feed with a refusal, once it has been read or at once, and forgets it."""
        feed.end(refusal, unread=unread)
        self.leave(feed, refusal.reason)

    def notices(self, viewer: int) -> list[bytes]:
        """What has no number, for a feed that opens: the presence of each seat, and what only this viewer may know."""
        now_ms, connected = self._now(), self.connected()
        taken = [seat for seat, player in enumerate(self._table.players) if player is not None]
        notices = [self._table.presence(seat, seat in connected, now_ms) for seat in taken]
        private = self._table.private_state(viewer, now_ms)
        return notices if private is None else [*notices, private]

    def publish(self, draft: _core.Draft) -> None:
        """Hands out what is durable now; what is not public reaches its own seat, and moves nobody's heartbeat."""
        if not self._by_viewer:
            return
        now_ms = self._now()
        if draft.is_public:
            self.spoken_ms = now_ms
        for viewer, feeds in self._by_viewer.items():
            update = draft.update(viewer, now_ms)
            if update is not None:
                for feed in feeds:
                    feed.push(update)

    def tell(self, message: bytes) -> None:
        """Sends everybody the same."""
        for feeds in self._by_viewer.values():
            for feed in feeds:
                feed.push(message)

    def keep_for_all(self, message: bytes) -> None:
        """Sends everybody the same, which no snapshot tells."""
        for feed in self:
            feed.keep(message)

    def finish(self, *, all_of_them: bool = True) -> None:
        """Ends the feeds once they have been read: nothing more will happen. Those that await a rematch may stay."""
        for feed in self:
            if all_of_them or not feed.awaits_rematch:
                feed.finish()

    def reseat(self, players: Sequence[str | None]) -> None:
        """Lets those go whose seat is another by now: a feed shows what its own seat may see, and nobody else's."""
        self._presence.reseat(self._match_id, players)
        for feed in self:
            if seats.viewer_of(players, feed.lease.player_id) != feed.viewer:
                # What a feed still owes, a snapshot perhaps, would be made as of its old seat.
                self.dismiss(feed, Refusal("STREAM_RESET"), unread=False)

    def dismiss_all(self, refusal: Callable[[], Refusal]) -> None:
        """Ends every feed with a refusal, once it has been read."""
        for feed in self:
            self.dismiss(feed, refusal())

    def pulse(self, now_ms: int) -> None:
        """Sends a sign of life if it is time, and lets those go who have read nothing for too long."""
        for feed in self:
            if feed.still_ms(now_ms) > self._limits.stall_seconds * 1000:
                self.dismiss(feed, Refusal("STREAM_STALLED"), unread=False)
                if feed.on_stall is not None:
                    feed.on_stall()
        # A clock that was set back counts as silence, too.
        if self._by_viewer and not 0 <= now_ms - self.spoken_ms < self._limits.heartbeat_seconds * 1000:
            self.spoken_ms = now_ms
            self.tell(self._table.heartbeat(now_ms))

    def snapshot(self, viewer: int) -> bytes:
        """The match as it stands, for a feed that fell behind.

        Raises:
            Refusal: it cannot be made.
        """
        return self._snapshot(viewer)

    def miss(self, seat: int, player_id: str) -> None:
        """A player who went has not come back in time."""
        if self._table.players[seat] == player_id:
            self._announce(seat, False)

    def _went(self, viewer: int, player_id: str) -> None:
        if viewer == _core.SPECTATOR or self._table.players[viewer] != player_id:
            return  # who has given his seat back is gone with it
        if self._presence.went(self._match_id, viewer, player_id, self._now()):
            self._announce(viewer, False)

    def _announce(self, seat: int, connected: bool) -> None:
        if self._by_viewer:
            self.tell(self._table.presence(seat, connected, self._now()))

"""Leases: which stream of a device is the one that counts. A lease is (holder, device, match), and the newest wins.

The loser's stream ends with STREAM_REPLACED, and whatever it still does, late, changes nothing: each lease has an
epoch, and only the one that holds can be given back. Nothing here knows of streams, seats or time. These leases are
those of one process, in memory; kept in a store, for several servers, `take` would write the next epoch over the last,
and `give_back` delete the row if it still has the lease's own.
"""

import dataclasses
import itertools


@dataclasses.dataclass(frozen=True, slots=True)
class Lease:
    """One of a match."""

    player_id: str
    """Whose it is; empty for a spectator's."""
    spectator_id: str
    """Whose it is, where he is no player."""
    device: str
    """Empty for a stream that names none: it is a device of its own."""
    epoch: int
    """Of two leases of a match the later has the higher."""


class Leases:
    """Of one match: those that hold."""

    __slots__ = ("_epochs", "_held", "_most")

    def __init__(self, most: int) -> None:
        """At most so many of one holder; one more takes the place of his oldest."""
        self._most = most
        self._epochs = itertools.count(1)
        self._held: dict[tuple[str, str], dict[str | int, Lease]] = {}
        # By holder, and then by device, or by epoch where there is none; oldest first, and none is empty.

    def rival(self, player_id: str, device: str, spectator_id: str = "") -> Lease | None:
        """The lease that would lose against a new one of this holder and device."""
        own = self._held.get((player_id, spectator_id), {})
        if device and device in own:
            return own[device]
        return next(iter(own.values())) if len(own) >= self._most else None

    def take(self, player_id: str, device: str, spectator_id: str = "") -> Lease:
        """A new lease; its `rival` holds no more."""
        if rival := self.rival(player_id, device, spectator_id):
            self.give_back(rival)
        lease = Lease(player_id, spectator_id, device, next(self._epochs))
        self._held.setdefault((player_id, spectator_id), {})[device or lease.epoch] = lease
        return lease

    def give_back(self, lease: Lease) -> bool:
        """Ends a lease; False, and nothing was changed, if another one has taken its place or it was ended before."""
        holder, key = (lease.player_id, lease.spectator_id), lease.device or lease.epoch
        own = self._held.get(holder, {})
        if own.get(key) != lease:
            return False
        del own[key]
        if not own:
            del self._held[holder]
        return True

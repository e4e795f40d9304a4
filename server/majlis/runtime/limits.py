"""How much the runtime takes on, and for how long. What is beyond is refused, replaced or let go, never piled up."""

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one runtime; durations in seconds."""

    queue_length: int = 64
    """Actions that may wait in one match; one more is refused with OVERLOADED."""
    feed_length: int = 64
    """Updates that may wait for one watcher; one more, and all of them give way to a snapshot."""
    feeds_per_player: int = 8
    """Open feeds of one player in one match; one more replaces his oldest."""
    spectator_feeds: int = 1_000
    """Open feeds of spectators in one match; one more is refused with OVERLOADED."""
    max_gap: int = 512
    """Missed events that a watcher is sent one by one; more take a snapshot."""
    loaded: int = 20_000
    """Matches in memory, before those that nobody uses have to leave early."""
    heartbeat_seconds: float = 15.0
    """Between signs of life in a match in which nothing happens."""
    presence_grace_seconds: float = 5.0
    """For how long a seat is still shown as connected after its last stream; 0 is not at all."""
    stall_seconds: float = 30.0
    """Until a watcher who reads nothing is let go."""
    idle_seconds: float = 60.0
    """Until a match that nobody uses leaves the memory."""
    outage_seconds: float = 3.0
    """The longest gap between two signs of life of the server for which players are given no time back."""
    restart_seconds: float = 0.0
    """The same between the last sign of life of an earlier run and the first of this one."""
    pulse_seconds: float = 1.0
    """Between two looks at everything that only has to be looked at now and then."""
    stakes_seconds: float = 60.0
    """That the wallet has to confirm the fees of a full match; 0 asks for no confirmation."""
    tables_seconds: float = 600.0
    """Until a match is void that waits at a table for players."""
    rooms_seconds: float = 900.0
    """Until a private room is void whose seats are not full."""
    rematch_seconds: float = 30.0
    """Until a rematch is void that the others do not join."""
    rematch_stay_seconds: float = 120.0
    """After the end, for how long those may stay who await a rematch."""
    grace_seconds: float = 10.0
    """The longest that `stop` waits for what was begun."""
    drain_seconds: float = 5.0
    """Over how long at the most `stop` spreads the ends of the feeds, so that not everybody comes back at once."""

    @property
    def stakes_ms(self) -> int:
        """`stakes_seconds` in milliseconds."""
        return int(self.stakes_seconds * 1000)

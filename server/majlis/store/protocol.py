"""What the runtime asks of a store, and what it gets back.

A match is its log of records, numbered from 1 without a gap. Whoever appends record n + 1 to a log whose head is n
wins; everybody else has lost and catches up. Payloads are opaque bytes that the Rust core makes and reads. Nothing
about SQL or files stands here.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """The request that an append answers, so that a repeat finds it again; it tells neither the player nor the action.

    Both are opaque bytes that the Rust core makes.
    """

    key: bytes
    """Of the player and his request id: no other request of the match has it. 32 bytes."""
    body_hash: bytes
    """Of what was asked, 32 bytes: a repeat that asks for the same has the same."""


@dataclasses.dataclass(frozen=True, slots=True)
class Founding:
    """What a match's first append adds: how the match is found by others than its id."""

    game: str
    external_id: str
    """The creating service's id, unique among its matches; empty when there is none."""
    body_hash: bytes
    """SHA-256 of the creating request, 32 bytes."""


@dataclasses.dataclass(frozen=True, slots=True)
class Claim:
    """A name that an append takes for its match, unless somebody has it. There are several kinds, apart."""

    kind: str
    """`table`, `code`, `request`, `rematch`."""
    name: str
    body_hash: bytes = b""
    """Of what was asked under this name, 32 bytes; empty where nothing is compared."""
    expires_ms: int | None = None
    """From this instant on nobody has it any more, and it may be taken anew; None keeps it until it is released."""


@dataclasses.dataclass(frozen=True, slots=True)
class Append:
    """One record to be appended, with the head that the match has after it."""

    match_id: str
    record: int
    """The number it takes; it is appended exactly if the head is `record - 1`."""
    sequence: int
    """Public sequence after it."""
    status: int
    """`MatchStatus` after it; the store keeps it and does not read it."""
    over: bool
    """The match has ended with it, by whatever status: it leaves `matches_of`."""
    instant_ms: int
    """Not before that of the record before it; what it claims has to be free at this instant."""
    deadline_ms: int | None
    """When the clock that runs after it runs out."""
    append_id: bytes
    """16 random bytes, by which an append in doubt is found again."""
    payload: bytes
    request: Request | None = None
    founding: Founding | None = None
    """Given exactly when `record` is 1."""
    players: tuple[str | None, ...] | None = None
    """Who sits where after it, by seat, None on a free one; absent when that is as it was, and after the end."""
    claims: tuple[Claim, ...] = ()
    """Names that it takes, each once: all of them, or nothing is written."""
    releases: tuple[str, ...] = ()
    """Kinds of names that its match gives up, every name of them."""
    outbox: tuple[str, ...] = ()
    """Kinds of result that consumers are to be told of: `seated`, `started`, `ended`, `void`."""

    def __post_init__(self) -> None:
        if (self.record == 1) != (self.founding is not None):
            raise ValueError("a founding comes with record 1, and with no other")
        if len({(claim.kind, claim.name) for claim in self.claims}) < len(self.claims):
            raise ValueError("an append claims a name once")


@dataclasses.dataclass(frozen=True, slots=True)
class Appended:
    """It is durable."""


@dataclasses.dataclass(frozen=True, slots=True)
class Lost:
    """Somebody else appended first, or the head is not where the append expected it; nothing was written."""


@dataclasses.dataclass(frozen=True, slots=True)
class Repeated:
    """A request with this key is in the match's log already; nothing was written."""

    record: int
    body_hash: bytes


@dataclasses.dataclass(frozen=True, slots=True)
class Founded:
    """A match with this external id is there already; nothing was written."""

    match_id: str
    body_hash: bytes


@dataclasses.dataclass(frozen=True, slots=True)
class Held:
    """A name, and the match that has it. As an outcome: one that was to be taken; nothing was written."""

    kind: str
    name: str
    match_id: str
    body_hash: bytes
    """Of what was asked when it was taken."""


Outcome = Appended | Lost | Repeated | Founded | Held


@dataclasses.dataclass(frozen=True, slots=True)
class Head:
    """Where a match's log ends."""

    match_id: str
    record: int
    sequence: int
    status: int
    deadline_ms: int | None


NAMES_FORGOTTEN = 500
"""Expired names that a beat forgets at the most, those that expired first."""

OUTAGES_KEPT = 64
"""Outages that a store remembers one by one; older ones it counts as one."""


@dataclasses.dataclass(frozen=True, slots=True)
class Outage:
    """A time without a sign of life of the server; instants in milliseconds."""

    since_ms: int
    until_ms: int


def remembered(outages: Sequence[Outage]) -> list[Outage]:
    """What a store keeps of these, which are in order: of too many the two oldest become one, as long as both together.

    So a clock that ran through all of them gets all of it back, however often a server was started anew meanwhile. One
    that began between the two may be given a little more than it lost.
    """
    kept = list(outages)
    while len(kept) > OUTAGES_KEPT:
        first, second = kept[:2]
        kept[:2] = [Outage(second.since_ms - (first.until_ms - first.since_ms), second.until_ms)]
    return kept


@dataclasses.dataclass(frozen=True, slots=True)
class Result:
    """A result of the outbox that has its place."""

    position: int
    """From 1; a later result of the same match has a later one."""
    match_id: str
    record: int
    """That brought it."""
    kind: str


class Unavailable(Exception):
    """The store cannot take or answer this now, and a later try may succeed.

    Nothing of an append is durable. A sign of life, places or an acknowledgement may be: to try again is right with
    them either way.
    """


class InDoubt(Exception):
    """The outcome of an append is unknown: it must be read back by its append id before anything is answered."""


class Foreign(Exception):
    """The file or database is not one of this program's, is damaged, or needs another version of the program."""


class Store(Protocol):
    """Logs of matches. Every call may raise `Unavailable`; all of them belong to one event loop, the first caller's."""

    on_reopen: Callable[[], None]
    """Called on the event loop when the store had to let go of its connection and open it again. Whatever was read
    before may be stale: drop every loaded match. It comes before the outcomes of the appends that failed."""

    on_hint: Callable[[str, int], None]
    """Called on the event loop with a match and a record that somebody else has appended to it. Stores that are not
    shared never call it, and others not for every append."""

    @property
    def shared(self) -> bool:
        """Whether others append to the same logs: only then can a head that was read here have moved elsewhere."""

    async def append(self, append: Append) -> Outcome:
        """Appends one record; returns when it is durable or certainly not written.

        What is in the log already under the same append id is `Appended`, and is not written twice. Otherwise a
        request that was answered before is `Repeated`, a taken external id `Founded`, a claimed name that a match has
        at `instant_ms` (be it the same match) `Held`, the first such of the claims, and everything else that does not
        follow the head is `Lost`. What it releases is given up before it claims. A caller that is cancelled while it
        waits does not take its append back.

        Raises:
            InDoubt: it may or may not have been written.
            ValueError: it holds what cannot be stored, such as an integer of more than 64 bits.
        """

    async def find_append(self, match_id: str, append_id: bytes) -> int | None:
        """The record that carries this append id, if it landed. For an append that was in doubt the answer is final."""

    async def head(self, match_id: str) -> Head | None:
        """Where the match's log ends; None for an unknown match."""

    async def heads(self, match_ids: Sequence[str]) -> Sequence[Head]:
        """Where the logs of these matches end, in no order, without those that are unknown."""

    async def payloads(self, match_id: str, after_record: int = 0, up_to_record: int | None = None) -> list[bytes]:
        """Payloads in order, from the record after `after_record` up to and with `up_to_record`, or the head.

        Empty for an unknown match.
        """

    async def find_request(self, match_id: str, key: bytes) -> Repeated | None:
        """The record that answered the request with this key, if there is one."""

    async def find_external(self, external_id: str) -> Founded | None:
        """The match that was made under this external id; the empty id names none."""

    async def claim(self, match_id: str, claim: Claim, now_ms: int) -> Held:
        """Takes a name for a match without an append, unless somebody has it; who has it then, as durably."""

    async def find_name(self, kind: str, name: str, now_ms: int) -> Held | None:
        """Which match has this name, if any has it at this instant."""

    async def names_of(self, match_id: str, kind: str, now_ms: int) -> list[str]:
        """The names of a kind that a match has at this instant, in their own order."""

    async def matches_of(self, player_id: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Matches in which a player has a seat, and that are not over, newest first, below `before`.

        Returns: founding instant and match id of each; `limit` at the most.
        """

    async def due(self, by_ms: int, limit: int) -> Sequence[Head]:
        """Matches whose clock runs out at or before this instant, earliest first, then by match id."""

    async def beat(self, now_ms: int, longest_ms: int) -> Sequence[Outage]:
        """Keeps a sign of life of the server, as durably as an append: a store that takes none is away.

        A gap of more than `longest_ms` since the sign before, be it of an earlier run, is an outage. Names that have
        expired are forgotten on the way.

        Returns: the latest outages, this one included, earliest first.
        """

    async def publish(self, limit: int) -> int:
        """Gives places to results that are durable and have none yet, those of a match in the order of its log.

        Since only what is committed gets a place, and one publisher at a time gives them, no reader that has come to a
        place will ever find a new result before it.

        Returns: how many got one; `limit` at the most.
        """

    async def results(self, after: int, limit: int) -> list[Result]:
        """Results after a place, in order; `limit` at the most."""

    async def acknowledged(self, consumer: str) -> int:
        """The place up to which a consumer has everything; 0 for one that never said so."""

    async def acknowledge(self, consumer: str, position: int) -> None:
        """The consumer has everything up to this place. One that is not beyond what he said before changes nothing."""

    async def close(self) -> None:
        """Finishes what waits, then lets go of the store. Safe to call twice; later calls raise `Unavailable`."""

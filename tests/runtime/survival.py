"""What clients remember of several matches at once, and what has to hold of it; nothing here asks a runtime's memory.

A `Table` is a match as all of its clients together know it: what they were answered, told and shown. A `Follower` is a
screen that lives through restarts. What may happen to them is in `test_survival`.
"""

import copy
import dataclasses
from collections.abc import Sequence

from majlis import _core
from majlis.client.view import Picture
from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.store import protocol
from majlis.v1 import event_pb2, match_pb2
from tests.runtime import claims, room, trix
from tests.runtime.room import RESIGN, Action, State, Update

SPECTATOR = "celine"
ENDS = {"STREAM_REPLACED", "STREAM_RESET", "DRAINING"}
"""Why a stream may end early here."""

Key = tuple[str, str]
"""Player and request id."""


@dataclasses.dataclass(frozen=True)
class Sent:
    """A request as it went out."""

    player: str
    request_id: str
    action: Action
    expected: int | None
    received_ms: int

    @property
    def key(self) -> Key:
        return self.player, self.request_id


@dataclasses.dataclass
class Table:
    """A match as its clients know it."""

    founded: protocol.Append
    players: tuple[str, ...]
    answers: dict[Key, tuple[Sent, bytes]] = dataclasses.field(default_factory=dict)
    """What was acknowledged, in that order."""
    refused: set[Key] = dataclasses.field(default_factory=set)
    """What was refused, or accepted and changed nothing."""
    held_up: list[Sent] = dataclasses.field(default_factory=list)
    """Received by a server's loop, and not yet at the match."""
    log: list[bytes] = dataclasses.field(default_factory=list)
    """As it was last read out of the store."""
    _clocks: dict[int, bytes] = dataclasses.field(default_factory=dict)
    _told: dict[tuple[str, int], bytes] = dataclasses.field(default_factory=dict)
    _digests: dict[tuple[str, int], bytes] = dataclasses.field(default_factory=dict)
    _keys: dict[Key, bytes] = dataclasses.field(default_factory=dict)
    _requests: int = 0

    @property
    def match_id(self) -> str:
        return self.founded.match_id

    def next_request(self) -> str:
        """Ids are counted by match: a player uses the same in all of his."""
        self._requests += 1
        return f"r{self._requests}"

    def request_key(self, key: Key) -> bytes:
        """Under which the store keeps it."""
        if key not in self._keys:
            self._keys[key] = room.request_key(self.founded, *key)
        return self._keys[key]

    def saw_clock(self, sequence: int, clock: match_pb2.Clock) -> None:
        """A client is shown a clock: between two events it is always the same."""
        shown = clock.SerializeToString(deterministic=True)
        assert self._clocks.setdefault(sequence, shown) == shown, (sequence, clock)

    def saw_event(self, viewer: str, event: event_pb2.Event, clock: match_pb2.Clock | None) -> None:
        """A client is told an event, and at the end of a batch the clock after it."""
        told = event.SerializeToString(deterministic=True)
        assert self._told.setdefault((viewer, event.sequence), told) == told
        before = self._clocks.get(event.sequence - 1)
        if clock is None or before is None:
            return
        was = match_pb2.Clock.FromString(before)
        if event.HasField("clock_extended"):
            moved_ms = clock.deadline.ToMilliseconds() - was.deadline.ToMilliseconds()
            assert moved_ms == event.clock_extended.by_ms
        elif event.HasField("resigned") and len(self.players) > 2:
            assert clock == was  # who gives up changes nothing for the others

    def saw_digest(self, viewer: str, sequence: int, digest: bytes) -> None:
        """A client is told a digest, or has made it: of one state there is one."""
        assert self._digests.setdefault((viewer, sequence), digest) == digest

    def events(self) -> list[event_pb2.Event]:
        """All that a spectator is told of the log as it is stored."""
        told = _core.missed(self.log, room.SEALER, _core.SPECTATOR, 0, 0)
        return [event for message in told for event in Update.FromString(message).events.events]

    def acted(self) -> int:
        """The last event that was more than time given back."""
        return max(event.sequence for event in self.events() if not event.HasField("clock_extended"))

    def assert_in_the_log(self, log: Sequence[bytes], records: Sequence[protocol.Repeated | None]) -> None:
        """Asserts that a log read just now goes on where it was, and has all `answers`, once and in their order.

        `records` is what the store says of the request of each answer.
        """
        assert list(log[: len(self.log)]) == self.log, "what was stored has changed"
        self.log = list(log)
        numbers = [found.record for found in records if found is not None]
        assert len(numbers) == len(self.answers), "an acknowledged action is not in the log"
        assert len(set(numbers)) == len(numbers), "two actions in one record"
        told = [room.Answer.FromString(answer) for _, answer in self.answers.values()]
        order = [number for _, number in sorted(zip([one.sequence for one in told], numbers, strict=True))]
        assert order == sorted(order), "the log has another order than the answers"
        here = {event.sequence for event in self.events()}
        for answer in told:
            assert here.issuperset(event.sequence for event in answer.events)


@dataclasses.dataclass
class Follower:
    """One screen: it keeps its picture of the match by events, and is open or not."""

    table: Table
    name: str
    device: str
    feed: Feed | None = None
    picture: Picture | None = None
    kept: dict[int, Picture] = dataclasses.field(default_factory=dict)
    """Its picture as it was after each batch, to go on from there."""

    half_open: list[Feed] = dataclasses.field(default_factory=list)
    """What it has left without a word."""

    @property
    def sequence(self) -> int | None:
        return None if self.picture is None else self.picture.match.sequence

    async def close(self) -> None:
        """Leaves every stream."""
        for feed in (*self.half_open, *([self.feed] if self.feed is not None else [])):
            await feed.aclose()
        self.feed, self.half_open = None, []

    def read(self) -> None:
        """Takes what has come."""
        while self.feed is not None:
            try:
                message = self.feed.take()
            except Refusal as no:
                self.feed = None
                if no.reason not in ENDS:
                    raise
            except StopAsyncIteration:
                self.feed = None
            else:
                if message is None:
                    return
                self.take(Update.FromString(message))

    def take(self, update: Update) -> None:
        """Takes one message: events without a gap and without a repeat, and a digest that it can make itself."""
        if update.HasField("snapshot"):
            self.picture = Picture.of(update.snapshot)
            assert self.picture.digest() == update.snapshot.view_digest
        elif update.HasField("events"):
            assert self.picture is not None
            for event in update.events.events:
                assert event.sequence == self.picture.match.sequence + 1, "a gap, or a repeat"
                self.picture.apply(event)
            assert self.picture.digest() == update.events.view_digest
            for event in update.events.events:
                alone = len(update.events.events) == 1 and update.HasField("clock")
                self.table.saw_event(self.name, event, update.clock if alone else None)
        else:
            return
        assert self.sequence == update.sequence
        if update.HasField("clock"):
            self.table.saw_clock(update.sequence, update.clock)
        self.table.saw_digest(self.name, update.sequence, self.picture.digest())
        self.kept[update.sequence] = copy.deepcopy(self.picture)


def end_of(feed: Feed) -> str:
    """Why a feed has ended, or nothing while it has not."""
    try:
        while feed.take() is not None:
            pass
    except Refusal as no:
        return no.reason
    except StopAsyncIteration:
        return "over"
    return ""


def tries(state: State, seat: int) -> list[Action]:
    """What whoever sits there and is shown this may do; also what is wrong and yet taken, and what is hidden."""
    actions = room.legal(state)
    if state.HasField("private_state") and state.private_state.may_double:
        actions += [trix.double(), trix.double(*trix.doublable(state.view.trix.hand, state.view.trix.contract))]
    if state.clock.kind == match_pb2.CLOCK_KIND_CLAIM and seat in state.clock.awaited_seats:
        actions.append(claims.CALL)
    if state.clock.kind == match_pb2.CLOCK_KIND_TURN and seat in state.clock.awaited_seats and actions:
        attempt = claims.faulty_attempt(state, seat) if state.view.HasField("tonj") else None
        actions += [attempt] if attempt is not None else []
    return actions


def others(action: Action) -> Action:
    """Some other action than this."""
    return trix.PASS if action == RESIGN else RESIGN

"""Matches through the core's tables, whichever their game: commands, a table and its log, and players by seeded chance.

What those of a game do stands in a file of its own, such as tonj_play.py; games.py lists them.
"""

import abc
import dataclasses
import functools
import random

from google.protobuf import json_format
from google.protobuf.message import Message

from majlis import _core
from majlis.v1 import match_pb2, match_service_pb2, matchmaking_service_pb2

START_MS = 1_800_000_000_000
RESIGN = match_service_pb2.Resign()

Action = Message
"""An action of one of the games, or `Resign`."""
Update = match_service_pb2.WatchMatchResponse
State = match_service_pb2.GetMatchResponse
Answer = match_service_pb2.SubmitActionResponse

_ACTION_FIELDS = {
    field.message_type.full_name: field.name
    for field in match_service_pb2.SubmitActionRequest.DESCRIPTOR.oneofs_by_name["action"].fields
    if field.message_type is not None
}


@dataclasses.dataclass(frozen=True)
class Command:
    """What brings a record about: an action of a seat, or a clock that runs out."""

    at_ms: int
    seat: int | None = None
    """None: the clock that is due first."""
    action: Action | None = None

    def json(self, clock: str | None) -> dict[str, object]:
        """As a judge step, with the instant beside it; `clock` names the clock that is due."""
        if self.seat is None:
            return {"expire": clock, "at": self.at_ms}
        if isinstance(self.action, match_service_pb2.Resign):
            return {"seat": self.seat, "action": {"resign": {}}, "at": self.at_ms}
        assert self.action is not None
        return {"seat": self.seat, "action": json_format.MessageToDict(self.action), "at": self.at_ms}

    def draft(self, table: _core.Table) -> _core.Draft:
        """What it comes to at a table, which is unchanged."""
        if self.seat is None or self.action is None:
            return table.expire(self.at_ms)
        return table.decide(self.seat, submit(table.match_id, self.action), self.at_ms)


def submit(match_id: str, action: Action, request_id: str = "r") -> _core.Submit:
    request = match_service_pb2.SubmitActionRequest(match_id=match_id, request_id=request_id)
    getattr(request, _ACTION_FIELDS[action.DESCRIPTOR.full_name]).CopyFrom(action)
    return _read(request.SerializeToString())


_read = functools.lru_cache(4_096)(_core.Submit.read)


def batch(draft: _core.Draft, viewer: int, now_ms: int = START_MS) -> Update:
    """What a viewer is sent of a draft that has something to tell him."""
    sent = draft.update(viewer, now_ms)
    assert sent is not None
    return Update.FromString(sent)


def viewers(table: _core.Table) -> tuple[int, ...]:
    """Everybody who sees a table differently: its seats, and a spectator."""
    return (*range(len(table.players)), _core.SPECTATOR)


class Match:
    """A table and its log."""

    def __init__(
        self,
        request: matchmaking_service_pb2.CreateMatchRequest,
        match_id: str = "m-1",
        sealer: _core.Sealer | None = None,
    ) -> None:
        self.sealer = sealer or _core.Sealer()
        self.now_ms = START_MS
        self.table, draft = _core.Table.found(request.SerializeToString(), match_id, self.now_ms, self.sealer)
        self.payloads: list[bytes] = []
        self.commit(draft)
        self.viewers = viewers(self.table)

    def commit(self, draft: _core.Draft) -> _core.Draft:
        self.payloads.append(draft.payload)
        self.table.commit(draft)
        return draft

    def draft(self, command: Command) -> _core.Draft:
        """What a command comes to; the table is unchanged."""
        return command.draft(self.table)

    def play(self, command: Command) -> _core.Draft:
        """Carries a command out."""
        self.now_ms = command.at_ms
        return self.commit(self.draft(command))

    def act(self, seat: int, action: Action) -> _core.Draft:
        """Carries an action out, now."""
        return self.play(Command(self.now_ms, seat, action))

    def expire(self) -> _core.Draft:
        """Lets the clock run out that is due first, at its deadline."""
        assert self.table.deadline_ms is not None
        return self.play(Command(self.table.deadline_ms))

    def state(self, viewer: int = 0) -> State:
        return State.FromString(self.table.get_match(viewer, self.now_ms))

    @property
    def due(self) -> str | None:
        """The clock that runs out first, by the name that judges know it by; a seat's own one included."""
        state = self.state()
        if self.table.deadline_ms is None or state.clock.deadline.ToMilliseconds() == self.table.deadline_ms:
            return self.table.clock
        [seat] = state.clock.awaited_seats
        return "away" if state.match.seats[seat].away else "auto"

    def log(self) -> str:
        """The log in hex, a record a line: what a failing test must tell, since a table draws its own seed."""
        return "the log:\n" + "\n".join(payload.hex() for payload in self.payloads)

    @property
    def over(self) -> bool:
        return self.table.status == match_pb2.MATCH_STATUS_ENDED


@dataclasses.dataclass
class Chance(abc.ABC):
    """All players of a match by seeded chance. Each knows what a client knows: the view and what is legal for him."""

    rng: random.Random

    @abc.abstractmethod
    def command(self, match: Match) -> Command:
        """The next command, which may be refused; soon, or when a clock runs out."""

    @abc.abstractmethod
    def attempt(self, match: Match, seat: int) -> Action:
        """Anything that a seat can write down, most of it at fault."""

    def turn(self, match: Match) -> tuple[Command, _core.Draft]:
        """Commands until one is accepted, which is not yet carried out; the refused ones leave no trace."""
        while True:
            command = self.command(match)
            try:
                return command, match.draft(command)
            except _core.Refused:
                continue

    def play(self, match: Match) -> _core.Draft:
        """The next accepted command, carried out."""
        command, draft = self.turn(match)
        match.now_ms = command.at_ms
        return match.commit(draft)

"""Matches played through the core's tables by seeded chance: legal actions, faulty ones, calls, clocks that run out.

A player here knows what a client knows: the view and the legal actions that he is sent.
"""

import dataclasses
import random
from collections.abc import Mapping

from google.protobuf import json_format

from majlis import _core
from majlis.v1 import match_pb2, match_service_pb2, matchmaking_service_pb2, tonj_pb2

START_MS = 1_800_000_000_000
VIEWERS = (0, 1, _core.SPECTATOR)
HOUSE, FOUNDATION = tonj_pb2.PILE_KIND_HOUSE, tonj_pb2.PILE_KIND_FOUNDATION
RESERVE, HAND, WASTE = tonj_pb2.PILE_KIND_RESERVE, tonj_pb2.PILE_KIND_HAND, tonj_pb2.PILE_KIND_WASTE

Action = tonj_pb2.TonjAction | match_service_pb2.Resign
Update = match_service_pb2.WatchMatchResponse

REVEAL = tonj_pb2.TonjAction(reveal=tonj_pb2.TonjAction.Reveal())
DISCARD = tonj_pb2.TonjAction(discard=tonj_pb2.TonjAction.Discard())
END_TURN = tonj_pb2.TonjAction(end_turn=tonj_pb2.TonjAction.EndTurn())
CALL = tonj_pb2.TonjAction(call_tonj=tonj_pb2.TonjAction.CallTonj())


def asked(**options: int | bool) -> matchmaking_service_pb2.CreateMatchRequest:
    """A request for a match between two players, legal actions shown to them unless the options say otherwise."""
    given: Mapping[str, int | bool] = {"show_legal_moves": True, **options}
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="golden",
        game=match_pb2.GAME_TONJ,
        options=match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions(**given)),  # type: ignore[arg-type]
        players=[
            matchmaking_service_pb2.Player(player_id="amal", display_name="أمل"),
            matchmaking_service_pb2.Player(player_id="basim"),
        ],
    )


def move(
    source: tuple[tonj_pb2.PileKind.ValueType, int, int | None],
    target: tuple[tonj_pb2.PileKind.ValueType, int, int | None],
    count: int = 0,
) -> tonj_pb2.TonjAction:
    """A move between two piles, each given as kind, seat and index."""
    piles = [tonj_pb2.Pile(kind=kind, seat=seat, index=index) for kind, seat, index in (source, target)]
    action = tonj_pb2.TonjAction(move=tonj_pb2.TonjAction.Move(to=piles[1], count=count))
    getattr(action.move, "from").CopyFrom(piles[0])
    return action


@dataclasses.dataclass(frozen=True)
class Command:
    """What brings a record about: an action of a seat, or a clock that runs out."""

    at_ms: int
    seat: int | None = None
    """None: the clock that runs."""
    action: Action | None = None

    def json(self, clock: str | None) -> dict[str, object]:
        """As a judge step, with the instant beside it; `clock` names the clock that runs."""
        if self.seat is None:
            return {"expire": clock, "at": self.at_ms}
        if isinstance(self.action, tonj_pb2.TonjAction):
            return {"seat": self.seat, "action": json_format.MessageToDict(self.action), "at": self.at_ms}
        return {"seat": self.seat, "action": {"resign": {}}, "at": self.at_ms}


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

    def commit(self, draft: _core.Draft) -> _core.Draft:
        self.payloads.append(draft.payload)
        self.table.commit(draft)
        return draft

    def draft(self, command: Command) -> _core.Draft:
        """What a command comes to; the table is unchanged."""
        if command.seat is None:
            return self.table.expire(command.at_ms)
        assert command.action is not None
        return self.table.decide(command.seat, submit(self.table.match_id, command.action), command.at_ms)

    def play(self, command: Command) -> _core.Draft:
        """Carries a command out."""
        self.now_ms = command.at_ms
        return self.commit(self.draft(command))

    def state(self, viewer: int = 0) -> match_service_pb2.GetMatchResponse:
        return match_service_pb2.GetMatchResponse.FromString(self.table.get_match(viewer, self.now_ms))

    def log(self) -> str:
        """The log in hex, a record a line: what a failing test must tell, since a table draws its own seed."""
        return "the log:\n" + "\n".join(payload.hex() for payload in self.payloads)

    @property
    def over(self) -> bool:
        return self.table.status == match_pb2.MATCH_STATUS_ENDED


def submit(match_id: str, action: Action, request_id: str = "r") -> _core.Submit:
    request = match_service_pb2.SubmitActionRequest(match_id=match_id, request_id=request_id)
    if isinstance(action, tonj_pb2.TonjAction):
        request.tonj.CopyFrom(action)
    else:
        request.resign.CopyFrom(action)
    return _core.Submit.read(request.SerializeToString())


@dataclasses.dataclass
class Chance:
    """Two players by seeded chance. The rates are those of each command while no claim is open."""

    rng: random.Random
    faulty: float = 0.1
    """An attempt drawn from all that can be written down; most are refused or open a claim."""
    clock: float = 0.05
    """The turn's clock runs out."""
    transfer: float = 0.2
    """A transfer where something else could be done."""
    called: float = 0.5
    """An open claim is called in time."""
    resigns: float = 0.0
    """Whoever is awaited gives up."""

    def command(self, match: Match) -> Command:
        """The next command, between one millisecond and five seconds later, or when the clock runs out."""
        state = match.state()
        at_ms = match.now_ms + self.rng.randint(1, 5_000)
        deadline_ms = match.table.deadline_ms
        assert deadline_ms is not None
        [awaited] = state.clock.awaited_seats
        if self.rng.random() < self.resigns:
            return Command(at_ms, awaited, match_service_pb2.Resign())
        if match.table.clock == "claim":
            if self.rng.random() < self.called:
                return Command(min(at_ms, deadline_ms), awaited, CALL)
            return Command(deadline_ms + 1)
        if at_ms > deadline_ms or self.rng.random() < self.clock:
            return Command(deadline_ms + 1)
        if self.rng.random() < self.faulty:
            return Command(at_ms, awaited, self.attempt(awaited))
        legal = list(match.state(awaited).legal_actions.tonj)
        if not legal:
            return Command(at_ms, awaited, self.attempt(awaited))
        others = [action for action in legal if not is_transfer(action)]
        if others and self.rng.random() >= self.transfer:
            legal = others
        return Command(at_ms, awaited, self.rng.choice(legal))

    def attempt(self, seat: int) -> tonj_pb2.TonjAction:
        """Anything between any two piles, or one of the plain actions."""
        if self.rng.random() < 0.3:
            return self.rng.choice([REVEAL, DISCARD, END_TURN])
        sources = [(HAND, seat, None), (RESERVE, seat, None), (HOUSE, 0, self.rng.randrange(8))]
        targets = [
            (HOUSE, 0, self.rng.randrange(8)),
            (FOUNDATION, 0, self.rng.choice([None, *range(8)])),
            (RESERVE, 1 - seat, None),
            (WASTE, 1 - seat, None),
        ]
        return move(self.rng.choice(sources), self.rng.choice(targets), self.rng.choice([0, 0, 0, 1, 2, 3]))

    def turn(self, match: Match) -> tuple[Command, _core.Draft]:
        """Commands until one is accepted, which is not yet carried out; the refused ones leave no trace."""
        while True:
            command = self.command(match)
            try:
                return command, match.draft(command)
            except _core.Refused:
                continue


def is_transfer(action: tonj_pb2.TonjAction) -> bool:
    ends = (getattr(action.move, "from"), action.move.to)
    return action.WhichOneof("kind") == "move" and all(pile.kind == HOUSE for pile in ends)

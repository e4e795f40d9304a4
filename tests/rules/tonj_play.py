"""Tonj by seeded chance: legal actions, faulty ones, calls, clocks that run out."""

import dataclasses
from collections.abc import Mapping

from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_pb2
from tests.rules import matches
from tests.rules.matches import RESIGN, Command, Match

HOUSE, FOUNDATION = tonj_pb2.PILE_KIND_HOUSE, tonj_pb2.PILE_KIND_FOUNDATION
RESERVE, HAND, WASTE = tonj_pb2.PILE_KIND_RESERVE, tonj_pb2.PILE_KIND_HAND, tonj_pb2.PILE_KIND_WASTE

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


@dataclasses.dataclass
class Chance(matches.Chance):
    """Two players by seeded chance. The rates are those of each command while no claim is open."""

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
            return Command(at_ms, awaited, RESIGN)
        if match.table.clock == "claim":
            if self.rng.random() < self.called:
                return Command(min(at_ms, deadline_ms), awaited, CALL)
            return Command(deadline_ms + 1)
        if at_ms > deadline_ms or self.rng.random() < self.clock:
            return Command(deadline_ms + 1)
        if self.rng.random() < self.faulty:
            return Command(at_ms, awaited, self.attempt(match, awaited))
        legal = list(match.state(awaited).legal_actions.tonj)
        if not legal:
            return Command(at_ms, awaited, self.attempt(match, awaited))
        others = [action for action in legal if not is_transfer(action)]
        if others and self.rng.random() >= self.transfer:
            legal = others
        return Command(at_ms, awaited, self.rng.choice(legal))

    def attempt(self, match: Match, seat: int) -> tonj_pb2.TonjAction:
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


def is_transfer(action: tonj_pb2.TonjAction) -> bool:
    ends = (getattr(action.move, "from"), action.move.to)
    return action.WhichOneof("kind") == "move" and all(pile.kind == HOUSE for pile in ends)

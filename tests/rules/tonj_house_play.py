"""The house edition by seeded chance: legal actions, faulty ones, neglected duties, clocks that run out."""

import dataclasses
from collections.abc import Mapping, Sequence

from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2, tonj_pb2
from tests.rules import matches
from tests.rules.matches import RESIGN, Command, Match

HOUSE, FOUNDATION = tonj_pb2.PILE_KIND_HOUSE, tonj_pb2.PILE_KIND_FOUNDATION
RESERVE, HAND, WASTE = tonj_pb2.PILE_KIND_RESERVE, tonj_pb2.PILE_KIND_HAND, tonj_pb2.PILE_KIND_WASTE
OWN_STOCK = tonj_house_pb2.TonjHouseOptions.PENALTY_SOURCE_OWN_STOCK

Action = tonj_house_pb2.TonjHouseAction
DISCARD = Action(discard=Action.Discard())
PASS = Action(**{"pass": Action.Pass()})  # type: ignore[arg-type]


def asked(**options: int | bool) -> matchmaking_service_pb2.CreateMatchRequest:
    """A request for a match between two players, legal actions shown to them unless the options say otherwise."""
    given: Mapping[str, int | bool] = {"show_legal_moves": True, **options}
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="golden",
        game=match_pb2.GAME_TONJ_HOUSE,
        options=match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(**given)),  # type: ignore[arg-type]
        players=[
            matchmaking_service_pb2.Player(player_id="amal", display_name="أمل"),
            matchmaking_service_pb2.Player(player_id="basim"),
        ],
    )


def move(source: tonj_pb2.Pile, target: tonj_pb2.Pile, count: int = 0) -> Action:
    """A placement between two piles."""
    action = Action(move=tonj_pb2.TonjAction.Move(to=target, count=count))
    getattr(action.move, "from").CopyFrom(source)
    return action


def pile(kind: tonj_pb2.PileKind.ValueType, seat: int = 0, index: int | None = None) -> tonj_pb2.Pile:
    return tonj_pb2.Pile(kind=kind, seat=seat, index=index)


@dataclasses.dataclass
class Chance(matches.Chance):
    """Two players by seeded chance. The rates are those of each command."""

    faulty: float = 0.1
    """An attempt drawn from all that can be written down; most are refused or bring a penalty."""
    clock: float = 0.05
    """The turn's clock runs out."""
    neglects: float = 0.1
    """Something else is tried while a duty holds (H8)."""
    shifts: float = 0.1
    """A card goes from house to house where something else could be done."""
    throws: float = 0.1
    """The opened card is thrown where a card could be placed."""
    resigns: float = 0.0
    """Either seat gives up."""

    def command(self, match: Match) -> Command:
        """The next command, between one millisecond and five seconds later, or when the clock runs out."""
        [seat] = match.state().clock.awaited_seats
        at_ms = match.now_ms + self.rng.randint(1, 5_000)
        deadline_ms = match.table.deadline_ms
        assert deadline_ms is not None
        if self.rng.random() < self.resigns:
            return Command(at_ms, self.rng.randrange(2), RESIGN)
        if at_ms > deadline_ms or self.rng.random() < self.clock:
            return Command(deadline_ms + 1)
        legal = list(match.state(seat).legal_actions.tonj_house)
        if not legal or self.rng.random() < self.faulty:
            return Command(at_ms, seat, self.attempt(match, seat))
        duty = all(action.move.to.kind == FOUNDATION for action in legal)
        if duty and self.rng.random() < self.neglects:
            return Command(at_ms, seat, self.neglect(match, seat))
        return Command(at_ms, seat, self.rng.choice(self.liked(legal)))

    def liked(self, legal: Sequence[Action]) -> Sequence[Action]:
        """What is chosen from: placements that take a card off one's piles, if there are any, most of the time."""
        placed = [action for action in legal if action.WhichOneof("kind") == "move" and not is_shift(action)]
        shifted = [action for action in legal if is_shift(action)]
        rest = [action for action in legal if action.WhichOneof("kind") != "move"]
        if rest and (not placed or self.rng.random() < self.throws):
            return shifted if shifted and self.rng.random() < self.shifts else rest
        return shifted if shifted and (not placed or self.rng.random() < self.shifts) else placed

    def neglect(self, match: Match, seat: int) -> Action:
        """The discard, if there is a card to be thrown, or anything."""
        opened = match.state().view.tonj_house.HasField("opened")
        return DISCARD if opened and self.rng.random() < 0.5 else self.attempt(match, seat)

    def attempt(self, match: Match, seat: int) -> Action:
        """Anything between any two piles, or one of the plain actions."""
        if self.rng.random() < 0.2:
            return self.rng.choice([DISCARD, PASS])
        sources = [pile(HAND, seat), pile(RESERVE, seat), pile(HOUSE, index=self.rng.randrange(8))]
        targets = [
            pile(HOUSE, index=self.rng.randrange(8)),
            pile(FOUNDATION, index=self.rng.choice([None, *range(8)])),
            pile(RESERVE, 1 - seat),
            pile(WASTE, 1 - seat),
        ]
        return move(self.rng.choice(sources), self.rng.choice(targets), self.rng.choice([0, 0, 0, 1, 2]))


def is_shift(action: Action) -> bool:
    """From house to house."""
    return action.WhichOneof("kind") == "move" and getattr(action.move, "from").kind == action.move.to.kind == HOUSE

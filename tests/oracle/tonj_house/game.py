"""Tonj, house edition, by the clauses: one table, hidden cards included, and what may be done to it.

Here stand the state and the entry points; the clauses stand in the files beside this one.
"""

import copy

from tests.oracle import protojson
from tests.oracle.position import secrets
from tests.oracle.tonj_family import piles
from tests.oracle.tonj_family.deal import deal_hand
from tests.oracle.tonj_house import actions, clocks, deal, ends, moves, options, penalties, position, turns
from tests.oracle.verdict import ACCEPTED, refused

PENALTY = {"verdict": "penalty"}


class Game:
    """A match of Tonj, house edition.

    The attributes are those of a position (`position.py`), and besides
    `limits`: the options with their defaults; `result`: the outcome once the match is over.
    """

    @classmethod
    def from_position(cls, given):
        """A game from a position. Raises Impossible, naming the fault."""
        game = cls()
        position.read(game, given)
        return game

    @classmethod
    def deal(cls, seed_hex, entropies, options_given, hand_number=1):
        """The table after the deal and the first opening (H1, H2, H7); entropies are hex strings by seat.

        Raises ValueError for a seed or an entropy that is no hex and for another hand than the first, and
        protojson.Malformed for bad options.
        """
        if hand_number != 1:
            raise ValueError("a match of the house edition is one hand")
        game = cls()
        game.options = options_given or {}
        game.limits = options.Options(game.options)
        game.deal_seed, game.entropies = seed_hex.lower(), [entropy.lower() for entropy in entropies or []] or None
        dealt = deal_hand(*secrets(game), hand_number)
        game.reserves, game.hands, game.houses = dealt["reserves"], dealt["hands"], dealt["houses"]
        game.wastes, game.foundations = [[], []], [[] for _ in range(8)]
        game.retired = dict.fromkeys("CDHS", 0)
        game.pending, game.result = None, None
        game.hand_number, game.turn_number = 1, 1
        game.starter = game.turn_seat = deal.starter_of(dealt, *secrets(game), hand_number)
        game.passes, game.partial = 0, False
        turns.start_turn(game)
        return game

    def to_position(self):
        """The position in canonical form."""
        return position.write(self)

    def outcome(self):
        """None while the match goes on, else how it ended."""
        return copy.deepcopy(self.result)

    def act(self, seat, action):
        """The verdict on an action; a refused one changes nothing (H11)."""
        try:
            action = actions.canonical_action(action)
        except protojson.Malformed:
            return refused("MALFORMED_ACTION")
        if seat not in (0, 1):
            return refused("NOT_SEATED")
        if self.result:
            return refused("MATCH_OVER")
        if "resign" in action:
            ends.resign(self, seat)  # H25: from either seat, at any time
            return ACCEPTED
        if seat != self.turn_seat:
            return refused("NOT_YOUR_TURN")
        return self.attempt(action)

    def attempt(self, action):
        """H9, H11."""
        judgement = moves.judge(self, action)
        if judgement == moves.GOOD:
            turns.carry_out(self, action)
            return ACCEPTED
        if judgement == moves.NEGLECT:
            penalties.penalise(self)
            return PENALTY
        return refused(judgement)

    def expire(self, clock):
        """Lets a clock run out; this game has the turn clock only (H25)."""
        if clock != "turn" or self.result:
            return refused("NO_SUCH_CLOCK")
        clocks.run_out(self)
        return ACCEPTED

    def legal_actions(self):
        """H29: every action that would be accepted from the seat on turn, sorted by canonical JSON text."""
        if self.result:
            return []
        legal = [action for action in moves.candidates(self) if moves.judge(self, action) == moves.GOOD]
        return sorted(legal, key=protojson.text)

    def plies(self):
        """(seat, action) of every way on, for counting them."""
        return [(self.turn_seat, action) for action in self.legal_actions()]

    def attempts(self):
        """(seat, action) of every attempt, good and faulty, that could come into question for the seat on turn."""
        return [(self.turn_seat, action) for action in moves.candidates(self)]

    def copy(self):
        """A game of its own, for trying things out."""
        twin = Game()
        twin.__dict__.update(self.__dict__)
        for attribute in piles.ATTRIBUTES:
            setattr(twin, attribute, piles.copied(self, attribute))
        twin.retired = dict(self.retired)
        return twin

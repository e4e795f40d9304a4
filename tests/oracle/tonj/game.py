"""Tonj, server edition, by the clauses: one table, hidden cards included, and what may be done to it.

Here stand the state and the entry points; the clauses stand in the files beside this one.
"""

import copy

from tests.oracle import protojson
from tests.oracle.position import secrets
from tests.oracle.tonj import actions, claims, clocks, deal, ends, moves, options, position, turns
from tests.oracle.tonj_family import piles
from tests.oracle.verdict import ACCEPTED, refused


class Game:
    """A hand of Tonj within its match.

    The attributes are those of a position (positions: `position.py`), and besides
    `limits`: the options with their defaults; `history`: how often each position stood at the start of a turn since a
    card last reached a foundation (T27); `result`: the outcome once the hand is over.
    """

    @classmethod
    def from_position(cls, given):
        """A game from a position. Raises Impossible, naming the fault."""
        game = cls()
        position.read(game, given)
        if not game.pending and not game.transfers and not game.claims:  # the start of a turn
            turns.stands_for_the_third_time(game)
        return game

    @classmethod
    def deal(cls, seed_hex, entropies, options_given, hand_number=1):
        """The table right after hand `hand_number` is dealt; entropies are hex strings by seat. Totals are 0.

        Raises ValueError for a seed or an entropy that is no hex, and protojson.Malformed for bad options.
        """
        game = cls()
        game.options = options_given or {}
        game.limits = options.Options(game.options)
        game.deal_seed, game.entropies = seed_hex.lower(), [entropy.lower() for entropy in entropies or []] or None
        game.hand_number = hand_number
        game.starter = deal.starter_of(*secrets(game), hand_number)
        game.totals, game.partial, game.result = [0, 0], False, None
        ends.lay_out(game)
        return game

    def to_position(self):
        """The position in canonical form."""
        return position.write(self)

    def outcome(self):
        """None while the hand goes on, else how it and perhaps the match ended."""
        return copy.deepcopy(self.result)

    def act(self, seat, action):
        """The verdict on an action; a refused one changes nothing (T29, T30, T41)."""
        try:
            action = actions.canonical_action(action)
        except protojson.Malformed:
            return refused("MALFORMED_ACTION")
        if seat not in (0, 1):
            return refused("NOT_SEATED")
        if self.result and self.result["match_over"]:
            return refused("MATCH_OVER")
        if "resign" in action:
            ends.resign(self, seat)
            return ACCEPTED
        if self.result:
            return refused("HAND_OVER")
        if "callTonj" in action:
            return self.call(seat)
        if self.claim:
            return refused("CLAIM_OPEN")
        if seat != self.turn_seat:
            return refused("NOT_YOUR_TURN")
        return self.attempt(action)

    def call(self, seat):
        """T30: only the offender's opponent, only while a claim is open."""
        if not self.claim:
            return refused("NO_CLAIM")
        if seat == self.claim["offender"]:
            return refused("NOT_YOUR_CLAIM")
        claims.call(self)
        return ACCEPTED

    def attempt(self, action):
        """T29, T33."""
        judgement = moves.judge(self, action)
        if judgement == moves.GOOD:
            turns.carry_out(self, action)
            return ACCEPTED
        if judgement.kind == "U":
            return refused(judgement.reason)
        if claims.limit_reached(self):
            return refused("CLAIM_LIMIT")
        claims.open_claim(self, action, judgement.kind)
        return {"verdict": "claim_opened", "class": judgement.kind}

    def expire(self, clock):
        """Lets a clock run out: "claim" while a claim is open, else "turn"; others do not run (T30, T34, T41)."""
        running = None if self.result else "claim" if self.claim else "turn"
        if clock != running:
            return refused("NO_SUCH_CLOCK")
        if clock == "claim":
            claims.expire(self)
        else:
            clocks.run_out(self)
        return ACCEPTED

    def legal_actions(self):
        """T44: every action that would be accepted from the seat on turn, sorted by canonical JSON text."""
        if self.result or self.claim:
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
        twin.quiet, twin.history = list(self.quiet), dict(self.history)
        return twin

"""Trix by the clauses: one table, hidden cards included, and what may be done to it.

Here stand the state and the entry points; the clauses stand in the files beside this one.
"""

import copy
import itertools

from tests.oracle import protojson
from tests.oracle.position import secrets
from tests.oracle.trix import actions, clocks, contracts, deals, doubling, layout, options, position, scores, tricks
from tests.oracle.verdict import ACCEPTED, refused

PHASES = {"chooseContract": ["CHOOSING"], "playCard": ["TRICKS", "LAYOUT"], "pass": ["LAYOUT"]}


class Game:
    """A deal of Trix within its match.

    The attributes are those of a position (`position.py`; `answers` by seat number), and besides
    `limits`: the options with their defaults; `away`: the seats that were given up and have not acted since (X17);
    `result`: the outcome once no deal follows.
    """

    @classmethod
    def from_position(cls, given):
        """A game from a position. Raises Impossible, naming the fault."""
        game = cls()
        position.read(game, given)
        game.away = set()
        game.result = scores.outcome(game) if game.phase == "OVER" else None
        return game

    @classmethod
    def deal(cls, seed_hex, entropies, options_given, deal_number=1):
        """The table right after a deal; entropies are hex strings by seat. Totals are 0.

        A later deal than the first is partial: its kingdom's contracts are taken as played in the order of X3.
        Raises ValueError for a seed or an entropy that is no hex, and protojson.Malformed for bad options.
        """
        game = cls()
        game.options = options_given or {}
        game.limits = options.Options(game.options)
        game.deal_seed, game.entropies = seed_hex.lower(), [entropy.lower() for entropy in entropies or []] or None
        game.deal_number, game.kingdom = deal_number, deals.kingdom_of(deal_number)
        game.owner = (deals.first_owner(*secrets(game)) + game.kingdom - 1) % deals.SEATS
        game.played_contracts = contracts.CONTRACTS[: deals.played_before(deal_number)]
        game.totals, game.partial, game.away, game.result = [0, 0, 0, 0], deal_number > 1, set(), None
        deals.lay_out(game)
        return game

    def to_position(self):
        """The position in canonical form."""
        return position.write(self)

    def outcome(self):
        """None while the match goes on, else how the deal and perhaps the match ended."""
        return copy.deepcopy(self.result)

    def act(self, seat, action):
        """The verdict on an action; a refused one changes nothing (X20)."""
        try:
            kind, content = actions.read(action)
        except protojson.Malformed:
            return refused("MALFORMED_ACTION")
        if seat not in range(deals.SEATS):
            return refused("NOT_SEATED")
        if self.result and self.result["match_over"]:
            return refused("MATCH_OVER")
        if kind == "resign":
            self.away.add(seat)  # X17: nothing on the table changes
            return ACCEPTED
        if kind == "answerDouble":
            return doubling.answer(self, seat, content) if self.phase == "DOUBLING" else refused("WRONG_PHASE")
        if self.phase not in PHASES[kind]:
            return refused("WRONG_PHASE")
        if seat != self.turn_seat:
            return refused("NOT_YOUR_TURN")
        return self.act_in_turn(kind, content)

    def act_in_turn(self, kind, content):
        """A choice, a card or a pass of the seat on turn."""
        fault = self.fault(kind, content)
        if fault:
            return refused(fault)
        self.away.discard(self.turn_seat)  # X17
        if kind == "chooseContract":
            self.choose(content)
        elif kind == "playCard":
            self.play(content)
        else:
            self.pass_on()
        return ACCEPTED

    def fault(self, kind, content):
        """X20: why it would be refused, or None."""
        if kind == "chooseContract":
            if content not in contracts.CONTRACTS:
                return "NO_SUCH_CONTRACT"
            return "CONTRACT_ALREADY_PLAYED" if content in self.played_contracts else None  # X3
        if kind == "playCard":
            return tricks.fault(self, content) if self.phase == "TRICKS" else layout.fault(self, content)
        return "CARD_CAN_BE_PLAYED" if layout.legal_cards(self) else None  # X10

    def choose(self, contract):
        deals.begin(self, contract)

    def play(self, card):
        if self.phase == "TRICKS":
            tricks.play(self, card)
        else:
            layout.play(self, card)
        scores.end_deal_if_over(self)

    def pass_on(self):
        layout.pass_on(self)

    def expire(self, clock):
        """Lets a clock run out; one that does not run is refused (X19)."""
        if clock not in clocks.running(self):
            return refused("NO_SUCH_CLOCK")
        clocks.run_out(self)
        return ACCEPTED

    def legal_actions(self):
        """Every action that would be accepted from the seat on turn, sorted by canonical JSON text.

        Nobody is on turn while cards may be doubled (X5).
        """
        if self.phase == "CHOOSING":
            legal = [actions.choose(contract) for contract in contracts.left(self.played_contracts)]
        elif self.phase == "TRICKS":
            legal = [actions.play(card) for card in tricks.legal_cards(self)]
        elif self.phase == "LAYOUT":
            legal = [actions.play(card) for card in layout.legal_cards(self)] or [actions.passed()]
        else:
            legal = []
        return sorted(legal, key=protojson.text)

    def plies(self):
        """(seat, action) of every way on, for counting them; asked seats answer in the order of seats."""
        if self.phase == "DOUBLING":
            seat = doubling.still_asked(self)[0]
            return [(seat, actions.double(named)) for named in subsets(doubling.doublable(self, seat))]
        return [(self.turn_seat, action) for action in self.legal_actions()]

    def copy(self):
        """A game of its own, for trying things out."""
        twin = Game()
        twin.__dict__.update(self.__dict__)
        for lists in ("hands", "taken"):
            setattr(twin, lists, [list(cards) for cards in getattr(self, lists)])
        for values in ("doubled", "trick", "tricks_taken", "finished"):
            setattr(twin, values, list(getattr(self, values)))
        twin.rows = {suit: list(ends) for suit, ends in self.rows.items()}
        twin.answers, twin.away = dict(self.answers), set(self.away)
        return twin


def subsets(of):
    return [list(some) for size in range(len(of) + 1) for some in itertools.combinations(of, size)]

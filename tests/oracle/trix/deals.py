"""Dealing, kingdoms and their owners, the choice of a contract, and the deal after a deal: X2, X3."""

from tests.oracle import deck
from tests.oracle.position import secrets
from tests.oracle.trix import cards, contracts, doubling

SEATS = 4
LAST_DEAL = 20
DEALS_OF_A_KINGDOM = 5


def kingdom_of(deal_number):
    """X3: five deals are a kingdom."""
    return (deal_number - 1) // DEALS_OF_A_KINGDOM + 1


def played_before(deal_number):
    """X3: how many contracts of its kingdom were played before a deal."""
    return (deal_number - 1) % DEALS_OF_A_KINGDOM


def dealt_hands(seed, entropies, deal_number):
    """X2: one card at a time from seat 0, 13 each."""
    shuffled = deck.shuffled(seed, entropies, SEATS, deal_number, 0)
    return [cards.by_suit(shuffled[seat::SEATS]) for seat in range(SEATS)]


def first_owner(seed, entropies):
    """X3: the holder of 7♥ in the first deal."""
    hands = dealt_hands(seed, entropies, 1)
    return next(seat for seat in range(SEATS) if "7H" in hands[seat])


def lay_out(game):
    """Deals deal `deal_number` from the seed. The kingdom's last contract starts by itself (X3)."""
    game.hands = dealt_hands(*secrets(game), game.deal_number)
    game.phase, game.contract, game.turn_seat = "CHOOSING", None, game.owner
    game.answers, game.doubled = {}, []
    game.trick, game.taken, game.tricks_taken = [], [[] for _ in range(SEATS)], [0] * SEATS
    game.rows, game.finished = {}, []
    left = contracts.left(game.played_contracts)
    if len(left) == 1:
        begin(game, left[0])


def begin(game, contract):
    """The deal has its contract: the doubling window opens where anybody is asked (X4), else play begins."""
    game.contract = contract
    if doubling.all_asked(game):
        game.phase, game.turn_seat = "DOUBLING", None
    else:
        begin_play(game)


def begin_play(game):
    """X6, X10: the owner leads the first trick, or starts the layout."""
    game.phase = "LAYOUT" if game.contract == contracts.TRIX else "TRICKS"
    game.turn_seat = game.owner


def next_deal(game):
    """X3: after five deals the kingdom goes to the next seat."""
    game.deal_number += 1
    game.played_contracts = [*game.played_contracts, game.contract]
    if len(game.played_contracts) == DEALS_OF_A_KINGDOM:
        game.played_contracts = []
        game.kingdom += 1
        game.owner = (game.owner + 1) % SEATS
    lay_out(game)

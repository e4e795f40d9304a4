"""The penalty of a neglected duty: H9, H10, H21, H27."""

from tests.oracle.tonj_house import turns


def penalise(game):
    """H9: nothing of the attempt is done; the opened card is thrown, cards are taken, and the turn ends."""
    turns.throw_opened(game)
    for _ in range(number_of_cards(game)):
        game.reserves[game.turn_seat].insert(0, next_card(game))  # H21: each is slid under those before it
    turns.end_turn(game)  # H27: not by a pass


def giver(game):
    """H10: the seat whose cards they are."""
    return game.turn_seat if game.limits.own_stock else 1 - game.turn_seat


def number_of_cards(game):
    """H10: as many as the room sets and the giver has. An opponent keeps one personal card (H10, H27)."""
    seat = giver(game)
    there = len(game.hands[seat]) + len(game.wastes[seat])
    if not game.limits.own_stock and not game.reserves[seat]:
        there = max(0, there - 1)
    return min(game.limits.penalty_cards, there)


def next_card(game):
    """H10: the next of the stock, then the waste from the oldest."""
    seat = giver(game)
    return (game.hands[seat] or game.wastes[seat]).pop(0)

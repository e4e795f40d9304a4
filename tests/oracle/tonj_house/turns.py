"""Placing cards, and what then happens by itself: H4, H7, H12, H13, H16, H23, H24.

Attempts come here judged good.
"""

from tests.oracle.tonj_family import piles
from tests.oracle.tonj_family.piles import FOUNDATION, HAND, HOUSE, RESERVE
from tests.oracle.tonj_house import ends, moves

KING_HEIGHT = 13


def carry_out(game, action):
    """Executes a good attempt, and what follows from it at once."""
    if "move" in action:
        place(game, action["move"])
    elif "discard" in action:
        throw_opened(game)
    if ends.won(game):  # H14
        return
    if "discard" in action:
        end_turn(game)  # H12
    elif "pass" in action:
        end_turn(game, by_pass=True)
    elif game.moves == game.limits.max_moves:
        cap(game)
    else:
        settle(game)


def place(game, move):
    """Moves the card of a good placement (H4-H6)."""
    source, target = move["from"], move["to"]
    card = moves.source_card(game, game.turn_seat, source)
    slot = piles.foundation_for(game, card, target) if target["kind"] == FOUNDATION else None
    take(game, source)
    game.moves += 1
    if slot is not None:
        game.foundations[slot].append(card)
        retire(game, slot)
    elif target["kind"] == HOUSE:
        game.houses[target["index"]].append(card)
    else:
        piles.opponents_pile(game, target["kind"]).append(card)


def take(game, source):
    if source["kind"] == HAND:
        game.pending = None
    elif source["kind"] == RESERVE:
        game.reserves[game.turn_seat].pop()
    else:
        game.houses[source["index"]].pop()


def retire(game, slot):
    """H4: a foundation with its king leaves play, and its slot is free again."""
    foundation = game.foundations[slot]
    if len(foundation) == KING_HEIGHT:
        game.retired[piles.cards.suit(foundation[0])] += 1
        game.foundations[slot] = []


def throw_opened(game):
    """The opened card, if any, goes to its owner's waste (H9, H12, H16)."""
    if game.pending:
        game.wastes[game.turn_seat].append(game.pending)
        game.pending = None


def open_card(game):
    """H7: the top stock card opens; behind an empty stock the waste is turned over first, oldest card first."""
    seat = game.turn_seat
    if game.pending:
        return
    if not game.hands[seat]:
        game.hands[seat], game.wastes[seat] = game.wastes[seat], []
    if game.hands[seat]:
        game.pending = game.hands[seat].pop(0)


def settle(game):
    """What happens by itself in mid-turn: an opening (H7), the pass when nothing else is left (H13)."""
    open_card(game)
    if moves.only_pass_left(game):
        end_turn(game, by_pass=True)


def cap(game):
    """H16, H24: the last placement that a turn may have ends it; nothing opens after it, and nothing is penalised."""
    throw_opened(game)
    end_turn(game)


def end_turn(game, by_pass=False):
    """H23: counts the passes in a row, tests for a block (H15), then for the last turn (H17)."""
    game.passes = game.passes + 1 if by_pass else 0
    if ends.blocked(game) or ends.last_turn_over(game):
        return
    game.turn_seat = 1 - game.turn_seat  # H2
    game.turn_number += 1
    start_turn(game)


def start_turn(game):
    game.moves = 0
    settle(game)

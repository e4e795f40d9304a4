"""Moving cards, and what then happens by itself: T14, T16, T17, T19-T23, T25-T27, T39, T40.

Attempts come here judged; scores are counted in ends.py.
"""

from tests.oracle.tonj import ends, moves
from tests.oracle.tonj_family import piles
from tests.oracle.tonj_family.piles import FOUNDATION, HAND, HOUSE, RESERVE


def carry_out(game, action):
    """Executes a good attempt, and what follows from it at once."""
    if "move" in action:
        place(game, action["move"])
        if not ends.won(game):
            settle(game)
    elif "reveal" in action:
        game.pending = game.hands[game.turn_seat].pop(0)
    elif "discard" in action:
        throw_pending(game)
        end_turn(game, by_discard=True)
    else:
        end_turn(game)


def place(game, move):
    """Moves the cards of a good move, with its marks on transfers, progress and repetition."""
    source, target, count = move["from"], move["to"], move.get("count", 1)
    from_house, to_house = source["kind"] == HOUSE, target["kind"] == HOUSE
    moving = take(game, source, count)

    if to_house:
        game.houses[target["index"]] += moving
    elif target["kind"] == FOUNDATION:
        game.foundations[piles.foundation_for(game, moving[0], target)] += moving
        game.history = {}  # T27: a card has reached a foundation
    else:
        piles.opponents_pile(game, target["kind"]).extend(moving)

    if from_house and to_house:
        game.transfers += 1  # T22: a group counts one
    else:
        game.quiet = [0, 0]  # T25


def take(game, source, count):
    """Lifts cards off their pile. The next reserve card is its top at once (T14)."""
    if source["kind"] == HAND:
        card, game.pending = game.pending, None
        return [card]
    pile = game.reserves[game.turn_seat] if source["kind"] == RESERVE else game.houses[source["index"]]
    taken = pile[-count:]
    del pile[-count:]
    return taken


def throw_pending(game):
    """The pending card goes to the waste of the seat on turn."""
    game.wastes[game.turn_seat].append(game.pending)
    game.pending = None


def recycle(game):
    """T20: a waste behind an empty hand becomes the hand, the oldest card on top."""
    seat = game.turn_seat
    if not game.hands[seat] and not game.pending:
        game.hands[seat], game.wastes[seat] = game.wastes[seat], []


def settle(game):
    """What happens by itself in mid-turn: the waste turned over (T20), a turn with nothing left that ends (T21)."""
    recycle(game)
    if moves.judge_end_turn(game) == moves.GOOD and not moves.any_move_left(game):
        end_turn(game)


def end_turn(game, by_discard=False):
    """Counts the turn (T26), tests for a stalemate, and passes the turn (T40: in this order)."""
    seat = game.turn_seat
    if by_discard or not (game.hands[seat] or game.wastes[seat]):
        game.quiet[seat] += 1
    if all(game.quiet[s] >= max(1, len(game.hands[s]) + len(game.wastes[s])) for s in range(2)):
        ends.stalemate(game)
        return
    game.turn_seat = 1 - seat
    game.turn_number += 1
    start_turn(game)


def start_turn(game):
    """T17."""
    game.transfers = 0
    game.claims = 0
    recycle(game)
    if stands_for_the_third_time(game):
        ends.stalemate(game)
        return
    if not ends.won(game):  # T23: a mover who holds nothing; no play leads there, but a position may
        settle(game)


def stands_for_the_third_time(game):
    """T27, T40: enters the position at the start of a turn; physical cards, every pile, and the side to move."""
    stands = str([getattr(game, attribute) for attribute in piles.ATTRIBUTES])
    position = (game.turn_seat, stands)
    game.history[position] = game.history.get(position, 0) + 1
    return game.history[position] >= 3

"""The turn clock that runs out: the server plays on for the seat on turn (H18). It never brings a penalty."""

from tests.oracle.tonj_family.piles import FOUNDATION
from tests.oracle.tonj_house import actions, moves, turns


def run_out(game):
    """Plays until the turn is over, by the last placement or whatever else ends it (H24)."""
    turn = game.turn_number
    while game.turn_number == turn and not game.result:
        turns.carry_out(game, next_action(game))


def next_action(game):
    """H18: a duty (Tonj top, opened card, lowest house) on the lowest slot that fits, else a discard, else a pass."""
    duties = moves.duties(game)
    if duties:
        return actions.place(duties[0], {"kind": FOUNDATION})
    return actions.DISCARD if game.pending else actions.PASS

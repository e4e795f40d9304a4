"""The turn clock that runs out: the server plays on for the seat on turn (T34). It never opens a claim."""

from tests.oracle.tonj import claims, moves, options, turns
from tests.oracle.tonj_family.piles import HAND


def run_out(game):
    """Finishes the turn, or plays one action of it where the room says so."""
    turn = turn_of(game)
    play_one(game)
    while game.limits.timeout_policy == options.FINISH_TURN and turn_of(game) == turn and not game.result:
        play_one(game)


def turn_of(game):
    return game.hand_number, game.turn_number


def play_one(game):
    """P1, P2, P3, reveal, then the pending card, or end turn; no optional move."""
    turns.carry_out(game, next_action(game))


def next_action(game):
    duty = claims.mandated_move(game)
    if duty:
        return {"move": duty}
    if game.pending:
        return pending_action(game)
    if game.hands[game.turn_seat]:
        return {"reveal": {}}
    return {"endTurn": {}}


def pending_action(game):
    """A card without a duty: lowest-numbered legal house, else opponent's reserve, else his waste, else discard."""
    targets = moves.pending_targets(game)
    if targets:
        return {"move": {"from": {"kind": HAND, "seat": game.turn_seat}, "to": targets[0]}}
    return {"discard": {}}

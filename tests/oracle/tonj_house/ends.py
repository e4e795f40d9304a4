"""How a match ends: H14, H15, H17, H25. Each tells whether it has."""

from tests.oracle.tonj_house import moves
from tests.oracle.tonj_house.settlement import settlement

PLAYED_OUT = "END_REASON_PLAYED_OUT"
STALEMATE = "END_REASON_STALEMATE"
TURN_LIMIT = "END_REASON_TURN_LIMIT"
RESIGNED = "END_REASON_RESIGNED"


def personal_cards(game, seat):
    """H17: Tonj pile, stock and waste, one each. The opened card is the only other one."""
    return len(game.reserves[seat]) + len(game.hands[seat]) + len(game.wastes[seat])


def won(game):
    """H14: after an action of its own the seat on turn has nothing left; houses do not count."""
    if personal_cards(game, game.turn_seat) or game.pending:
        return False
    return end(game, PLAYED_OUT, [game.turn_seat])


def is_blocked(game):
    """H15: two passes in a row, and nobody could do more than shift cards between houses."""
    return game.passes >= 2 and not any(moves.can_change_anything(game, seat) for seat in range(2))


def blocked(game):
    """H15: a draw."""
    return is_blocked(game) and end(game, STALEMATE, [0, 1])


def last_turn_over(game):
    """H17: at the end of the last turn the one with fewer personal cards wins; equal numbers are a draw."""
    if game.turn_number < game.limits.max_turns:
        return False
    counts = [personal_cards(game, seat) for seat in range(2)]
    return end(game, TURN_LIMIT, [seat for seat in range(2) if counts[seat] == min(counts)])


def resign(game, seat):
    """H25: the opponent wins."""
    return end(game, RESIGNED, [1 - seat])


def end(game, reason, winners):
    """The match is over, and the table stays as it is (H25). There are no points in this game."""
    game.result = {
        "reason": reason,
        "points": [0, 0],
        "totals": [0, 0],
        "winner_seats": winners,
        "match_over": True,
        "settlement": settlement(game.limits.entry_fee, game.limits.rake_bps, winners),
    }
    return True

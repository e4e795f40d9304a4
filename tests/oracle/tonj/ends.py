"""The end of a hand and of a match: scores, burdens, series of hands (T23, T24, T28, T41).

When a stalemate stands is tested in turns.py.
"""

from tests.oracle.position import secrets
from tests.oracle.tonj import deal, turns

PLAYED_OUT = "END_REASON_PLAYED_OUT"
STALEMATE = "END_REASON_STALEMATE"
RESIGNED = "END_REASON_RESIGNED"


def burden(game, seat):
    """T24."""
    return len(game.hands[seat]) + len(game.wastes[seat]) + 2 * len(game.reserves[seat])


def won(game):
    """T23: ends the hand if the seat on turn has nothing left; whether it did."""
    seat = game.turn_seat
    if game.reserves[seat] or game.hands[seat] or game.wastes[seat] or game.pending:
        return False
    points = [0, 0]
    points[seat] = 30 + burden(game, 1 - seat)
    end_hand(game, PLAYED_OUT, points, [seat])
    return True


def stalemate(game):
    """T24: the lower burden wins the difference; equal burdens are a drawn hand."""
    burdens = [burden(game, seat) for seat in range(2)]
    points = [max(0, burdens[1] - burdens[0]), max(0, burdens[0] - burdens[1])]
    winners = [seat for seat in range(2) if points[seat]] or [0, 1]
    end_hand(game, STALEMATE, points, winners)


def resign(game, seat):
    """T41: the opponent wins the match, and no points are added."""
    game.result = outcome(game, RESIGNED, [0, 0], [1 - seat], match_over=True)


def end_hand(game, reason, points, hand_winners):
    """T28: adds the points, and ends the match or goes on with the next hand if there is one to deal."""
    game.totals = [total + more for total, more in zip(game.totals, points, strict=True)]
    target = game.limits.target_points
    if target == 0:
        game.result = outcome(game, reason, points, hand_winners, match_over=True)
    elif max(game.totals) >= target:
        leaders = [seat for seat in range(2) if game.totals[seat] == max(game.totals)]
        game.result = outcome(game, reason, points, leaders, match_over=True)
    elif game.partial or game.deal_seed is None:
        game.result = outcome(game, reason, points, hand_winners, match_over=False)
    else:
        deal_next_hand(game)


def outcome(game, reason, points, winners, match_over):
    return {
        "reason": reason,
        "points": points,
        "totals": list(game.totals),
        "burdens": [burden(game, seat) for seat in range(2)],
        "winner_seats": winners,
        "match_over": match_over,
    }


def deal_next_hand(game):
    """The players start alternately (T28)."""
    game.hand_number += 1
    game.starter = 1 - game.starter
    lay_out(game)


def lay_out(game):
    """Deals hand `hand_number` from the seed and starts its first turn (T2, T3, T17)."""
    dealt = deal.deal_hand(*secrets(game), game.hand_number)
    game.reserves, game.hands, game.houses = dealt["reserves"], dealt["hands"], dealt["houses"]
    game.wastes = [[], []]
    game.foundations = [[] for _ in range(8)]
    game.pending = None
    game.quiet = [0, 0]
    game.claim = None
    game.history = {}
    game.turn_number = 1
    game.turn_seat = game.starter
    turns.start_turn(game)

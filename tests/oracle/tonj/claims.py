"""Claims: how one opens, what a call and an expiry do, and the mandated move (T29-T33, T39).

How an attempt is classed is judged in moves.py.
"""

from tests.oracle.tonj import ends, moves, turns
from tests.oracle.tonj_family.piles import FOUNDATION, HAND, HOUSE, RESERVE


def limit_reached(game):
    """T33: further faulty attempts of this turn are plainly refused."""
    return game.claims >= game.limits.max_claims


def open_claim(game, attempt, kind):
    game.claims += 1
    game.claim = {"offender": game.turn_seat, "attempt": attempt, "class": kind}


def call(game):
    """T29, the column "called in the window": the turn is the caller's, who is the offender's opponent."""
    kind, game.claim = game.claim["class"], None
    if kind == "P":
        mandated = mandated_move(game)
        turns.place(game, mandated)
        if ends.won(game):  # T31
            return
        if mandated and mandated["from"]["kind"] == HAND:
            turns.recycle(game)  # T39
    if game.pending:
        turns.throw_pending(game)
    turns.end_turn(game)  # T39: no discard in the sense of T26


def expire(game):
    """T29, the column "window expires": the offender plays on."""
    kind, game.claim = game.claim["class"], None
    if kind == "P":
        turns.place(game, mandated_move(game))
        if ends.won(game):
            return
    turns.settle(game)


def mandated_move(game):
    """T31: the one move that the duties demand, or None when there is no duty."""
    duty = moves.first_duty(game)
    own_reserve = {"kind": RESERVE, "seat": game.turn_seat}
    if duty == "reserve":
        return to_lowest_foundation(own_reserve)
    if duty == "foundation":
        if game.pending:
            return to_lowest_foundation({"kind": HAND, "seat": game.turn_seat})
        return to_lowest_foundation({"kind": HOUSE, "index": lowest_house_with_duty(game)})
    if duty == "house":
        lowest_empty = next(index for index, house in enumerate(game.houses) if not house)
        return {"from": own_reserve, "to": {"kind": HOUSE, "index": lowest_empty}}
    return None


def lowest_house_with_duty(game):
    return next(
        index
        for index, house in enumerate(game.houses)
        if house and moves.lowest_foundation(game, house[-1]) is not None
    )


def to_lowest_foundation(source):
    """Without an index a foundation is the lowest-numbered fitting one."""
    return {"from": source, "to": {"kind": FOUNDATION}}

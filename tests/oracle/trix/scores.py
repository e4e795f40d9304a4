"""Points of a deal, and what follows its end: the next deal, or the end of the match (X7, X9, X10, X12)."""

from tests.oracle.trix import contracts, deals, layout, tricks

PLAYED_OUT = "END_REASON_PLAYED_OUT"


def points(game):
    """The points of the deal so far, by seat; of the Trix contract when it is over."""
    if game.contract == contracts.TRIX:
        return places(game)
    if game.contract == contracts.LTOOSH:
        return [-contracts.TRICK_COST * taken for taken in game.tricks_taken]
    by_seat = [0, 0, 0, 0]
    for taker in range(4):
        for index, card in enumerate(game.taken[taker]):
            charge(game, by_seat, taker, card, index % 4)
    return by_seat


def charge(game, by_seat, taker, card, place):
    """X7, X9: puts the points for one taken card to the seats; `place` is its place in its trick, from 0."""
    value = contracts.cost(game.contract, card)
    doubler = next((shown["seat"] for shown in game.doubled if shown["card"] == card), None)
    if doubler is None:
        by_seat[taker] -= value
    elif taker != doubler:
        by_seat[taker] -= 2 * value
        by_seat[doubler] += value
    else:
        leader = (doubler - place) % 4  # the doubler played the card himself, so many seats after the leader
        if game.limits.leader_pays and leader != doubler:
            by_seat[doubler] -= 2 * value
            by_seat[leader] += value
        else:
            by_seat[doubler] -= value


def places(game):
    """X10: in the order of emptying; the last player has what is left."""
    order = [*game.finished, *(seat for seat in range(4) if seat not in game.finished)]
    by_seat = [0, 0, 0, 0]
    for seat, place in zip(order, contracts.PLACES, strict=True):
        by_seat[seat] = place
    return by_seat


def deal_is_over(game):
    return layout.is_over(game) if game.contract == contracts.TRIX else tricks.is_over(game)


def totals_after(game):
    return [total + more for total, more in zip(game.totals, points(game), strict=True)]


def goes_on(game):
    """Whether another deal follows this one: not after the last, and not without a seed that it follows from."""
    return game.deal_number < deals.LAST_DEAL and not game.partial and game.deal_seed is not None


def end_deal_if_over(game):
    """After a card: scores a deal that is over with it, and goes on."""
    if not deal_is_over(game):
        return
    if goes_on(game):
        game.totals = totals_after(game)
        deals.next_deal(game)
    else:
        game.phase, game.turn_seat = "OVER", None
        game.result = outcome(game)


def outcome(game):
    """X12: after deal 20 the highest total wins, and equal highest totals share it."""
    totals, match_over = totals_after(game), game.deal_number == deals.LAST_DEAL
    return {
        "reason": PLAYED_OUT,
        "points": points(game),
        "totals": totals,
        "match_over": match_over,
        "winner_seats": [seat for seat in range(4) if totals[seat] == max(totals)] if match_over else [],
    }

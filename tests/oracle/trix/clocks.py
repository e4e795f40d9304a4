"""Which clocks run, and what happens when one runs out: X3, X4, X11, X14, X17, X19. No time passes here.

A position does not tell who was given up, so at its start nobody is.
"""

from tests.oracle.trix import cards, contracts, doubling, layout, tricks


def running(game):
    """X19: the clocks that may run out now: the public one of the phase, and the own one of the seat on turn."""
    public = {"CHOOSING": ["choose"], "DOUBLING": ["double"], "TRICKS": ["play"], "LAYOUT": ["play"], "OVER": []}
    return public[game.phase] + own(game)


def own(game):
    """X17: the away delay of a seat that was given up. X11: otherwise the auto-play delay, in the layout only."""
    if game.turn_seat is None:
        return []
    if game.turn_seat in game.away:
        return ["away"]
    if game.phase == "LAYOUT" and game.limits.plays_by_itself and len(layout.legal_cards(game)) <= 1:
        return ["auto"]
    return []


def run_out(game):
    """What is done for whoever did nothing, whichever of the running clocks it was."""
    if game.phase == "CHOOSING":
        game.choose(contracts.left(game.played_contracts)[0])  # X3
    elif game.phase == "DOUBLING":
        doubling.close(game)  # X4
    elif game.phase == "TRICKS":
        game.play(cards.by_rank(tricks.legal_cards(game))[0])  # X14
    elif layout.legal_cards(game):
        game.play(nearest_its_jack(layout.legal_cards(game)))
    else:
        game.pass_on()


def nearest_its_jack(legal):
    """X14: ties go by clubs, diamonds, hearts, spades, and in one suit to the lower card."""
    return min(cards.by_suit(legal), key=layout.distance)

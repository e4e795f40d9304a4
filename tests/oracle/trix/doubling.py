"""The doubling window: who is asked, what an answer may name, and the doubles shown at its end (X4, X5, X16)."""

from tests.oracle.trix import cards, contracts, deals
from tests.oracle.verdict import ACCEPTED, refused


def doublable(game, seat):
    """X4: the cards of a seat that the contract lets it double."""
    return [card for card in game.hands[seat] if contracts.may_be_doubled(game.contract, card)]


def all_asked(game):
    """X4: the holders, all at the same time."""
    return [seat for seat in range(4) if doublable(game, seat)]


def still_asked(game):
    return [seat for seat in all_asked(game) if seat not in game.answers]


def fault(game, seat, named):
    """X4, X16, X20: why a seat's answer would be refused, or None."""
    if seat not in all_asked(game):
        return "NOT_ASKED"
    if len(set(named)) < len(named):
        return "CARD_NAMED_TWICE"
    for card in named:
        if card not in game.hands[seat]:
            return "CARD_NOT_IN_HAND"
        if card not in doublable(game, seat):
            return "CARD_NOT_DOUBLABLE"
    return None


def answer(game, seat, named):
    """X4: once each; all the answers together close the window. A refused answer does not count (X16)."""
    if seat in game.answers:
        return refused("ALREADY_ANSWERED")
    found = fault(game, seat, named)
    if found:
        return refused(found)
    game.answers[seat] = cards.by_suit(named)
    if not still_asked(game):
        close(game)
    return ACCEPTED


def close(game):
    """X4, X16: an answer that is missing is "none"; the cards are shown by seat, then suit, and play begins."""
    game.doubled = [{"seat": seat, "card": card} for seat in sorted(game.answers) for card in game.answers[seat]]
    game.answers = {}
    deals.begin_play(game)

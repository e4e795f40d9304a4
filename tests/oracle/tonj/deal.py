"""Who starts a hand of Tonj: T5, T28."""

from tests.oracle.cards import SUITS
from tests.oracle.tonj_family import cards
from tests.oracle.tonj_family.deal import deal_hand, draw_of_lots


def starter_key(card):
    """T5 ranks A > K > ... > 2, then S > H > D > C."""
    ace_high = 14 if cards.rank(card) == 1 else cards.rank(card)
    return ace_high, SUITS.index(cards.suit(card))


def higher_shown(first, second):
    """T5: which of two rows of shown cards is the higher, 0 or 1, by the first pair that differs; None if none does."""
    for own, other in zip(first, second, strict=True):
        if starter_key(own) != starter_key(other):
            return 0 if starter_key(own) > starter_key(other) else 1
    return None


def first_starter(seed, entropies):
    """T5: who starts the first hand: by reserve cards, then house cards nearest first, then by a draw from the seed."""
    dealt = deal_hand(seed, entropies, 1)
    reserve_tops = [reserve[-1] for reserve in dealt["reserves"]]
    house_cards = [house[0] for house in dealt["houses"]]
    higher = higher_shown([reserve_tops[0], *house_cards[0:4]], [reserve_tops[1], *house_cards[4:8]])
    if higher is None:
        return draw_of_lots(seed, entropies, 1)
    return higher


def starter_of(seed, entropies, number):
    """The first hand's by T5, then the seats start alternately (T28)."""
    return (first_starter(seed, entropies) + number - 1) % 2

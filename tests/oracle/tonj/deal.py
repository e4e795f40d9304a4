"""The deal of a hand of Tonj and its starter: T2, T3, T5, T28."""

from tests.oracle import deck
from tests.oracle.cards import SUITS
from tests.oracle.tonj import cards

SEATS = 2
STARTER_DRAW_PACK = 255


def pack_of(seed, entropies, number, seat):
    """T2: each seat's own pack, shuffled for hand `number`."""
    return [card + str(seat) for card in deck.shuffled(seed, entropies, SEATS, number, seat)]


def deal_hand(seed, entropies, number):
    """The piles of hand `number`: {"reserves", "hands", "houses"} (T2, T3)."""
    decks = [pack_of(seed, entropies, number, seat) for seat in range(2)]
    return {
        "reserves": [deck[0:13] for deck in decks],
        "houses": [[card] for deck in decks for card in deck[13:17]],
        "hands": [deck[17:52] for deck in decks],
    }


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
        return next(deck.words(deck.deal_key(seed, entropies, SEATS, 1, STARTER_DRAW_PACK))) % 2
    return higher


def starter_of(seed, entropies, number):
    """The first hand's by T5, then the seats start alternately (T28)."""
    return (first_starter(seed, entropies) + number - 1) % 2

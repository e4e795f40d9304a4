"""Cards of Trix: a card is a string of rank and suit, `7H` (X1). What may be played is not known here."""

from tests.oracle.cards import DECK, SUITS, suit

RANKS = "23456789TJQKA"  # X1: the ace is the highest

EVERY_CARD = [rank + suit for suit in SUITS for rank in RANKS]


def is_card(text):
    return isinstance(text, str) and text in DECK


def rank(card):
    """0 for a two up to 12 for an ace (X1)."""
    return RANKS.index(card[0])


def by_suit(cards):
    """As hands are shown: clubs, diamonds, hearts, spades, in each from the two to the ace."""
    return sorted(cards, key=EVERY_CARD.index)


def by_rank(cards):
    """X14: the lowest rank first, then clubs, diamonds, hearts, spades."""
    return sorted(cards, key=lambda card: (rank(card), SUITS.index(suit(card))))

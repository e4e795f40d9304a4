"""Cards of both Tonj games, and what fits on what. Piles and turns are not known here.

A card is a string of rank, suit and pack: `7H0` is the seven of hearts of pack 0 (T1, H1).
"""

import itertools

from tests.oracle.cards import DECK, RANKS, suit

PACKS = "01"

EVERY_CARD = [card + pack for pack in PACKS for card in DECK]


def is_card(text):
    return isinstance(text, str) and text in EVERY_CARD


def rank(card):
    """1 for an ace up to 13 for a king (T4)."""
    return RANKS.index(card[0]) + 1


def is_red(card):
    return suit(card) in "DH"


def fits_foundation(card, foundation):
    """T9, H4: an ace on an empty one, else the same suit, next rank up."""
    if not foundation:
        return rank(card) == 1
    top = foundation[-1]
    return suit(card) == suit(top) and rank(card) == rank(top) + 1


def builds_on(card, outer):
    """T10, H5: one rank lower and of the other colour; so nothing goes on an ace."""
    return rank(card) == rank(outer) - 1 and is_red(card) != is_red(outer)


def fits_house(card, house):
    """T10 without T15, H5: an empty house takes any card."""
    return not house or builds_on(card, house[-1])


def fits_load(card, pile):
    """T11, H6: same suit, rank one off; an empty pile cannot be loaded. Ace and king are never adjacent."""
    if not pile:
        return False
    top = pile[-1]
    return suit(card) == suit(top) and abs(rank(card) - rank(top)) == 1


def is_run(cards):
    """T13, H5: a correctly built run, innermost card first."""
    return all(builds_on(upper, lower) for lower, upper in itertools.pairwise(cards))

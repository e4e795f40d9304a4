"""Who starts a match of the house edition: H2."""

from tests.oracle.tonj_family import cards
from tests.oracle.tonj_family.deal import draw_of_lots


def ace_high(card):
    """H2: 2 for a two up to 14 for an ace."""
    return 14 if cards.rank(card) == 1 else cards.rank(card)


def higher_top(first, second):
    """H2: which of two Tonj tops is the higher, 0 or 1, or None; suits are not compared."""
    if ace_high(first) == ace_high(second):
        return None
    return 0 if ace_high(first) > ace_high(second) else 1


def starter_of(dealt, seed, entropies, number):
    """H2: by the Tonj tops, else by a draw from the seed."""
    higher = higher_top(*(reserve[-1] for reserve in dealt["reserves"]))
    return draw_of_lots(seed, entropies, number) if higher is None else higher

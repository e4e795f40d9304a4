"""Packs, how they are laid out, and the draw of lots. Who starts, each game says for itself."""

from tests.oracle import deck

SEATS = 2
STARTER_DRAW_PACK = 255


def pack_of(seed, entropies, number, seat):
    """T2, H1: each seat's own pack, shuffled for hand `number`."""
    return [card + str(seat) for card in deck.shuffled(seed, entropies, SEATS, number, seat)]


def deal_hand(seed, entropies, number):
    """The piles of hand `number`: {"reserves", "hands", "houses"} (T2, T3, H1)."""
    decks = [pack_of(seed, entropies, number, seat) for seat in range(SEATS)]
    return {
        "reserves": [deck[0:13] for deck in decks],
        "houses": [[card] for deck in decks for card in deck[13:17]],
        "hands": [deck[17:52] for deck in decks],
    }


def draw_of_lots(seed, entropies, number):
    """T5, H2: the seat that starts where the cards do not tell."""
    return next(deck.words(deck.deal_key(seed, entropies, SEATS, number, STARTER_DRAW_PACK))) % 2

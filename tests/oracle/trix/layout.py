"""The Trix contract: rows that grow from the jacks, and hands that empty (X10)."""

from tests.oracle.trix import cards

JACK = cards.RANKS.index("J")


def fits(game, card):
    """X10: the jack of an unopened suit, or a neighbour of either end of its suit's row."""
    row = game.rows.get(cards.suit(card))
    if row is None:
        return card[0] == "J"
    low, high = (cards.RANKS.index(end) for end in row)
    return cards.rank(card) in (low - 1, high + 1)


def legal_cards(game):
    return [card for card in game.hands[game.turn_seat] if fits(game, card)]


def fault(game, card):
    """X20: why a card of the seat on turn would be refused, or None."""
    if card not in game.hands[game.turn_seat]:
        return "CARD_NOT_IN_HAND"
    if not fits(game, card):
        return "CARD_DOES_NOT_FIT"
    return None


def play(game, card):
    """Lays a fitting card at its row, and notes a hand that is empty with it."""
    suit = cards.suit(card)
    if suit not in game.rows:
        game.rows[suit] = ["J", "J"]
    elif cards.rank(card) < JACK:
        game.rows[suit][0] = card[0]
    else:
        game.rows[suit][1] = card[0]
    game.hands[game.turn_seat].remove(card)
    if not game.hands[game.turn_seat]:
        game.finished.append(game.turn_seat)
    pass_on(game)


def pass_on(game):
    """X10: the next seat that still holds cards; the same one, should no other hold any."""
    for step in range(1, 5):
        seat = (game.turn_seat + step) % 4
        if game.hands[seat]:
            game.turn_seat = seat
            return


def is_over(game):
    """X10: when the third hand empties."""
    return len(game.finished) == 3


def cards_laid(rows):
    """Every card that lies in the rows, the ends and all between them."""
    return [
        rank + suit
        for suit, (low, high) in rows.items()
        for rank in cards.RANKS[cards.RANKS.index(low) : cards.RANKS.index(high) + 1]
    ]


def distance(card):
    """X14: how far a card lies from its jack."""
    return abs(cards.rank(card) - JACK)

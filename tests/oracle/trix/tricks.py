"""Tricks: what may be played to one, who takes it, and when a deal of tricks is over (X6, X7, X8)."""

from tests.oracle.trix import cards, contracts


def led_suit(game):
    return cards.suit(game.trick[0]["card"]) if game.trick else None


def legal_cards(game):
    """X6: the led suit if the seat on turn has it, else any card."""
    hand = game.hands[game.turn_seat]
    return [card for card in hand if cards.suit(card) == led_suit(game)] or list(hand)


def fault(game, card):
    """X20: why a card of the seat on turn would be refused, or None."""
    if card not in game.hands[game.turn_seat]:
        return "CARD_NOT_IN_HAND"
    if card not in legal_cards(game):
        return "MUST_FOLLOW_SUIT"
    return None


def play(game, card):
    """Plays a legal card; the fourth completes the trick."""
    game.hands[game.turn_seat].remove(card)
    game.trick.append({"seat": game.turn_seat, "card": card})
    if len(game.trick) == 4:
        take(game)
    else:
        game.turn_seat = (game.turn_seat + 1) % 4  # X1


def take(game):
    """X6: the highest card of the led suit takes the trick, and its player leads the next."""
    following = [played for played in game.trick if cards.suit(played["card"]) == led_suit(game)]
    taker = max(following, key=lambda played: cards.rank(played["card"]))["seat"]
    game.taken[taker] += [played["card"] for played in game.trick]
    game.tricks_taken[taker] += 1
    game.trick = []
    game.turn_seat = taker


def is_over(game):
    """X7, X8: no cards are left, or all that the contract names are taken and the room does not play out."""
    if not any(game.hands) and not game.trick:
        return True
    named = contracts.how_many_cost(game.contract)
    if named is None or game.limits.play_out:
        return False
    return len([card for pile in game.taken for card in pile if contracts.cost(game.contract, card)]) == named

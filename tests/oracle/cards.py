"""Ranks and suits, and the deck before it is shuffled. What is higher than what, each game says for itself."""

RANKS = "A23456789TJQK"
SUITS = "CDHS"

DECK = [rank + suit for suit in SUITS for rank in RANKS]


def suit(card):
    return card[1]

"""What the two Tonj games have in common. Clauses are cited of both: T of the server edition, H of the house edition.

cards.py        what a card is, and what fits on what
piles.py        the piles of a table, and moves between them as they are sent
deal.py         packs and how they are laid out
position.py     piles of a position in and out
chance.py       random piles, runs and spellings, for play against another implementation
"""

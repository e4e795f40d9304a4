"""Trix, from its clauses.

One file for each part of docs/rules/trix.md, X1 to X21:

    cards.py        what a card is, and its rank (X1)
    contracts.py    the five contracts, what each counts, what may be doubled (X3, X4, X7)
    actions.py      actions as they are sent, and as they are listed (X19)
    options.py      the room's settings
    game.py         the game: act, expire, legal actions, outcome (X17, X20)
    deals.py        dealing, kingdoms, the choice of a contract, the next deal (X2, X3)
    doubling.py     who is asked, the answers, the window that closes (X4, X5, X16)
    tricks.py       following suit, who takes, when a deal of tricks is over (X6, X7, X8)
    layout.py       the rows of the Trix contract (X10)
    scores.py       points, the end of a deal and of the match (X7, X9, X10, X12)
    clocks.py       which clocks run, and what is played when one runs out (X3, X11, X14, X17, X19)
    position.py     positions in and out, and which are impossible
    play.py         random attempts, good and faulty, for play against another implementation
    tables.py       random options, and random small tables to play on
"""

from tests.oracle.trix import play as play
from tests.oracle.trix import tables as tables
from tests.oracle.trix.game import Game as Game

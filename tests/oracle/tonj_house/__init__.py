"""Tonj, house edition, from its clauses.

One file for each part of docs/rules/tonj-house.md, H1 to H29:

    deal.py         who starts (H2)
    actions.py      actions as they are sent, brought to canonical form
    options.py      the room's settings (H28)
    game.py         the game: act, expire, legal actions, outcome (H25, H29)
    moves.py        what an attempt is: refused, a neglect of the duty, or good (H3-H6, H8, H9, H11-H13, H22, H26)
    turns.py        placing cards, opening, turns that end and begin (H4, H7, H12, H13, H16, H23, H24)
    penalties.py    the penalty of a neglected duty (H9, H10, H21, H27)
    ends.py         how a match ends (H14, H15, H17, H25)
    settlement.py   who is paid what (H20)
    clocks.py       the turn clock that runs out (H18)
    position.py     positions in and out, and which are impossible
    play.py         random attempts, good and faulty, for play against another implementation
    tables.py       random options, and random small tables to play on

Cards, piles and how packs are laid out stand in `tests.oracle.tonj_family`. The Tonj pile is called the reserve there,
the stock the hand, and the opened card the pending one, as in positions.
"""

from tests.oracle.tonj_house import play as play
from tests.oracle.tonj_house import tables as tables
from tests.oracle.tonj_house.game import Game as Game

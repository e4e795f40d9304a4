"""Tonj, server edition, from its clauses.

One file for each part of docs/rules/tonj.md, T1 to T44:

deal.py         who starts (T5, T28)
actions.py      actions as they are sent, brought to canonical form
options.py      the room's settings
game.py         the game: act, expire, legal actions, outcome
moves.py        what an attempt is: unavailable, a build fault, a neglected priority, or good (T7-T22, T29, T36-T38)
claims.py       claims: opening, call, expiry, the mandated move (T29-T33, T39)
turns.py        placing cards, turning the waste over, turns that end and begin (T14, T17, T20, T21, T25-T27)
ends.py         scores, the end of a hand, series of hands (T23, T24, T28, T41)
clock.py        the turn clock that runs out (T34)
position.py     positions in and out, and which are impossible
play.py         random attempts, good and faulty, for play against another implementation
tables.py       random options, and random small tables to play on

Cards, piles and how packs are laid out stand in `tests.oracle.tonj_family`.
"""

from tests.oracle.tonj import play as play
from tests.oracle.tonj import tables as tables
from tests.oracle.tonj.game import Game as Game

"""The slow oracle: a second implementation of the rules of Tonj, server edition, written from the clauses alone.

It exists to disagree with the fast one. Clarity is everything and speed is nothing: cards are strings, piles are lists,
legal actions are found by trying every candidate on a copy.

    cards.py        what a card is, and what fits on what (T1, T4, T9-T11)
    deck.py         decks from a seed, the deal and the starter (T2, T3, T5)
    protojson.py    scalars and fields of protobuf JSON
    actions.py      actions as they are sent, brought to canonical form
    options.py      the room's settings
    tonj.py         the game: act, expire, legal actions, outcome
    tonj_moves.py   what an attempt is: unavailable, a build fault, a neglected priority, or good (T7-T22, T29, T36-T38)
    tonj_claims.py  claims: opening, call, expiry, the mandated move (T29-T33, T39)
    tonj_turns.py   placing cards, turning the waste over, turns that end and begin (T14, T17, T20, T21, T25-T27)
    tonj_ends.py    scores, the end of a hand, series of hands (T23, T24, T28, T41)
    tonj_clock.py   the turn clock that runs out (T34)
    position.py     positions in and out, and which are impossible
    judge.py        one line of cases in, one line of verdicts out
    play.py         random attempts, good and faulty, for play against another implementation
    tables.py       random small tables to play them on
"""

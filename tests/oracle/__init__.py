"""The slow oracle: a second implementation of the rules of each game, written from the clauses alone.

It exists to disagree with the fast one. Clarity is everything and speed is nothing: cards are strings, piles are lists,
legal actions are found by trying every candidate.

    games.py        which games there are
    judge.py        one line of cases in, one line of verdicts out
    verdict.py      the two verdicts that every game knows
    cards.py        ranks and suits, and the deck before it is shuffled
    deck.py         decks from a seed
    protojson.py    scalars, cards and fields of protobuf JSON
    position.py     what positions of every game have in common
    tonj_family/    what both Tonj games share: cards, piles, packs
    tonj/, tonj_house/, trix/
                    a game each, from its clauses; the packages list their files

A game is a folder with `game.Game` (a table, and what may be done to it), `play.random_action` (attempts, good and
faulty) and `tables` (random options and small tables), and a line in games.py. Where a faulty attempt can have
consequences, the game also lists its `attempts` beside its `plies`.
"""

"""Positions of the house edition in and out: which keys there are, and which tables are impossible.

`game` and `turn_seat` must stand. What every game's positions share stands in `tests.oracle.position`.
"""

import copy

from tests.oracle import position
from tests.oracle.cards import DECK, SUITS
from tests.oracle.position import Impossible
from tests.oracle.tonj_family import cards
from tests.oracle.tonj_family import position as family
from tests.oracle.tonj_family.deal import SEATS
from tests.oracle.tonj_house import ends, moves, options, turns

KEYS = {
    "game", "options", "hand_number", "turn_number", "turn_seat", "starter", "reserves", "hands", "wastes", "houses",
    "foundations", "retired", "pending", "moves", "passes", "partial", "deal_seed", "entropies",
}  # fmt: skip
IDLE_KEYS = {"claim", "totals"}
"""Of the family: they may stand there idle, and are not printed (H9; this game has no points)."""


def read(game, given):
    """Fills a game from a position. Raises Impossible, naming the fault."""
    found = position.given_keys(given, KEYS | IDLE_KEYS)
    if found.get("game") != "tonj_house":
        raise Impossible('game: "tonj_house" was expected')
    if "turn_seat" not in found:
        raise Impossible("turn_seat is missing")
    game.result = None
    read_counters(game, found)
    check_idle(found)
    family.read_piles(game, found)
    read_retired(game, found)
    game.deal_seed = position.read_seed(found)
    game.entropies = position.read_entropies(found, SEATS)
    position.check_cards(family.places(game), cards.EVERY_CARD, partial=True)
    check_faces(game)
    family.check_foundations(game)
    check_height(game)
    check_houses(game)
    check_turn_seat(game)
    check_passes(game)
    check_nothing_overdue(game)


def read_counters(game, found):
    """Counters are within their caps: a turn that reached its last placement has ended (H16), and so has the match."""
    settings, game.limits = position.read_options(found, options.Options)
    game.options = copy.deepcopy(settings)
    game.partial = position.flag(found, "partial")
    game.hand_number = position.number(found, "hand_number", 1, least=1, most=1)  # a match is one hand
    game.turn_number = position.number(found, "turn_number", 1, least=1, most=game.limits.max_turns)
    game.turn_seat = position.number(found, "turn_seat", None, most=1)
    game.starter = position.number(found, "starter", 0, most=1)
    game.moves = position.number(found, "moves", 0, most=game.limits.max_moves - 1)
    game.passes = position.number(found, "passes", 0)


def check_idle(found):
    """What the family's positions have, and this game knows nothing of."""
    if "claim" in found:
        raise Impossible("claim: there are none in this game")
    position.numbers(found, "totals", SEATS, most=0)


def read_retired(game, found):
    """H4: how many foundations of each suit have left play."""
    given = found.get("retired", {})
    if not isinstance(given, dict) or not set(given) <= set(SUITS):
        raise Impossible("retired: numbers by suit were expected")
    game.retired = {
        suit: position.checked_number(given.get(suit, 0), f"retired.{suit}", most=len(cards.PACKS)) for suit in SUITS
    }


def check_faces(game):
    """H4: 104 cards with those that left play, whose packs nobody knows any more."""
    standing = [card[:2] for _, pile in family.places(game) for card in pile]
    for face in DECK:
        count = standing.count(face) + game.retired[cards.suit(face)]
        if count > len(cards.PACKS):
            raise Impossible(f"retired: {face} stands on the table as well")
        if count < len(cards.PACKS) and not game.partial:
            raise Impossible(f"cards are missing, {face} among them, and the position is not partial")


def check_height(game):
    """H4: a foundation of thirteen has left play."""
    for index, foundation in enumerate(game.foundations):
        if len(foundation) == turns.KING_HEIGHT:
            raise Impossible(f"foundations[{index}]: with its king it leaves play")


def check_houses(game):
    """H5: cards come to a house one by one, so it is a run."""
    for index, house in enumerate(game.houses):
        if not cards.is_run(house):
            raise Impossible(f"houses[{index}]: such a house cannot be built")


def check_turn_seat(game):
    """H2: turns alternate."""
    if game.turn_seat != (game.starter + game.turn_number - 1) % SEATS:
        raise Impossible("turn_seat: it does not fit starter and turn_number")


def check_passes(game):
    """H13, H23: who ended his last turn with a pass had no stock, waste or opened card, and has none since."""
    if game.passes >= game.turn_number:
        raise Impossible("passes: more than turns have ended")
    passed = [1 - game.turn_seat, game.turn_seat][: game.passes]
    for seat in passed:
        if game.hands[seat] or game.wastes[seat] or (seat == game.turn_seat and game.pending):
            raise Impossible(f"passes: seat {seat} could not pass")


def check_nothing_overdue(game):
    """H7, H13, H15: what happens by itself has happened. Placements after the second pass may block a table anew."""
    if not game.pending and moves.cards_to_open(game):
        raise Impossible("pending: a card would have been opened")
    if moves.only_pass_left(game):
        raise Impossible("turn_seat: that seat would have passed by itself")
    if game.moves == 0 and ends.is_blocked(game):
        raise Impossible("passes: two in a row at a blocked table, so that the match was over (H15)")


def write(game):
    """The position of a game: every key, `deal_seed` and `entropies` only if given."""
    return family.write(game, "tonj_house", KEYS)

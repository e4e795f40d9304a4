"""Positions of Tonj in and out: which keys there are, and which tables are impossible.

`game` and `turn_seat` must stand. What every game's positions share stands in `tests.oracle.position`.
"""

import copy

from tests.oracle import position, protojson
from tests.oracle.position import Impossible
from tests.oracle.tonj import actions, moves, options
from tests.oracle.tonj_family import cards
from tests.oracle.tonj_family import position as family
from tests.oracle.tonj_family.deal import SEATS

KEYS = {
    "game", "options", "hand_number", "turn_number", "turn_seat", "starter", "reserves", "hands", "wastes", "houses",
    "foundations", "pending", "transfers", "claims", "quiet", "claim", "totals", "partial", "deal_seed", "entropies",
}  # fmt: skip


def read(game, given):
    """Fills a game from a position. Raises Impossible, naming the fault."""
    found = position.given_keys(given, KEYS)
    if found.get("game") != "tonj":
        raise Impossible('game: "tonj" was expected')
    if "turn_seat" not in found:
        raise Impossible("turn_seat is missing")
    read_counters(game, found)
    family.read_piles(game, found)
    game.deal_seed = position.read_seed(found)
    game.entropies = position.read_entropies(found, SEATS)
    position.check_cards(family.places(game), cards.EVERY_CARD, game.partial)  # T6
    family.check_foundations(game)
    check_waste_turned_over(game, found)
    read_claim(game, found)
    game.history, game.result = {}, None


def read_counters(game, found):
    settings, game.limits = position.read_options(found, options.Options)
    game.options = copy.deepcopy(settings)
    game.partial = position.flag(found, "partial")
    game.hand_number = position.number(found, "hand_number", 1, least=1)
    game.turn_number = position.number(found, "turn_number", 1, least=1)
    game.turn_seat = position.number(found, "turn_seat", None, most=1)
    game.starter = position.number(found, "starter", 0, most=1)
    game.transfers = position.number(found, "transfers", 0, most=game.limits.max_transfers)
    game.claims = position.number(found, "claims", 0, most=game.limits.max_claims)
    game.quiet = position.numbers(found, "quiet", SEATS)
    game.totals = position.numbers(found, "totals", SEATS)


def check_waste_turned_over(game, found):
    """T20: for the seat on turn, a waste behind an empty hand would have been turned over."""
    seat = game.turn_seat
    if game.wastes[seat] and not game.hands[seat] and not game.pending and "claim" not in found:
        raise Impossible(f"wastes[{seat}] would have been turned over")


def read_claim(game, found):
    """A claim is open for an attempt of that class by the seat on turn, and it counts among the turn's claims."""
    game.claim = None
    if "claim" not in found:
        return
    claim = found["claim"]
    if not isinstance(claim, dict) or set(claim) != {"offender", "attempt", "class"}:
        raise Impossible("claim: offender, attempt and class were expected")
    if position.checked_number(claim["offender"], "claim.offender", most=1) != game.turn_seat:
        raise Impossible("claim: only the seat on turn can offend")
    try:
        attempt = actions.canonical_action(claim["attempt"])
    except protojson.Malformed as fault:
        raise Impossible(f"claim.attempt: {fault}") from fault
    if "resign" in attempt or "callTonj" in attempt:
        raise Impossible("claim.attempt: such an action opens no claim")
    judged = moves.judge(game, attempt).kind
    if claim["class"] not in ("B", "P") or claim["class"] != judged:
        raise Impossible(f"claim: the attempt is not of class {claim['class']!r}")
    if game.claims == 0:
        raise Impossible("claims: an open claim is one of them")
    game.claim = {"offender": game.turn_seat, "attempt": attempt, "class": judged}


def write(game):
    """The position of a game: every key, `deal_seed` and `entropies` only if given."""
    return family.write(game, "tonj", KEYS)

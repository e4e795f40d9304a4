"""Positions in and out: the JSON form of a whole table, and which tables are impossible.

A missing key has its idle value, and `null` or an empty value counts as missing; `game` and `turn_seat` must stand.
"""

import copy

from tests.oracle import actions, cards, deck, options, protojson, tonj_moves

KEYS = {
    "game", "options", "hand_number", "turn_number", "turn_seat", "starter", "reserves", "hands", "wastes", "houses",
    "foundations", "pending", "transfers", "claims", "quiet", "claim", "totals", "partial", "deal_seed", "entropies",
}  # fmt: skip
NUMBER_LIMIT = 1 << 32


class Impossible(ValueError):
    """A position that is malformed, or that no play can lead to."""


def read(game, given):
    """Fills a game from a position. Raises Impossible, naming the fault."""
    if not isinstance(given, dict):
        raise Impossible("a position is an object")
    for key in given:
        if key not in KEYS:
            raise Impossible(f"unknown key: {key}")
    found = {key: value for key, value in given.items() if not is_empty(value)}
    if found.get("game") != "tonj":
        raise Impossible('game: "tonj" was expected')
    if "turn_seat" not in found:
        raise Impossible("turn_seat is missing")
    read_counters(game, found)
    read_piles(game, found)
    read_deal(game, found)
    check_cards(game)
    check_foundations(game)
    check_waste_turned_over(game, found)
    read_claim(game, found)
    game.history, game.result = {}, None


def is_empty(value):
    return value is None or value in ("", [], {})


def read_counters(game, found):
    game.options = copy.deepcopy(found.get("options", {}))
    try:
        game.limits = options.Options(game.options)
    except protojson.Malformed as fault:
        raise Impossible(f"options: {fault}") from fault
    game.partial = found.get("partial", False)
    if not isinstance(game.partial, bool):
        raise Impossible("partial: true or false was expected")
    game.hand_number = number(found, "hand_number", 1, least=1)
    game.turn_number = number(found, "turn_number", 1, least=1)
    game.turn_seat = number(found, "turn_seat", None, most=1)
    game.starter = number(found, "starter", 0, most=1)
    game.transfers = number(found, "transfers", 0, most=game.limits.max_transfers)
    game.claims = number(found, "claims", 0, most=game.limits.max_claims)
    game.quiet = [checked_number(count, "quiet") for count in two(found, "quiet", [0, 0])]
    game.totals = [checked_number(total, "totals") for total in two(found, "totals", [0, 0])]


def number(found, key, idle, least=0, most=NUMBER_LIMIT - 1):
    return checked_number(found.get(key, idle), key, least, most)


def checked_number(value, key, least=0, most=NUMBER_LIMIT - 1):
    if not isinstance(value, int) or isinstance(value, bool):
        raise Impossible(f"{key}: a whole number was expected")
    if not least <= value <= most:
        raise Impossible(f"{key}: {value} is not within {least} to {most}")
    return value


def two(found, key, idle):
    return sized_list(found.get(key, idle), key, 2)


def sized_list(value, key, size):
    if not isinstance(value, list) or len(value) != size:
        raise Impossible(f"{key}: a list of {size} was expected")
    return list(value)


def read_piles(game, found):
    for key, size in (("reserves", 2), ("hands", 2), ("wastes", 2), ("houses", 8), ("foundations", 8)):
        piles = sized_list(found.get(key, [[]] * size), key, size)
        setattr(game, key, [read_pile(pile, f"{key}[{index}]") for index, pile in enumerate(piles)])
    game.pending = found.get("pending")
    if game.pending is not None:
        read_pile([game.pending], "pending")


def read_pile(pile, place):
    if not isinstance(pile, list):
        raise Impossible(f"{place}: a list of cards was expected")
    for card in pile:
        if not cards.is_card(card):
            raise Impossible(f"{place}: no such card: {card!r}")
    return list(pile)


def read_deal(game, found):
    game.deal_seed = read_hex(found["deal_seed"], "deal_seed") if "deal_seed" in found else None
    if game.deal_seed is not None and len(game.deal_seed) != 64:
        raise Impossible("deal_seed: 64 hex digits were expected")
    game.entropies = None
    if "entropies" in found:
        if not isinstance(found["entropies"], list) or len(found["entropies"]) > 2:
            raise Impossible("entropies: at most one a seat")
        game.entropies = [read_hex(entropy, "entropies") for entropy in found["entropies"]]
        if any(len(entropy) > 2 * deck.MAX_ENTROPY_BYTES for entropy in game.entropies):
            raise Impossible(f"entropies: at most {deck.MAX_ENTROPY_BYTES} bytes")


def read_hex(text, key):
    """Hex digits in pairs, made lower-case."""
    if not isinstance(text, str) or len(text) % 2 or any(digit not in "0123456789abcdefABCDEF" for digit in text):
        raise Impossible(f"{key}: pairs of hex digits were expected")
    return text.lower()


def places(game):
    """(place, cards) of every pile, the pending card included."""
    for key in ("reserves", "hands", "wastes", "houses", "foundations"):
        for index, pile in enumerate(getattr(game, key)):
            yield f"{key}[{index}]", pile
    if game.pending:
        yield "pending", [game.pending]


def check_cards(game):
    """T6: no card twice, and none missing unless the position is partial."""
    stands = {}
    for place, pile in places(game):
        for card in pile:
            if card in stands:
                raise Impossible(f"{card} stands twice: {stands[card]}, {place}")
            stands[card] = place
    missing = [card for card in cards.EVERY_CARD if card not in stands]
    if missing and not game.partial:
        raise Impossible(f"{len(missing)} cards are missing, {missing[0]} among them, and the position is not partial")


def check_foundations(game):
    """T9: each from the ace up, in one suit, without a gap."""
    for index, foundation in enumerate(game.foundations):
        for height, card in enumerate(foundation):
            if not cards.fits_foundation(card, foundation[:height]):
                raise Impossible(f"foundations[{index}]: {card} cannot lie there")


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
    if checked_number(claim["offender"], "claim.offender", most=1) != game.turn_seat:
        raise Impossible("claim: only the seat on turn can offend")
    try:
        attempt = actions.canonical_action(claim["attempt"])
    except protojson.Malformed as fault:
        raise Impossible(f"claim.attempt: {fault}") from fault
    if "resign" in attempt or "callTonj" in attempt:
        raise Impossible("claim.attempt: such an action opens no claim")
    judged = tonj_moves.judge(game, attempt).kind
    if claim["class"] not in ("B", "P") or claim["class"] != judged:
        raise Impossible(f"claim: the attempt is not of class {claim['class']!r}")
    if game.claims == 0:
        raise Impossible("claims: an open claim is one of them")
    game.claim = {"offender": game.turn_seat, "attempt": attempt, "class": judged}


def write(game):
    """The position of a game: every key, `deal_seed` and `entropies` only if given."""
    printed = {
        key: copy.deepcopy(getattr(game, key))
        for key in KEYS - {"game"}
        if key not in ("deal_seed", "entropies") or getattr(game, key) is not None
    }
    printed["game"] = "tonj"
    return dict(sorted(printed.items()))

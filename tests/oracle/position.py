"""What positions of every game have in common: absent values, numbers, lists, the seed, and no card twice.

A missing key has its idle value, and `null` or an empty value counts as missing. What a key means is not known here.
"""

from tests.oracle import deck, protojson

NUMBER_LIMIT = 1 << 32


class Impossible(ValueError):
    """A position that is malformed, or that no play can lead to."""


def given_keys(given, keys):
    """The keys of a position that have a value. Raises Impossible for what is no object and for an unknown key."""
    if not isinstance(given, dict):
        raise Impossible("a position is an object")
    for key in given:
        if key not in keys:
            raise Impossible(f"unknown key: {key}")
    return {key: value for key, value in given.items() if not is_empty(value)}


def is_empty(value):
    return value is None or value in ("", [], {})


def read_options(found, options):
    """The options as they were given, and with their defaults, made by the class `options`."""
    settings = found.get("options", {})
    try:
        return settings, options(settings)
    except protojson.Malformed as fault:
        raise Impossible(f"options: {fault}") from fault


def flag(found, key):
    value = found.get(key, False)
    if not isinstance(value, bool):
        raise Impossible(f"{key}: true or false was expected")
    return value


def number(found, key, idle, least=0, most=NUMBER_LIMIT - 1):
    return checked_number(found.get(key, idle), key, least, most)


def checked_number(value, key, least=0, most=NUMBER_LIMIT - 1):
    if not isinstance(value, int) or isinstance(value, bool):
        raise Impossible(f"{key}: a whole number was expected")
    if not least <= value <= most:
        raise Impossible(f"{key}: {value} is not within {least} to {most}")
    return value


def numbers(found, key, size, least=0, most=NUMBER_LIMIT - 1):
    """A list of so many numbers, noughts when it is absent."""
    return [checked_number(value, key, least, most) for value in lists(found, key, size, idle=0)]


def lists(found, key, size, idle):
    """A list of so many values, each of them idle when it is absent."""
    return sized_list(found.get(key, [idle] * size), key, size)


def sized_list(value, key, size):
    if not isinstance(value, list) or len(value) != size:
        raise Impossible(f"{key}: a list of {size} was expected")
    return list(value)


def read_pile(pile, place, is_card):
    """A list of cards; `is_card` tells what is one."""
    if not isinstance(pile, list):
        raise Impossible(f"{place}: a list of cards was expected")
    for card in pile:
        if not is_card(card):
            raise Impossible(f"{place}: no such card: {card!r}")
    return list(pile)


def read_seed(found):
    """The deal seed in lower-case hex, or None."""
    if "deal_seed" not in found:
        return None
    seed = read_hex(found["deal_seed"], "deal_seed")
    if len(seed) != 64:
        raise Impossible("deal_seed: 64 hex digits were expected")
    return seed


def read_entropies(found, seats):
    """What the seats gave in lower-case hex, or None."""
    if "entropies" not in found:
        return None
    if not isinstance(found["entropies"], list) or len(found["entropies"]) > seats:
        raise Impossible("entropies: at most one a seat")
    entropies = [read_hex(entropy, "entropies") for entropy in found["entropies"]]
    if any(len(entropy) > 2 * deck.MAX_ENTROPY_BYTES for entropy in entropies):
        raise Impossible(f"entropies: at most {deck.MAX_ENTROPY_BYTES} bytes")
    return entropies


def read_hex(text, key):
    """Hex digits in pairs, made lower-case."""
    if not isinstance(text, str) or len(text) % 2 or any(digit not in "0123456789abcdefABCDEF" for digit in text):
        raise Impossible(f"{key}: pairs of hex digits were expected")
    return text.lower()


def secrets(game):
    """The seed and the entropies that the deals follow from, as bytes."""
    return bytes.fromhex(game.deal_seed), [bytes.fromhex(entropy) for entropy in game.entropies or []]


def check_cards(places, every_card, partial):
    """No card twice among the (place, cards), and none missing unless the position is partial."""
    stands = {}
    for place, pile in places:
        for card in pile:
            if card in stands:
                raise Impossible(f"{card} stands twice: {stands[card]}, {place}")
            stands[card] = place
    missing = [card for card in every_card if card not in stands]
    if missing and not partial:
        raise Impossible(f"{len(missing)} cards are missing, {missing[0]} among them, and the position is not partial")

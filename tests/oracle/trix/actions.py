"""Actions as they are sent (protobuf JSON of TrixAction, or a resignation), read and written.

Read, an action is a pair of its kind and its content:

    ("chooseContract", "QUEENS")    or a number that is no contract's
    ("answerDouble", ["QC", "QS"])
    ("playCard", "7H")
    ("pass", None)
    ("resign", None)

Whether it is any good is not judged here.
"""

from tests.oracle import protojson
from tests.oracle.cards import RANKS, SUITS
from tests.oracle.trix.contracts import CONTRACTS

RANK_NAMES = dict(
    zip(
        RANKS,
        ["ACE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING"],
        strict=True,
    )
)
SUIT_NAMES = dict(zip(SUITS, ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"], strict=True))

RANK_VALUES = ["RANK_UNSPECIFIED", *(f"RANK_{name}" for name in RANK_NAMES.values())]
SUIT_VALUES = ["SUIT_UNSPECIFIED", *(f"SUIT_{name}" for name in SUIT_NAMES.values())]
CONTRACT_VALUES = ["CONTRACT_UNSPECIFIED", *(f"CONTRACT_{name}" for name in CONTRACTS)]


def read(value):
    """The kind and the content of an action. Raises protojson.Malformed (X19)."""
    given = protojson.fields(value, "choose_contract", "answer_double", "play_card", "pass", "resign")
    if len(given) != 1:
        raise protojson.Malformed("an action is exactly one of its kinds")
    [(kind, content)] = given.items()
    return protojson.camel(kind), READERS[kind](content)


def read_contract(content):
    contract = protojson.enum(protojson.fields(content, "contract").get("contract", 0), CONTRACT_VALUES)
    if contract == "CONTRACT_UNSPECIFIED":
        raise protojson.Malformed("no contract is named")
    return contract.removeprefix("CONTRACT_") if isinstance(contract, str) else contract


def read_cards(content):
    cards = protojson.fields(content, "cards").get("cards", [])
    if not isinstance(cards, list):
        raise protojson.Malformed("a list of cards was expected")
    return [read_card(card) for card in cards]


def read_played(content):
    return read_card(protojson.fields(content, "card").get("card", {}))


def read_nothing(content):
    protojson.fields(content)


READERS = {
    "choose_contract": read_contract,
    "answer_double": read_cards,
    "play_card": read_played,
    "pass": read_nothing,
    "resign": read_nothing,
}


def read_card(value):
    """X19: a card has a rank and a suit, and no pack but 0."""
    given = protojson.fields(value, "suit", "rank", "pack")
    suit = protojson.enum(given.get("suit", 0), SUIT_VALUES)
    rank = protojson.enum(given.get("rank", 0), RANK_VALUES)
    if protojson.uint32(given.get("pack", 0)) != 0:
        raise protojson.Malformed("there is one pack")
    if suit not in SUIT_VALUES[1:] or rank not in RANK_VALUES[1:]:
        raise protojson.Malformed("a card has a rank and a suit")
    return RANKS[RANK_VALUES.index(rank) - 1] + SUITS[SUIT_VALUES.index(suit) - 1]


def choose(contract):
    return {"chooseContract": {"contract": f"CONTRACT_{contract}"}}


def double(cards):
    return {"answerDouble": {"cards": [card_message(card) for card in cards]} if cards else {}}


def play(card):
    return {"playCard": {"card": card_message(card)}}


def passed():
    return {"pass": {}}


def card_message(card):
    return {"rank": f"RANK_{RANK_NAMES[card[0]]}", "suit": f"SUIT_{SUIT_NAMES[card[1]]}"}

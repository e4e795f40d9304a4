"""Events of the house edition in a few words. What of it is drawn where stands in `picture` and `spectator`."""

from collections.abc import Sequence

from demo.cards import SUITS, card
from demo.crapette.words import Terms
from majlis.v1 import tonj_house_pb2

TERMS = Terms(reserve="Tonj pile", hand="stock")


def event(fact: tonj_house_pb2.TonjHouseEvent, names: Sequence[str]) -> str:
    """What happened, without who did it where that is the seat on turn; empty for the marks of turns."""
    match fact.WhichOneof("kind"):
        case "dealt":
            return f"the cards are dealt; {names[fact.dealt.starter]} starts" + " by lot" * fact.dealt.drawn
        case "waste_turned":
            count = fact.waste_turned.count
            return f"{count} cards of waste become the stock" if count > 1 else "the card of waste becomes the stock"
        case "card_opened":
            return f"opens {card(fact.card_opened.card)}"
        case "card_moved":
            moved = fact.card_moved
            return f"{card(moved.card)} → {TERMS.pile(moved.to, names)}{_cause(moved.cause)}"
        case "foundation_retired":
            return f"a foundation of {SUITS[fact.foundation_retired.suit]} is complete and leaves"
        case "card_discarded":
            return f"throws {card(fact.card_discarded.card)}{_cause(fact.card_discarded.cause)}"
        case "penalised":
            levied = fact.penalised
            count = levied.from_stock + levied.from_waste
            return f"PENALTY: {count} of {names[levied.source]}'s cards go under {names[levied.seat]}'s Tonj pile"
        case "passed":
            return f"passes{_cause(fact.passed.cause)}"
        case _:
            return ""


def _cause(cause: tonj_house_pb2.TonjHouseEvent.Cause.ValueType) -> str:
    return {
        tonj_house_pb2.TonjHouseEvent.CAUSE_CLOCK: " (by the clock)",
        tonj_house_pb2.TonjHouseEvent.CAUSE_RULE: " (by itself)",
    }.get(cause, "")

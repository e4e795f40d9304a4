"""Contracts and events of Trix in a few words. Points stand in `scores`."""

from collections.abc import Sequence

from demo.cards import card
from majlis.v1 import event_pb2, trix_pb2

CONTRACTS = {
    trix_pb2.CONTRACT_KING_OF_HEARTS: "King of Hearts",
    trix_pb2.CONTRACT_QUEENS: "Queens",
    trix_pb2.CONTRACT_DIAMONDS: "Diamonds",
    trix_pb2.CONTRACT_LTOOSH: "Ltoosh",
    trix_pb2.CONTRACT_TRIX: "Trix",
}


def contract(which: trix_pb2.Contract.ValueType) -> str:
    """Such as `Queens`; before it is chosen, that."""
    return CONTRACTS.get(which, "a contract is chosen")


def event(one: event_pb2.Event, names: Sequence[str]) -> str:
    """What happened, in a few words; empty where nobody did anything."""
    match one.WhichOneof("kind"):
        case "trix":
            return _fact(one.trix, names)
        case "resigned":
            return f"{names[one.resigned.seat]} leaves"
        case "returned":
            return f"{names[one.returned.seat]} is back"
        case "timed_out":
            return f"{names[one.timed_out.seat]}'s time is up"
        case _:
            return ""


def _fact(fact: trix_pb2.TrixEvent, names: Sequence[str]) -> str:
    match fact.WhichOneof("kind"):
        case "dealt":
            return f"deal {fact.dealt.deal_number} is dealt"
        case "contract_chosen":
            return f"it is {contract(fact.contract_chosen.contract)}"
        case "doubles_shown":
            return doubled(fact.doubles_shown.doubled, names)
        case "card_played":
            return f"{names[fact.card_played.seat]} plays {card(fact.card_played.card)}"
        case "passed":
            return f"{names[fact.passed.seat]} passes"
        case "trick_taken":
            return f"{names[fact.trick_taken.seat]} takes the trick"
        case _:
            return ""


def doubled(cards: Sequence[trix_pb2.TrixView.Doubled], names: Sequence[str]) -> str:
    """Such as `Q♠ doubled by Alia`."""
    return ", ".join(f"{card(one.card)} doubled by {names[one.seat]}" for one in cards) or "nothing is doubled"

"""Events of Tonj in a few words. What of it is drawn where stands in `picture` and `spectator`."""

from collections.abc import Sequence

from demo.cards import card
from demo.crapette.words import Terms
from majlis.v1 import tonj_pb2

TERMS = Terms(reserve="reserve", hand="hand")
FAULTS = {
    tonj_pb2.TonjEvent.FAULT_CLASS_BUILD: "it broke a rule of building",
    tonj_pb2.TonjEvent.FAULT_CLASS_PRIORITY: "another move had to come first",
}


def event(fact: tonj_pb2.TonjEvent, names: Sequence[str], view: tonj_pb2.TonjView) -> str:
    """What happened, without who did it where that is the seat on turn; empty for the marks of turns."""
    match fact.WhichOneof("kind"):
        case "dealt":
            dealt = fact.dealt
            return f"hand {dealt.hand_number} is dealt; {names[dealt.starter]} starts" + " by lot" * dealt.drawn
        case "cards_moved":
            moved = fact.cards_moved
            cards = " ".join(card(one) for one in moved.cards)
            return f"{cards} → {TERMS.pile(moved.to, names)}{_cause(moved.cause)}"
        case "card_revealed":
            return f"turns up {card(fact.card_revealed.card)}{_cause(fact.card_revealed.cause)}"
        case "card_discarded":
            return f"throws {card(fact.card_discarded.card)}{_cause(fact.card_discarded.cause)}"
        case "waste_recycled":
            count = fact.waste_recycled.count
            return f"{count} cards of waste become the hand" if count > 1 else "the card of waste becomes the hand"
        case "claim_opened":
            opened = fact.claim_opened
            return f"tries {_attempt(opened.attempt, names, view)} … Tonj may be called"
        case "claim_resolved":
            resolved = fact.claim_resolved
            end = "TONJ is called" if resolved.called else "nobody calls"
            return f"{end}: {FAULTS.get(resolved.fault_class, 'it was wrong')}"
        case _:
            return ""


def hand_end(fact: tonj_pb2.TonjEvent.HandEnded, names: Sequence[str]) -> str:
    """How a hand ended, in a sentence."""
    by = "is played out" if fact.by == tonj_pb2.TonjEvent.HAND_END_PLAYED_OUT else "ends in stalemate"
    won = f"{names[fact.winner]} scores {fact.points[fact.winner]}" if fact.HasField("winner") else "it is drawn"
    burdens = ", ".join(f"{name} {burden}" for name, burden in zip(names, fact.burdens, strict=True))
    return f"the hand {by}: {won} (burdens: {burdens})"


def _attempt(action: tonj_pb2.TonjAction, names: Sequence[str], view: tonj_pb2.TonjView) -> str:
    if not action.HasField("move"):
        return (action.WhichOneof("kind") or "nothing").replace("_", " ")
    source = getattr(action.move, "from")
    taken = f"{card(view.sides[source.seat].reserve_top)} of " if source.kind == tonj_pb2.PILE_KIND_RESERVE else ""
    return f"{taken}{TERMS.pile(source, names)} → {TERMS.pile(action.move.to, names)}"


def _cause(cause: tonj_pb2.TonjEvent.Cause.ValueType) -> str:
    return {
        tonj_pb2.TonjEvent.CAUSE_CLAIM: " (by the claim)",
        tonj_pb2.TonjEvent.CAUSE_CLOCK: " (by the clock)",
    }.get(cause, "")

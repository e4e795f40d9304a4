"""The actions of Trix as messages."""

from collections.abc import Iterable

from majlis.v1 import cards_pb2, trix_pb2

PASS = trix_pb2.TrixAction()
getattr(PASS, "pass").SetInParent()  # a word of Python


def choose(contract: trix_pb2.Contract.ValueType) -> trix_pb2.TrixAction:
    """Picks a contract."""
    return trix_pb2.TrixAction(choose_contract=trix_pb2.TrixAction.ChooseContract(contract=contract))


def answer(cards: Iterable[cards_pb2.Card]) -> trix_pb2.TrixAction:
    """Doubles these cards, or none."""
    return trix_pb2.TrixAction(answer_double=trix_pb2.TrixAction.AnswerDouble(cards=cards))


def play(card: cards_pb2.Card) -> trix_pb2.TrixAction:
    """Plays a card."""
    return trix_pb2.TrixAction(play_card=trix_pb2.TrixAction.PlayCard(card=card))


def done_by(fact: trix_pb2.TrixEvent) -> tuple[int, trix_pb2.TrixAction] | None:
    """Whose play an event tells of, and what it was; None if it tells of none."""
    if fact.HasField("card_played"):
        return fact.card_played.seat, play(fact.card_played.card)
    if fact.HasField("passed"):
        return fact.passed.seat, PASS
    return None

"""Trix over the wire: who asks for a match, and actions as fields of a request."""

from typing import Any

from majlis.v1 import cards_pb2, match_pb2, matchmaking_service_pb2, trix_pb2
from tests.api.clients import two_players

NAMES = ("alice", "badr", "carim", "dana")
SPECTATOR = "zahra"

Card = cards_pb2.Card


def four_players(*names: str, options: trix_pb2.TrixOptions | None = None, **fields: Any) -> dict[str, Any]:
    """Fields of a `CreateMatchRequest` for a match of Trix with clocks that a test never meets."""
    patient = trix_pb2.TrixOptions(
        choose_seconds=600, double_seconds=600, play_seconds=600, auto_play_delay_ms=0, away_delay_ms=60_000
    )
    return two_players(
        **{
            "game": match_pb2.GAME_TRIX,
            "options": match_pb2.GameOptions(trix=options or patient),
            "players": [matchmaking_service_pb2.Player(player_id=name) for name in names or NAMES],
            **fields,
        }
    )


def choose(contract: int) -> dict[str, Any]:
    """As in a request; the contract may be none that there is."""
    choice = trix_pb2.TrixAction.ChooseContract(contract=contract)  # type: ignore[arg-type]
    return {"trix": trix_pb2.TrixAction(choose_contract=choice)}


def double(*cards: Card) -> dict[str, Any]:
    return {"trix": trix_pb2.TrixAction(answer_double=trix_pb2.TrixAction.AnswerDouble(cards=cards))}


def play(card: Card | None) -> dict[str, Any]:
    return {"trix": trix_pb2.TrixAction(play_card=trix_pb2.TrixAction.PlayCard(card=card))}


def passed() -> dict[str, Any]:
    action = trix_pb2.TrixAction()
    getattr(action, "pass").SetInParent()
    return {"trix": action}


def queens(cards: Any) -> list[Card]:
    return [card for card in cards if card.rank == cards_pb2.RANK_QUEEN]

"""What players of Trix try that the rules forbid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demo.attempts import Attempt, Attempts
from demo.cards import card as face
from demo.screen import Screen
from demo.trix import actions, words
from majlis.v1 import trix_pb2

if TYPE_CHECKING:
    from demo.trix.player import Player


def forbidden(screen: Screen) -> Attempts[Player]:
    """All of them."""
    return Attempts(
        screen,
        Attempt("CONTRACT_ALREADY_PLAYED", _used_contract),
        Attempt("MUST_FOLLOW_SUIT", _other_suit),
        Attempt("CARD_CAN_BE_PLAYED", _needless_pass),
        Attempt("CARD_DOES_NOT_FIT", _loose_card),
    )


def _used_contract(player: Player) -> tuple[str, trix_pb2.TrixAction] | None:
    view = player.view
    if view.phase != trix_pb2.TrixView.PHASE_CHOOSING or not view.played_contracts:
        return None
    used = view.played_contracts[0]
    return f"wants {words.contract(used)} again", actions.choose(used)


def _other_suit(player: Player) -> tuple[str, trix_pb2.TrixAction] | None:
    view = player.view
    if view.phase != trix_pb2.TrixView.PHASE_TRICKS or not view.trick:
        return None
    led = view.trick[0].card.suit
    others = [card for card in view.hand if card.suit != led]
    if not others or len(others) == len(view.hand):
        return None
    return f"plays {face(others[0])} to {face(view.trick[0].card)}", actions.play(others[0])


def _needless_pass(player: Player) -> tuple[str, trix_pb2.TrixAction] | None:
    if player.view.phase != trix_pb2.TrixView.PHASE_LAYOUT or len(player.legal.trix) < 2:
        return None
    fits = face(player.legal.trix[0].play_card.card)
    return f"passes with {fits} in hand", actions.PASS


def _loose_card(player: Player) -> tuple[str, trix_pb2.TrixAction] | None:
    if player.view.phase != trix_pb2.TrixView.PHASE_LAYOUT or len(player.legal.trix) < 2:
        return None
    fitting = [action.play_card.card for action in player.legal.trix]
    loose = [card for card in player.view.hand if card not in fitting]
    return (f"lays {face(loose[0])} where it has no place", actions.play(loose[0])) if loose else None

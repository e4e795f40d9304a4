"""What players try that is refused without a penalty, even while a foundation waits for a card (H11, H22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demo.attempts import Attempt, Attempts
from demo.cards import card as face
from demo.crapette import placing
from demo.screen import Screen
from majlis.v1 import tonj_house_pb2, tonj_pb2

if TYPE_CHECKING:
    from demo.tonj_house.player import Player

PASS = tonj_house_pb2.TonjHouseAction()
getattr(PASS, "pass").SetInParent()  # a word of Python


def forbidden(screen: Screen) -> Attempts[Player]:
    """All of them."""
    return Attempts(
        screen,
        Attempt("CARD_DOES_NOT_FIT", _misfit),
        Attempt("CARD_PENDING", _early_pass),
        Attempt("NOT_A_SOURCE", _from_the_waste),
    )


def _misfit(player: Player) -> tuple[str, tonj_house_pb2.TonjHouseAction] | None:
    move = placing.misfit(player.view, player.seat)
    if move is None or not player.owed:
        return None
    card, outer = player.side.reserve_top, player.view.houses[move.to.index].cards[-1]
    return f"lays {face(card)} on {face(outer)}", tonj_house_pb2.TonjHouseAction(move=move)


def _early_pass(player: Player) -> tuple[str, tonj_house_pb2.TonjHouseAction] | None:
    if not player.view.HasField("opened") or not player.owed:
        return None
    return f"passes with {face(player.view.opened)} opened", PASS


def _from_the_waste(player: Player) -> tuple[str, tonj_house_pb2.TonjHouseAction] | None:
    if not player.side.waste_count or not player.owed:
        return None
    waste = tonj_pb2.Pile(kind=tonj_pb2.PILE_KIND_WASTE, seat=player.seat)
    foundation = tonj_pb2.Pile(kind=tonj_pb2.PILE_KIND_FOUNDATION)
    action = tonj_house_pb2.TonjHouseAction(move=placing.move(waste, foundation))
    return f"takes {face(player.side.waste_top)} back from the waste", action

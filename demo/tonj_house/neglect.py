"""A duty that somebody neglects, once: he throws a card while another has to go to a foundation (H8).

Nobody calls anything. The throw is cancelled, three of the opponent's cards go under the offender's Tonj pile, and his
turn is over (H9, H10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from demo.caller import accepted
from demo.cards import card as face
from demo.failure import must
from demo.screen import Screen
from majlis.v1 import match_service_pb2, tonj_house_pb2

if TYPE_CHECKING:
    from demo.tonj_house.player import Player

DISCARD = tonj_house_pb2.TonjHouseAction(discard=tonj_house_pb2.TonjHouseAction.Discard())
FIRST_TURN = 3
"""Before it everybody is careful."""


class Neglect:
    """What is still to be neglected."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._is_over = False

    @property
    def left(self) -> list[str]:
        """What nobody has neglected yet."""
        return [] if self._is_over else ["a penalty"]

    async def by(self, player: Player) -> bool:
        """Lets the player on turn neglect his duty, if it is time and he has one; whether he did.

        Raises:
            Failure: the server did not take it as it must.
        """
        view = player.view
        if self._is_over or view.turn_number < FIRST_TURN or not player.owed or not view.HasField("opened"):
            return False
        price = player.options.penalty_cards
        if sum(_personal(player)) <= price:
            return False
        self._is_over = True
        owed, opened = player.owed, face(view.opened)
        answer = accepted(await player.submit(DISCARD))
        self._check(player, answer, price)
        told = (
            f"{player.name} throws {opened} while {owed} has a foundation: the penalty comes by itself, {price} cards"
        )
        self._screen.say(Text(f"         {told}", style="yellow"))
        return True

    @staticmethod
    def _check(player: Player, answer: match_service_pb2.SubmitActionResponse, price: int) -> None:
        penalty, end, start, *_ = [event.tonj_house for event in answer.events]
        opponent = 1 - player.seat
        levied = penalty.penalised
        must(levied.attempt == DISCARD and levied.seat == player.seat, "what was tried was not cancelled")
        must(levied.returned == player.view.opened, "the opened card did not go to the waste")
        must(levied.source == opponent, "the penalty cards were not the opponent's")
        must(levied.from_stock + levied.from_waste == price, "the penalty was not so many cards as was announced")
        must(end.turn_ended.by == tonj_house_pb2.TonjHouseEvent.TURN_END_PENALTY, "the penalty did not end the turn")
        must(start.HasField("turn_started") and start.turn_started.seat == opponent, "the turn is not the opponent's")


def _personal(player: Player) -> tuple[int, int, int]:
    """Cards of the opponent, who keeps one at least (H10)."""
    side = player.view.sides[1 - player.seat]
    return side.reserve_count, side.hand_count, side.waste_count

"""What players try that the rules forbid, once each: a refusal with its reason, and nothing has changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.text import Text

from demo.caller import refused
from demo.cards import card as face
from demo.failure import must
from demo.screen import Screen
from demo.trix import actions, words
from majlis.v1 import trix_pb2

if TYPE_CHECKING:
    from demo.trix.player import Player


@dataclasses.dataclass(frozen=True, slots=True)
class Attempt:
    """One kind of forbidden action."""

    reason: str
    """With which it is refused."""
    form: Callable[[Player], tuple[str, trix_pb2.TrixAction] | None]
    """It in words and as an action, from what the player on turn sees; None where the table does not allow it."""


class Attempts:
    """Those that are still to come."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._left = [
            Attempt("CONTRACT_ALREADY_PLAYED", _used_contract),
            Attempt("MUST_FOLLOW_SUIT", _other_suit),
            Attempt("CARD_CAN_BE_PLAYED", _needless_pass),
            Attempt("CARD_DOES_NOT_FIT", _loose_card),
        ]

    @property
    def left(self) -> list[str]:
        """The reasons that nobody was refused with yet."""
        return [attempt.reason for attempt in self._left]

    async def by(self, player: Player) -> None:
        """The player on turn tries all that he has the occasion to.

        Raises:
            Failure: one of them was not refused as it must be.
        """
        for attempt in list(self._left):
            formed = attempt.form(player)
            if formed is None or player.is_away:
                continue
            told, action = formed
            refusal = refused(await player.submit(action), attempt.reason)
            head = (await player.calls.get_match(player.match_id)).match.sequence
            must(head == player.sequence, f"an action moved the match on that was refused with {attempt.reason}")
            self._left.remove(attempt)
            line = f"         {player.name} {told}: {attempt.reason}, “{refusal.message}”"
            self._screen.say(Text(line, style="yellow"))


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

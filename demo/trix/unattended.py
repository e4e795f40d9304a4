"""Plays that are left to the server: by one who only waits (X11), and by one who leaves and comes back (X14, X17)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from demo.caller import accepted
from demo.cards import card as face
from demo.failure import must
from demo.screen import Screen
from demo.trix import actions
from demo.trix.ranks import strength
from majlis.v1 import event_pb2, match_service_pb2, trix_pb2

if TYPE_CHECKING:
    from demo.trix.player import Player

TRICKS_BEFORE = 3
"""Taken in the deal in which somebody leaves."""
PLAYED_FOR = 3
"""Plays that he leaves to the server before he comes back."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Awaited:
    """What the server is going to do for the one on turn."""

    player: Player
    action: trix_pb2.TrixAction
    due: int
    """Nanoseconds since 1970, as he alone was told."""
    deadline: int
    """The same, as everybody was told."""


class Unattended:
    """What is to be left to the server, once each: a forced card, a forced pass, some plays of an absent player."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._forced = {"play_card", "pass"}
        self._away: Player | None = None
        self._played_for = 0
        self._is_back = False
        self._awaited: _Awaited | None = None

    @property
    def left(self) -> list[str]:
        """What has not happened yet."""
        return [*sorted(self._forced), *([] if self._is_back else ["return"])]

    async def has(self, player: Player) -> bool:
        """Whether the one on turn leaves his play to the server.

        Raises:
            Failure: the server did not take it as it must that he leaves, or does not tell him when it will act.
        """
        if player is self._away:
            return self._stays_away(player)
        if not self._is_back and self._away is None and _may_leave(player.view):
            await self._leave(player)
            return True
        return self._only_waits(player)

    def saw(self, player: Player, event: event_pb2.Event) -> None:
        """A player sees an event.

        Raises:
            Failure: it is the play that he awaits, and comes at another time or is another.
        """
        awaited, done = self._awaited, actions.done_by(event.trix)
        if awaited is None or player is not awaited.player or done is None or done[0] != player.seat:
            return
        action = done[1]
        self._awaited = None
        must(action == awaited.action, f"the server made another play for {player.name} than the rules say")
        time = event.time.ToNanoseconds()
        must(
            awaited.due <= time < awaited.deadline, f"the server played for {player.name} at another time than it said"
        )
        kind = action.WhichOneof("kind") or ""
        if player is self._away:
            self._played_for += 1
        elif kind in self._forced:
            self._forced.remove(kind)
            early = (awaited.deadline - awaited.due) / 1e9
            what = "passes" if kind == "pass" else f"lays {face(action.play_card.card)}"
            self._tell(
                f"{player.name} waits, and the server {what} for want of a choice, {early:.1f} s before the clock"
            )

    def acted(self, player: Player, answer: match_service_pb2.SubmitActionResponse) -> None:
        """A player's own action was accepted.

        Raises:
            Failure: he had left, and it did not bring him back.
        """
        if player is not self._away:
            return
        must(answer.events[0].HasField("returned"), f"{player.name} plays again, and that did not bring him back")
        must(answer.events[0].returned.seat == player.seat, f"not {player.name} came back but another")
        self._away = None
        self._is_back = True
        self._tell(f"{player.name} is back after {self._played_for} plays of the server's, and goes on himself")

    async def _leave(self, player: Player) -> None:
        self._away = player
        answer = accepted(await player.calls.submit(player.request(None, resign=match_service_pb2.Resign())))
        must([event.resigned.seat for event in answer.events] == [player.seat], "who left did not leave")
        seats = (await player.calls.get_match(player.match_id)).match.seats
        must([seat.seat for seat in seats if seat.away] == [player.seat], "it does not show who has left")
        self._tell(f"{player.name} leaves in the middle of a deal; the server plays for him")

    def _stays_away(self, player: Player) -> bool:
        if self._played_for == PLAYED_FOR:
            return False
        self._await(player, _lowest(player.legal.trix))
        return True

    def _only_waits(self, player: Player) -> bool:
        """Whether he has one play only, of a kind that was not waited for yet."""
        legal = player.legal.trix
        if len(legal) != 1 or legal[0].WhichOneof("kind") not in self._forced:
            return False
        if player.view.phase != trix_pb2.TrixView.PHASE_LAYOUT:
            return False
        self._await(player, legal[0])
        return True

    def _await(self, player: Player, action: trix_pb2.TrixAction) -> None:
        must(player.private.HasField("auto_play_time"), f"{player.name} was not told when the server will play for him")
        due, deadline = player.private.auto_play_time.ToNanoseconds(), player.clock.deadline.ToNanoseconds()
        self._awaited = _Awaited(player, action, due, deadline)

    def _tell(self, line: str) -> None:
        self._screen.say(Text(f"         {line}", style="yellow"))


def _may_leave(view: trix_pb2.TrixView) -> bool:
    """In the contract that is always played to the last trick, so that there is time to come back."""
    return view.contract == trix_pb2.CONTRACT_LTOOSH and sum(view.tricks_taken) == TRICKS_BEFORE


def _lowest(legal: Sequence[trix_pb2.TrixAction]) -> trix_pb2.TrixAction:
    """What the server plays for an absent player in a trick (X14)."""
    return min(legal, key=lambda action: (strength(action.play_card.card), action.play_card.card.suit))

"""What goes wrong on purpose, once each: what a server must stand from clumsy players and bad connections.

A refused action changes nothing. A faulty attempt is carried out by nobody and opens a claim (T29): the opponent may
call Tonj while the window lasts.
"""

from __future__ import annotations

import collections
import enum
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from rich.text import Text

from demo.caller import accepted, refused
from demo.crapette import placing
from demo.failure import must
from demo.screen import Screen
from majlis.v1 import tonj_pb2

if TYPE_CHECKING:
    from demo.tonj.player import Player

CALL = tonj_pb2.TonjAction(call_tonj=tonj_pb2.TonjAction.CallTonj())


class Course(enum.Enum):
    """What became of an incident."""

    NOT_YET = enum.auto()
    """The table did not allow it."""
    BESIDES = enum.auto()
    """It happened, and the player's action is still to come."""
    INSTEAD = enum.auto()
    """It was the player's action."""


Incident: TypeAlias = "Callable[[Player], Awaitable[Course]]"


class Incidents:
    """Those that are still to come, in order, each with the turn from which on it may."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._plan: collections.deque[tuple[int, Incident]] = collections.deque(
            [
                (1, self._sent_twice),
                (2, self._on_an_old_table),
                (3, self._called_for_nothing),
                (4, self._attempt_that_is_called),
                (5, self._attempt_that_is_not),
            ]
        )
        self._vigilant: Player | None = None

    @property
    def left(self) -> int:
        """How many have not happened yet."""
        return len(self._plan)

    async def happen_to(self, player: Player) -> bool:
        """Lets the next one happen to the player on turn, if it is time; whether that was his action.

        Raises:
            Failure: the server did not take it as it must.
        """
        if not self._plan or player.view.turn_number < self._plan[0][0]:
            return False
        course = await self._plan[0][1](player)
        if course is not Course.NOT_YET:
            self._plan.popleft()
        return course is Course.INSTEAD

    def is_to_be_called_by(self, player: Player) -> bool:
        """Whether a claim is open that this player will call."""
        return self._vigilant is player and player.view.HasField("claim")

    async def call(self, vigilant: Player) -> None:
        """Calls Tonj in time: the attempt is void, and the turn is the caller's.

        Raises:
            Failure: that is not what it led to.
        """
        self._vigilant = None
        answer = accepted(await vigilant.submit(CALL))
        facts = [event.tonj for event in answer.events]
        must(facts and facts[0].claim_resolved.called, "a call in time did not close the claim")
        turns = [fact.turn_started.seat for fact in facts if fact.HasField("turn_started")]
        must(turns[:1] == [vigilant.seat], "the turn did not go to the one who called Tonj")

    async def _sent_twice(self, player: Player) -> Course:
        """The answer was lost, so the client sends the same again."""
        request = player.request(player.choose())
        first = accepted(await player.calls.submit(request))
        second = accepted(await player.calls.submit(request))
        must(first == second, "one request id was answered in two ways")
        head = (await player.calls.get_match(player.match_id)).match.sequence
        must(head == first.sequence, "an action that was sent twice was played twice")
        self._tell(f"{player.name} sends an action twice: it is played once, and answered alike")
        return Course.INSTEAD

    async def _on_an_old_table(self, player: Player) -> Course:
        """A double tap, formed on what the table was before."""
        stale = player.request(player.choose(), expected_sequence=player.sequence - 1)
        refusal = refused(await player.calls.submit(stale), "STALE_SEQUENCE")
        must(refusal.sequence == player.sequence, "a stale action was not told where the match stands")
        self._tell(f"{player.name} acts on an old table: STALE_SEQUENCE, the match is at {refusal.sequence}")
        return Course.BESIDES

    async def _called_for_nothing(self, player: Player) -> Course:
        """The opponent calls Tonj where nothing was wrong."""
        opponent = player.opponent
        call = opponent.request(CALL, expected_sequence=None)
        refusal = refused(await opponent.calls.submit(call), "NO_CLAIM")
        self._tell(f"{opponent.name} calls Tonj for nothing: NO_CLAIM, “{refusal.message}”")
        return Course.BESIDES

    async def _attempt_that_is_called(self, player: Player) -> Course:
        """The opponent sees it and calls."""
        # Named before it happens: he may see it sooner than the offender has his answer.
        self._vigilant = player.opponent
        return await self._attempt(player)

    async def _attempt_that_is_not(self, player: Player) -> Course:
        """Nobody calls, the window closes, the attempt stays refused, and he plays on."""
        return await self._attempt(player)

    async def _attempt(self, player: Player) -> Course:
        attempt = _forbidden(player.view, player.seat)
        if attempt is None:
            return Course.NOT_YET
        answer = accepted(await player.submit(attempt))
        facts = [event.tonj for event in answer.events]
        must(len(facts) == 1 and facts[0].HasField("claim_opened"), "a faulty attempt did not open a claim")
        must(not facts[0].claim_opened.fault_class, "what was wrong was told while it could be called")
        return Course.INSTEAD

    def _tell(self, line: str) -> None:
        self._screen.say(Text(f"         {line}", style="yellow"))


def _forbidden(view: tonj_pb2.TonjView, seat: int) -> tonj_pb2.TonjAction | None:
    """A placement that breaks a rule of building (T10), if the card may move."""
    move = None if view.HasField("pending") else placing.misfit(view, seat)
    return None if move is None else tonj_pb2.TonjAction(move=move)

"""One player: follows the match on a stream of his own, keeps his view by its events, and acts when he may.

What he chooses is `policy`; what he does wrong on purpose is `incidents`.
"""

import itertools
from typing import Any

from demo import caller
from demo.failure import Failure
from demo.screen import Screen
from demo.tonj.incidents import Incidents
from demo.tonj.policy import Policy
from majlis.client.view import OutOfStep, Picture
from majlis.v1 import match_pb2, match_service_pb2, tonj_pb2


class Player:
    """A seat, and whoever sits there."""

    opponent: "Player"

    def __init__(
        self,
        name: str,
        calls: caller.Caller,
        match: match_pb2.Match,
        policy: Policy,
        incidents: Incidents,
        screen: Screen,
    ) -> None:
        """Sits down.

        Args:
            name: to show.
            calls: made with his token.
            match: in which he has a seat.
            policy: how he chooses.
            incidents: what else is to happen, shared with his opponent.
            screen: gives time to think.
        """
        self.name = name
        self.calls = calls
        self.match_id = match.match_id
        self.seat = next(seat.seat for seat in match.seats if seat.player_id == calls.player_id)
        self.view = tonj_pb2.TonjView()
        self.sequence = 0
        self._policy = policy
        self._incidents = incidents
        self._screen = screen
        self._legal: list[tonj_pb2.TonjAction] = []
        self._numbers = itertools.count(1)

    async def play(self) -> None:
        """Plays until the stream ends, which it does with the match.

        Raises:
            Failure: what came does not fit, or was not answered as it must be.
        """
        picture = Picture(match_pb2.Match(), None)
        async for update in self.calls.watch(self.match_id):
            match update.WhichOneof("body"):
                case "snapshot":
                    picture = Picture.of(update.snapshot)
                    self._legal = list(update.snapshot.legal_actions.tonj)
                case "events":
                    try:
                        picture.take(update.events)
                    except OutOfStep as error:
                        raise Failure(f"{self.name} lost track: {error}") from None
                    self._legal = list(update.events.legal_actions.tonj)
                case _:
                    continue
            self.sequence = picture.match.sequence
            if picture.view is not None:
                self.view = picture.view.tonj
            await self._act()

    def choose(self) -> tonj_pb2.TonjAction:
        """The action that he would take now."""
        return self._policy.choose(self._legal, self.view.turn_number)

    def request(self, action: tonj_pb2.TonjAction, **fields: Any) -> match_service_pb2.SubmitActionRequest:
        """An action under a new request id, on what he has seen last; fields win over that."""
        given: dict[str, Any] = {
            "match_id": self.match_id,
            "request_id": f"{self.name}-{next(self._numbers)}",
            "expected_sequence": self.sequence,
            "tonj": action,
        }
        return match_service_pb2.SubmitActionRequest(**(given | fields))

    async def _act(self) -> None:
        if self._incidents.is_to_be_called_by(self):
            await self._incidents.call(self)
        elif self._legal:
            await self._screen.think()
            if not await self._incidents.happen_to(self):
                caller.accepted(await self.calls.submit(self.request(self.choose())))

"""One player of any game: a watcher with a seat, who can act. What he does there is his game's."""

import itertools
from typing import Any, ClassVar

from demo.caller import Answer, Caller
from demo.watcher import Watcher
from majlis.v1 import match_pb2, match_service_pb2


class Player(Watcher):
    """A seat, and whoever sits there."""

    GAME: ClassVar[str]
    """As the field of its actions is called."""

    def __init__(self, seat: int, calls: Caller, match: match_pb2.Match) -> None:
        """Sits down.

        Args:
            seat: where.
            calls: made with the token of the one whose seat it is.
            match: which.
        """
        super().__init__(match.seats[seat].display_name, calls, match.match_id)
        self.seat = seat
        self._numbers = itertools.count(1)

    @property
    def is_away(self) -> bool:
        """Whether he has left, so that the server plays for him."""
        return self.seen.match.seats[self.seat].away

    async def submit(self, action: Any) -> Answer:
        """Sends an action of his game, on what he has seen last."""
        return await self.calls.submit(self.request(action))

    def request(self, action: Any, **fields: Any) -> match_service_pb2.SubmitActionRequest:
        """An action under a new request id, on what he has seen last; fields win over that."""
        given: dict[str, Any] = {
            "match_id": self.match_id,
            "request_id": f"{self.name}-{next(self._numbers)}",
            "expected_sequence": self.sequence,
            self.GAME: action,
        }
        return match_service_pb2.SubmitActionRequest(**(given | fields))

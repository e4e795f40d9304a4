"""How much is let in at once: unary calls and streams apart, so that no number of watchers keeps a move out."""

import asyncio

from majlis.api.caller import Caller
from majlis.api.comeback import Comeback
from majlis.match.refusal import Refusal


class Room:
    """Room for unary calls in work."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[asyncio.Future[None]] = []
        self._comeback = Comeback()
        self.taken = 0

    def enter(self) -> None:
        """Takes a place; `leave` gives it back.

        Raises:
            Refusal: `OVERLOADED`, and no place was taken.
        """
        if self.taken >= self._most:
            raise Refusal("OVERLOADED", retry_after_ms=self._comeback.after_ms())
        self.taken += 1

    def leave(self) -> None:
        """Gives a place back."""
        self.taken -= 1
        if not self.taken and self._waiting:
            waiting, self._waiting = self._waiting, []
            for waiter in waiting:
                if not waiter.done():
                    waiter.set_result(None)

    async def emptied(self) -> None:
        """Returns when nobody is in."""
        while self.taken:
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter


class StreamRoom(Room):
    """Room for watch streams, in all and for each player."""

    def __init__(self, most: int, most_of_one: int) -> None:
        super().__init__(most)
        self._most_of_one = most_of_one
        self._of: dict[str, int] = {}

    def enter_for(self, caller: Caller) -> None:
        """Takes a place for a caller; `leave_for` gives it back.

        Raises:
            Refusal: `OVERLOADED`, and no place was taken.
        """
        own = self._of.get(caller.subject, 0)
        if own >= self._most_of_one:
            raise Refusal("OVERLOADED")
        self.enter()
        self._of[caller.subject] = own + 1

    def leave_for(self, caller: Caller) -> None:
        """Gives a caller's place back."""
        own = self._of.pop(caller.subject) - 1
        if own:
            self._of[caller.subject] = own
        self.leave()

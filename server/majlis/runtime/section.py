"""The serial queue of one match: one holder at a time, the others wait in the order in which they were received.

A place in the queue is a rank. An action's is its instant of receipt; a timer's lies just behind everything received up
to its deadline, whenever it came. Nothing here knows what is done inside.
"""

import asyncio
from collections.abc import Callable

from majlis.match.refusal import Refusal


def received(instant_ms: int) -> int:
    """The rank of an action that was received at this instant."""
    return 2 * instant_ms


def behind(deadline_ms: int) -> int:
    """The rank of a timer: behind everything received up to its deadline."""
    return 2 * deadline_ms + 1


class Section:
    """Held by one at a time."""

    __slots__ = ("_length", "_shut", "_waiting", "held")

    def __init__(self, length: int) -> None:
        self.held = False
        self._length = length
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._shut: Callable[[], Exception] | None = None

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def take(self) -> bool:
        """Takes the section if nobody has it: the quick way in. Otherwise one has to `wait`."""
        if self.held or self._shut is not None:
            return False
        self.held = True
        return True

    async def wait(self, rank: int, *, always: bool = False) -> None:
        """Waits for one's turn, and then holds the section. `always` waits even when the queue is full.

        Raises:
            Refusal: OVERLOADED, when too many wait.
            Exception: the section is shut, or was shut meanwhile.
        """
        if self._shut is not None:
            raise self._shut()
        if not self.held:
            self.held = True
            return
        if len(self._waiting) >= self._length and not always:
            raise Refusal("OVERLOADED")
        place = (rank, asyncio.get_running_loop().create_future())
        index = len(self._waiting)
        while index and self._waiting[index - 1][0] > rank:
            index -= 1
        self._waiting.insert(index, place)
        try:
            await place[1]
        except asyncio.CancelledError:
            if place in self._waiting:
                self._waiting.remove(place)
            elif place[1].done() and not place[1].cancelled() and place[1].exception() is None:
                self.leave()  # it was handed over just before
            raise

    def leave(self) -> None:
        """Hands the section to the next in the queue."""
        while self._waiting:
            _, turn = self._waiting.pop(0)
            if not turn.done():
                turn.set_result(None)
                return
        self.held = False

    def shut(self, refusal: Callable[[], Exception]) -> None:
        """Turns away everybody who waits or comes, whoever holds it; until `reopen`."""
        self._shut = refusal
        waiting, self._waiting = self._waiting, []
        for _, turn in waiting:
            if not turn.done():
                turn.set_exception(refusal())

    def reopen(self) -> None:
        """Lets people in again."""
        self._shut = None

"""What players try that the rules forbid, once each: a refusal with its reason, and nothing has changed.

What there is to try, and when, each game says itself.
"""

import dataclasses
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from rich.text import Text

from demo.caller import refused
from demo.failure import must
from demo.player import Player
from demo.screen import Screen

P = TypeVar("P", bound=Player)


@dataclasses.dataclass(frozen=True, slots=True)
class Attempt(Generic[P]):
    """One kind of forbidden action."""

    reason: str
    """With which it is refused."""
    form: Callable[[P], tuple[str, Any] | None]
    """It in words and as an action, from what the player on turn sees; None where the table does not allow it."""


class Attempts(Generic[P]):
    """Those that are still to come."""

    def __init__(self, screen: Screen, *attempts: Attempt[P]) -> None:
        self._screen = screen
        self._left = list(attempts)

    @property
    def left(self) -> list[str]:
        """The reasons that nobody was refused with yet."""
        return [attempt.reason for attempt in self._left]

    async def by(self, player: P) -> None:
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

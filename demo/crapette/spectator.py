"""Somebody who looks on: has no seat, and tells the screen what he sees, a line a turn.

What an event is in words, and how the table looks, is each edition's.
"""

from rich.text import Text

from demo.caller import Caller
from demo.crapette import View
from demo.failure import must
from demo.screen import Screen
from demo.watcher import Watcher
from majlis.v1 import match_pb2, match_service_pb2


class Spectator(Watcher):
    """Follows a match on one stream."""

    def __init__(self, calls: Caller, match: match_pb2.Match, screen: Screen) -> None:
        """Takes a place.

        Args:
            calls: made with a token that seats nobody.
            match: which.
            screen: told of every turn, and shown the table.
        """
        super().__init__("the spectator", calls, match.match_id)
        self.names = [seat.display_name for seat in match.seats]
        self.screen = screen
        self.last = ""
        """What happened last, in words."""
        self._turn: list[str] = []

    async def moved(self) -> None:
        """Looks whether he was told more than he may know.

        Raises:
            Failure: he was.
        """
        must(self.legal == match_service_pb2.LegalActions(), "a spectator was told what a player may do")

    def note(self, told: str) -> None:
        """One more thing that happened in this turn; nothing if it is empty."""
        if told:
            self._turn.append(told)
            self.last = told

    def end_turn(self, view: View) -> None:
        """Tells of the turn, if anything happened in it."""
        if self._turn:
            self.screen.say(Text(f"turn {view.turn_number:>3} {self.names[view.turn_seat]:<6} {', '.join(self._turn)}"))
            self._turn = []

"""Somebody who looks on: has no seat, and tells the screen what he sees."""

from rich.text import Text

from demo.caller import Caller
from demo.failure import must
from demo.screen import Screen
from demo.tonj import picture, words
from demo.watcher import Watcher
from majlis.v1 import event_pb2, match_pb2, tonj_pb2


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
        self._names = [seat.display_name for seat in match.seats]
        self._screen = screen
        self._turn: list[str] = []
        self._last = ""

    async def moved(self) -> None:
        """Looks whether he was told more than he may know.

        Raises:
            Failure: he was.
        """
        must(not self.legal.tonj, "a spectator was told what a player may do")

    def saw(self, event: event_pb2.Event) -> None:
        """Tells of a turn when it ends, and of a hand."""
        fact = event.tonj
        view = self.seen.view.tonj if self.seen.view is not None else tonj_pb2.TonjView()
        told = words.event(fact, self._names, view)
        if told:
            self._turn.append(told)
            self._last = told
        if fact.HasField("turn_ended") or fact.HasField("hand_ended"):
            self._end_turn(view)
        if fact.HasField("hand_ended"):
            self._last = words.hand_end(fact.hand_ended, self._names)
            self._screen.say(Text(f"         {self._last}", style="bold"))
        self._screen.show(lambda: picture.draw(view, self._names, self._last))

    def _end_turn(self, view: tonj_pb2.TonjView) -> None:
        if self._turn:
            name = self._names[view.turn_seat]
            self._screen.say(Text(f"turn {view.turn_number:>3} {name:<6} {', '.join(self._turn)}"))
            self._turn = []

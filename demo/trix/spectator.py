"""Somebody who looks on: has no seat, never sees a hand, and tells the screen what he sees."""

from rich.text import Text

from demo.caller import Caller
from demo.failure import must
from demo.screen import Screen
from demo.trix import picture, words
from demo.trix.doubling import Doubling
from demo.trix.scores import Scores
from demo.watcher import Watcher
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, trix_pb2

NOTHING_PRIVATE = match_service_pb2.PrivateState()


class Spectator(Watcher):
    """Follows a match on one stream."""

    def __init__(self, calls: Caller, match: match_pb2.Match, doubling: Doubling, screen: Screen) -> None:
        """Takes a place.

        Args:
            calls: made with a token that seats nobody.
            match: which.
            doubling: told of each window that opens.
            screen: told of every deal, and shown the table.
        """
        super().__init__("the spectator", calls, match.match_id)
        self._names = [seat.display_name for seat in match.seats]
        self._scores = Scores(self._names)
        self._doubling = doubling
        self._screen = screen
        self._kingdom = 0
        self._last = ""

    @property
    def view(self) -> trix_pb2.TrixView:
        """The table; empty before the deal."""
        return self.seen.view.trix if self.seen.view is not None else trix_pb2.TrixView()

    async def moved(self) -> None:
        """Looks whether he was told more than he may know.

        Raises:
            Failure: he was.
        """
        must(not self.view.hand, "a spectator was shown a hand")
        must(not self.legal.trix, "a spectator was told what a player may do")
        must(self.private == NOTHING_PRIVATE, "a spectator was told what only a player may know")
        if self.view.phase == trix_pb2.TrixView.PHASE_DOUBLING:
            self._doubling.arrived(self)

    def saw(self, event: event_pb2.Event) -> None:
        """Tells of doubled cards, and of a deal when it was scored.

        Raises:
            Failure: its points do not add up.
        """
        fact, view = event.trix, self.view
        must(not fact.dealt.hand and not fact.dealt.hands, "a spectator was dealt a hand")
        self._last = words.event(event, self._names) or self._last
        if view.kingdom != self._kingdom:
            self._kingdom = view.kingdom
            for line in self._scores.head(view):
                self._screen.say(Text(line, style="bold"))
        if fact.HasField("doubles_shown"):
            self._screen.say(Text(f"         {self._last}", style="dim"))
        elif fact.HasField("deal_scored"):
            self._screen.say(self._scores.row(view))
        self._screen.show(lambda: picture.draw(view, self._names, self._last))

"""Somebody who looks on at a match of the house edition."""

from demo.crapette import spectator
from demo.tonj_house import picture, words
from majlis.v1 import event_pb2, tonj_house_pb2


class Spectator(spectator.Spectator):
    """Tells of turns."""

    @property
    def view(self) -> tonj_house_pb2.TonjHouseView:
        """The table; empty before the deal."""
        return self.seen.view.tonj_house if self.seen.view is not None else tonj_house_pb2.TonjHouseView()

    def saw(self, event: event_pb2.Event) -> None:
        """Tells of a turn when it ends, and of the last one when the match does."""
        view, fact = self.view, event.tonj_house
        self.note(words.event(fact, self.names))
        if fact.HasField("turn_ended") or event.HasField("match_ended"):
            self.end_turn(view)
        self.screen.show(lambda: picture.draw(view, self.names, self.last))

"""Somebody who looks on at a match of Tonj."""

from rich.text import Text

from demo.crapette import spectator
from demo.tonj import picture, words
from majlis.v1 import event_pb2, tonj_pb2


class Spectator(spectator.Spectator):
    """Tells of turns and of hands."""

    def saw(self, event: event_pb2.Event) -> None:
        """Tells of a turn when it ends, and of a hand."""
        fact = event.tonj
        view = self.seen.view.tonj if self.seen.view is not None else tonj_pb2.TonjView()
        self.note(words.event(fact, self.names, view))
        if fact.HasField("turn_ended") or fact.HasField("hand_ended"):
            self.end_turn(view)
        if fact.HasField("hand_ended"):
            self.last = words.hand_end(fact.hand_ended, self.names)
            self.screen.say(Text(f"         {self.last}", style="bold"))
        self.screen.show(lambda: picture.draw(view, self.names, self.last))

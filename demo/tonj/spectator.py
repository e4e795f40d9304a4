"""Somebody who looks on: has no seat, keeps the view by the events alone, and tells the screen what he sees."""

from collections.abc import Sequence

from rich.text import Text

from demo.caller import Caller
from demo.failure import Failure, must
from demo.screen import Screen
from demo.tonj import picture, words
from majlis.client.view import OutOfStep, Picture
from majlis.v1 import event_pb2, match_service_pb2, tonj_pb2


class Spectator:
    """Follows a match on one stream."""

    def __init__(self, calls: Caller, match_id: str, names: Sequence[str], screen: Screen) -> None:
        """Takes a place.

        Args:
            calls: made with a token that seats nobody.
            match_id: of the match.
            names: to show, by seat.
            screen: told of every turn, and shown the table.
        """
        self.batches = 0
        """After each of these the view had the server's digest."""
        self._calls = calls
        self._match_id = match_id
        self._names = names
        self._screen = screen
        self._seen = Picture.of(match_service_pb2.Snapshot())
        self._turn: list[str] = []
        self._last = ""

    async def watch(self) -> None:
        """Watches until the stream ends, which it does with the match.

        Raises:
            Failure: what came does not fit what he knows, or tells more than he may know.
        """
        opened = False
        async for update in self._calls.watch(self._match_id):
            match update.WhichOneof("body"):
                case "snapshot":
                    must(not opened, "a spectator who kept up was sent a second snapshot")
                    must(not update.snapshot.HasField("viewer_seat"), "a spectator was given a seat")
                    opened = True
                    self._seen = Picture.of(update.snapshot)
                    must(self._seen.digest() == update.snapshot.view_digest, "a snapshot had another digest")
                case "events":
                    self._follow(update.events)

    def _follow(self, batch: match_service_pb2.EventBatch) -> None:
        try:
            for event in batch.events:
                self._seen.apply(event)
                self._tell(event)
        except OutOfStep as error:
            raise Failure(f"the spectator lost track: {error}") from None
        must(self._seen.digest() == batch.view_digest, f"the digests differ after event {self._seen.match.sequence}")
        self.batches += 1

    def _tell(self, event: event_pb2.Event) -> None:
        fact = event.tonj
        view = self._seen.view.tonj if self._seen.view is not None else tonj_pb2.TonjView()
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

"""Somebody who follows a match on a stream of his own, and keeps what he sees by its events alone.

After every batch his view must have the digest that the server gave with it. Knows nothing of any game; who sits there,
or only looks on, is a kind of watcher.
"""

from demo.caller import Caller
from demo.failure import Failure, must
from majlis.client.view import OutOfStep, Picture
from majlis.v1 import event_pb2, match_pb2, match_service_pb2


class Watcher:
    """One stream, and what came by it."""

    def __init__(self, name: str, calls: Caller, match_id: str) -> None:
        """Takes a place.

        Args:
            name: to show.
            calls: made with his token.
            match_id: of the match.
        """
        self.name = name
        self.calls = calls
        self.match_id = match_id
        self.seen = Picture.of(match_service_pb2.Snapshot())
        """The match and its table."""
        self.legal = match_service_pb2.LegalActions()
        """What he may do, as far as he was told."""
        self.private = match_service_pb2.PrivateState()
        """What only he may know."""
        self.clock = match_pb2.Clock()
        """What the match waits for."""
        self.batches = 0
        """After each of these his view had the server's digest."""
        self.awaits_rematch = False
        """Whether he stays after the end, until he is told of a rematch."""
        self.rematch_id = ""
        """That he was told of."""
        self.messages = 0
        """Those that told of the table or of himself: not heartbeats, nor who came and went."""

    @property
    def sequence(self) -> int:
        """The last event that he has seen."""
        return self.seen.match.sequence

    async def watch(self) -> None:
        """Follows until the stream ends, which it does with the match, or until he is told of a rematch.

        Raises:
            Failure: what came does not fit what he holds.
        """
        stream = self.calls.watch(self.match_id, await_rematch=self.awaits_rematch)
        async for update in stream:
            match update.WhichOneof("body"):
                case "snapshot":
                    must(not self.messages, f"{self.name} kept up, and was sent a second snapshot")
                    self._open(update.snapshot)
                case "events":
                    self._follow(update.events)
                case "notice" if update.notice.HasField("private_state"):
                    self.private = update.notice.private_state
                    self.messages += 1
                    continue
                case "notice" if update.notice.rematch_id:
                    self.rematch_id = update.notice.rematch_id
                    stream.cancel()
                    return
                case _:
                    continue
            self.clock = update.clock
            self.messages += 1
            await self.moved()

    def saw(self, event: event_pb2.Event) -> None:
        """Told of each event; the picture is as it left it."""

    async def moved(self) -> None:
        """Told when all that a snapshot or a batch brought is in place."""

    def _open(self, snapshot: match_service_pb2.Snapshot) -> None:
        self.seen = Picture.of(snapshot)
        self.legal, self.private = snapshot.legal_actions, snapshot.private_state
        must(self.seen.digest() == snapshot.view_digest, f"{self.name} was sent a snapshot with another digest")

    def _follow(self, batch: match_service_pb2.EventBatch) -> None:
        self.legal, self.private = batch.legal_actions, batch.private_state
        try:
            for event in batch.events:
                self.seen.apply(event)
                self.saw(event)
        except OutOfStep as error:
            raise Failure(f"{self.name} lost track: {error}") from None
        must(self.seen.digest() == batch.view_digest, f"{self.name} sees another table after event {self.sequence}")
        self.batches += 1

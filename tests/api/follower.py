"""One who follows a match event by event, as a client does that keeps the table itself; it serves every game."""

from majlis.client.view import Picture
from majlis.v1 import match_pb2, match_service_pb2
from tests.api.clients import Client, Watcher


class Follower(Watcher):
    """Keeps a picture of the match by its events, from a snapshot if it was sent one; it compares every digest."""

    def __init__(self, client: Client, match_id: str) -> None:
        super().__init__(client, match_id)
        self.picture = Picture(match_pb2.Match(), None)
        self.batches = 0

    def _take(self, update: match_service_pb2.WatchMatchResponse) -> None:
        super()._take(update)
        if update.HasField("snapshot"):
            self.picture = Picture.of(update.snapshot)
            assert self.picture.digest() == update.snapshot.view_digest
        if update.HasField("events"):
            self.picture.take(update.events)
            self.batches += 1

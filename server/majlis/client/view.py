"""A match kept up to date by its events alone, starting from a snapshot, as a client's screen needs it.

After every batch the match and the view are exactly those that a new snapshot would bring. What an event of a game does
to its table stands in a file of that game's, such as trix_view.py; clocks, presence, legal actions and private states
come with each message and are not kept here.
"""

import dataclasses
from typing import Any, Protocol

from majlis.client import digest, tonj_house_view, tonj_view, trix_view
from majlis.v1 import event_pb2, match_pb2, match_service_pb2


class _Game(Protocol):
    """What the file of a game has."""

    PLAYED_ON: bool
    """Whether the match goes on when a player gives up."""

    def apply(self, view: Any, event: Any, options: Any) -> None:
        """Changes the table as an event of the game says."""

    def end(self, view: Any) -> None:
        """Changes the table as the end of the match does."""


_GAMES: dict[str, _Game] = {"tonj": tonj_view, "tonj_house": tonj_house_view, "trix": trix_view}
"""By the name that a game has in events, views and options."""


_WITHOUT_RESULT = (match_pb2.END_REASON_NO_SHOW, match_pb2.END_REASON_CANCELLED)
"""Why a match ends that never started."""


class OutOfStep(Exception):
    """What came does not follow what is held; ask for a snapshot."""


@dataclasses.dataclass(slots=True)
class Picture:
    """What a client holds of a match."""

    match: match_pb2.Match
    view: match_service_pb2.View | None
    """Absent before the deal."""

    @classmethod
    def of(cls, snapshot: match_service_pb2.Snapshot) -> "Picture":
        """The picture of a snapshot; its messages are copied."""
        picture = cls(match_pb2.Match(), None)
        picture.match.CopyFrom(snapshot.match)
        if snapshot.HasField("view"):
            picture.view = match_service_pb2.View()
            picture.view.CopyFrom(snapshot.view)
        return picture

    def take(self, batch: match_service_pb2.EventBatch) -> None:
        """Applies a batch, and passes over events that are known already.

        Raises:
            OutOfStep: a gap, an event that cannot be read, or another digest than the server's.
        """
        for event in batch.events:
            if event.sequence > self.match.sequence:
                self.apply(event)
        if self.digest() != batch.view_digest:
            raise OutOfStep(f"the view differs from the server's at {self.match.sequence}")

    def apply(self, event: event_pb2.Event) -> None:
        """Applies one event.

        Raises:
            OutOfStep: it is not the next one, or cannot be read.
        """
        if event.sequence != self.match.sequence + 1:
            raise OutOfStep(f"{event.sequence} came after {self.match.sequence}")
        kind = event.WhichOneof("kind")
        if kind is None or (kind in _GAMES and getattr(event, kind).WhichOneof("kind") is None):
            raise OutOfStep(f"event {event.sequence} is of a kind that this client does not know")
        self.match.sequence = event.sequence
        if kind in _GAMES:
            table, fact, options = (getattr(of, kind) for of in (self._table(), event, self.match.options))
            _GAMES[kind].apply(table, fact, options)
        elif kind == "match_created":
            created = event.match_created
            self.match.game = created.game
            self.match.options.CopyFrom(created.options)
            self.match.rules_version = created.rules_version
            self.match.deal_commitment = created.deal_commitment
            self.match.create_time.CopyFrom(event.time)
            self.match.table_id = created.table_id
            self.match.rematch_of = created.rematch_of
            self.match.status = match_pb2.MATCH_STATUS_WAITING
        elif kind == "seat_taken":
            taken = event.seat_taken
            before = sum(seat.seat < taken.seat for seat in self.match.seats)
            seat = match_pb2.Seat(seat=taken.seat, player_id=taken.player_id, display_name=taken.display_name)
            self.match.seats.insert(before, seat)
        elif kind == "seat_left":
            self.match.seats.remove(self._seat(event.seat_left.seat))
        elif kind == "stake_confirmed":
            self._seat(event.stake_confirmed.seat).stake_confirmed = True
        elif kind == "player_connected":
            self._seat(event.player_connected.seat).has_come = True
        elif kind == "match_started":
            self.match.status = match_pb2.MATCH_STATUS_ACTIVE
        elif kind == "resigned":
            game = self.match.options.WhichOneof("game")
            self._seat(event.resigned.seat).away = game in _GAMES and _GAMES[game].PLAYED_ON
        elif kind == "returned":
            self._seat(event.returned.seat).away = False
        elif kind == "match_ended":
            void = event.match_ended.outcome.reason in _WITHOUT_RESULT
            self.match.status = match_pb2.MATCH_STATUS_VOID if void else match_pb2.MATCH_STATUS_ENDED
            self.match.outcome.CopyFrom(event.match_ended.outcome)
            self.match.end_time.CopyFrom(event.time)
            if self.view is not None and (game := self.view.WhichOneof("game")) in _GAMES:
                _GAMES[game].end(getattr(self.view, game))

    def _seat(self, number: int) -> match_pb2.Seat:
        """A seat that is taken.

        Raises:
            OutOfStep: it is free.
        """
        for seat in self.match.seats:
            if seat.seat == number:
                return seat
        raise OutOfStep(f"nobody sits on seat {number}")

    def _table(self) -> match_service_pb2.View:
        """What the events of a game change; made by the first deal."""
        if self.view is None:
            self.view = match_service_pb2.View()
        return self.view

    def digest(self) -> bytes:
        """The view digest of what is held, 16 bytes."""
        return digest.view_digest(self.match, self.view)

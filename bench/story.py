"""Matches played in this process, on the Rust core alone: their logs, and every action that was played."""

import dataclasses
import random
from collections.abc import Callable
from typing import Any

from majlis import _core
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2, tonj_pb2, trix_pb2
from majlis.v1 import match_service_pb2 as messages

NOW_MS = 1_800_000_000_000
MATCH_ID = "bench"
MANY = 1_000
"""Events of a long match."""


@dataclasses.dataclass(frozen=True, slots=True)
class Game:
    """A game, with options under which players are shown what is legal and no clock runs out."""

    name: str
    """As positions know it, and as its field is called in options, legal actions and requests."""
    seats: int
    options: match_pb2.GameOptions

    @property
    def viewers(self) -> tuple[int, ...]:
        """Every seat, and a spectator."""
        return (*range(self.seats), _core.SPECTATOR)

    def request(self, number: int, action: Any) -> bytes:
        """A `SubmitActionRequest`."""
        asked = messages.SubmitActionRequest(match_id=MATCH_ID, request_id=str(number))
        getattr(asked, self.name).CopyFrom(action)
        return asked.SerializeToString()


def _tonj(target_points: int) -> Game:
    options = tonj_pb2.TonjOptions(show_legal_moves=True, turn_seconds=600, target_points=target_points)
    return Game("tonj", 2, match_pb2.GameOptions(tonj=options))


TONJ = _tonj(0)
SERIES = _tonj(10_000)
"""Tonj up to points that no match reaches in a thousand events, so that it goes on from hand to hand."""
HOUSE = Game(
    "tonj_house",
    2,
    match_pb2.GameOptions(
        tonj_house=tonj_house_pb2.TonjHouseOptions(show_legal_moves=True, turn_seconds=600, entry_fee_minor=5_000)
    ),
)
TRIX = Game("trix", 4, match_pb2.GameOptions(trix=trix_pb2.TrixOptions(play_seconds=600)))


@dataclasses.dataclass(frozen=True, slots=True)
class Story:
    """What happened in a match."""

    game: Game
    payloads: list[bytes]
    """Its whole log; the first one makes, seats and starts the match."""
    actions: list[tuple[int, _core.Submit]]
    """Seat and action of every record after the first."""
    table: _core.Table
    """At its last record."""


def found(game: Game, sealer: _core.Sealer) -> tuple[_core.Table, _core.Draft]:
    """A new match."""
    request = matchmaking_service_pb2.CreateMatchRequest(
        external_id="bench",
        game=match_pb2.Game.Value(f"GAME_{game.name.upper()}"),
        options=game.options,
        players=[matchmaking_service_pb2.Player(player_id=name) for name in "abcd"[: game.seats]],
    )
    return _core.Table.found(request.SerializeToString(), MATCH_ID, NOW_MS, sealer)


def play(
    game: Game,
    sealer: _core.Sealer,
    chance: random.Random,
    *,
    events: int | None = None,
    seen: Callable[[_core.Table, _core.Draft], None] = lambda table, draft: None,
) -> Story:
    """Plays by legal actions chosen at random, to the end or until there are so many events.

    `seen` is shown each draft once it was committed.
    """
    table, draft = found(game, sealer)
    table.commit(draft)
    payloads, actions = [draft.payload], []
    opening = [messages.WatchMatchResponse.FromString(table.snapshot(seat, NOW_MS)) for seat in range(game.seats)]
    legal: list[Any] = [getattr(update.snapshot.legal_actions, game.name) for update in opening]
    while any(legal) and (events is None or table.sequence < events):
        seat = next(seat for seat in range(game.seats) if legal[seat])
        submit = _core.Submit.read(game.request(len(payloads), chance.choice(legal[seat])))
        draft = table.decide(seat, submit, NOW_MS)
        table.commit(draft)
        payloads.append(draft.payload)
        actions.append((seat, submit))
        seen(table, draft)
        for viewer in range(game.seats):
            told = draft.update(viewer, NOW_MS)
            if told is not None:
                # A notice tells of an answer of one's own, after which nothing is asked any more.
                update = messages.WatchMatchResponse.FromString(told)
                legal[viewer] = getattr(update.events.legal_actions, game.name)
    return Story(game, payloads, actions, table)

"""A match of Tonj played in this process, on the Rust core alone: its log, and every action that was played."""

import dataclasses
import random
from collections.abc import Callable

from majlis import _core
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_pb2
from majlis.v1 import match_service_pb2 as messages

NOW_MS = 1_800_000_000_000
MATCH_ID = "bench"
SEATS = (0, 1)
MANY = 1_000
"""Events of a long match."""
SERIES = 10_000
"""Points that no match reaches in so many events, so that it goes on from hand to hand."""


@dataclasses.dataclass(frozen=True, slots=True)
class Story:
    """What happened in a match."""

    payloads: list[bytes]
    """Its whole log; the first one makes, seats and starts the match."""
    actions: list[tuple[int, _core.Submit]]
    """Seat and action of every record after the first."""
    table: _core.Table
    """At its last record."""


def found(sealer: _core.Sealer, target_points: int = 0) -> tuple[_core.Table, _core.Draft]:
    """A new match in which players are shown what is legal, and whose clock will not run out."""
    options = tonj_pb2.TonjOptions(show_legal_moves=True, turn_seconds=600, target_points=target_points)
    request = matchmaking_service_pb2.CreateMatchRequest(
        external_id="bench",
        game=match_pb2.GAME_TONJ,
        options=match_pb2.GameOptions(tonj=options),
        players=[matchmaking_service_pb2.Player(player_id=name) for name in ("a", "b")],
    )
    return _core.Table.found(request.SerializeToString(), MATCH_ID, NOW_MS, sealer)


def play(
    sealer: _core.Sealer,
    chance: random.Random,
    *,
    target_points: int = 0,
    events: int | None = None,
    seen: Callable[[_core.Table, _core.Draft], None] = lambda table, draft: None,
) -> Story:
    """Plays by legal actions chosen at random, to the end or until there are so many events.

    `seen` is shown each draft once it was committed.
    """
    table, draft = found(sealer, target_points)
    table.commit(draft)
    payloads, actions = [draft.payload], []
    opening = [messages.WatchMatchResponse.FromString(table.snapshot(seat, NOW_MS)) for seat in SEATS]
    legal = [update.snapshot.legal_actions.tonj for update in opening]
    while any(legal) and (events is None or table.sequence < events):
        seat = 0 if legal[0] else 1
        submit = _core.Submit.read(request(len(payloads), chance.choice(legal[seat])))
        draft = table.decide(seat, submit, NOW_MS)
        table.commit(draft)
        payloads.append(draft.payload)
        actions.append((seat, submit))
        seen(table, draft)
        legal = [
            messages.WatchMatchResponse.FromString(draft.update(seat, NOW_MS)).events.legal_actions.tonj
            for seat in SEATS
        ]
    return Story(payloads, actions, table)


def request(number: int, action: tonj_pb2.TonjAction) -> bytes:
    """A `SubmitActionRequest`."""
    return messages.SubmitActionRequest(match_id=MATCH_ID, request_id=str(number), tonj=action).SerializeToString()

"""Matches that wait for their start, through the core's tables: how each is founded, and its log.

What may happen to them stands in waiting_model.py.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Self

from majlis import _core
from majlis.v1 import event_pb2, match_pb2, match_service_pb2
from tests.rules import golden
from tests.rules.games import GAMES
from tests.rules.matches import RESIGN, START_MS, Match, viewers
from tests.rules.waiting_model import CANCELLED, NO_SHOW, Command, Fact, Terms

SEALER = golden.SEALER
FOUR = ("amal", "basim", "dalia", "faris")
STRANGER = "zain"
FEE = 250

Founded = tuple[_core.Table, _core.Draft]


def draft(table: _core.Table, command: Command, at_ms: int) -> _core.Draft:
    """What a command comes to at a table, which is unchanged."""
    match command.verb:
        case "join":
            return table.join(command.player, command.player.title(), at_ms)
        case "leave":
            return table.leave(command.player, at_ms)
        case "confirm":
            return table.confirm_stake(command.player, at_ms)
        case "connect":
            return table.connect(command.player, at_ms)
        case _:
            return table.expire(at_ms)


def opened(
    game: str,
    *,
    seats_ms: int = 60_000,
    stakes_ms: int = 0,
    match_id: str = "m-1",
    visibility: int = 0,
    table_id: str = "",
    **options: Any,
) -> Founded:
    """A waiting match with Amal on its first seat."""
    request = GAMES[game].asked(**options)
    return _core.Table.open(
        *(request.game, request.options.SerializeToString(), "amal", "أمل", match_id, START_MS, SEALER),
        visibility=visibility,
        seats_ms=seats_ms,
        stakes_ms=stakes_ms,
        table_id=table_id,
    )


def created(game: str, stakes_ms: int = 0, *, connect_seconds: int = 0, **options: Any) -> Founded:
    """A match as a matchmaker makes it, with all its players."""
    request = GAMES[game].asked(**options)
    request.connect_seconds = connect_seconds
    return _core.Table.found(request.SerializeToString(), "m-1", START_MS, SEALER, stakes_ms=stakes_ms)


def ended(game: str, **options: Any) -> _core.Table:
    """A match of Amal, Basim and, of four, the others, played to its end."""
    if game == "trix":
        return _core.Table.load(golden.read("trix-played-out").payloads, SEALER)
    match = Match(GAMES[game].asked(**options), "m-0", SEALER)
    match.act(1, RESIGN)
    return match.table


def again(game: str, player: str = "amal", *, seats_ms: int = 60_000, stakes_ms: int = 0, **options: Any) -> Founded:
    """A rematch of `ended`, with the player who asked for it first."""
    return ended(game, **options).rematch(player, "m-1", START_MS, seats_ms, stakes_ms)


@dataclasses.dataclass(frozen=True)
class Room:
    """A way to a match that waits, and its terms as the model knows them."""

    found: Callable[[], Founded]
    terms: Terms
    seated: dict[int, str]
    """By seat, from its founding."""
    depth: int = 9
    """How many commands deep it is explored; with two seats nothing goes on for longer."""


AMAL = {0: "amal"}
BOTH = {0: "amal", 1: "basim"}
TURNED = {1: "amal"}
"""In a rematch she sits one seat further round."""

ROOMS = {
    "tonj": Room(lambda: opened("tonj"), Terms(2, None, 60_000, 0), AMAL),
    "tonj-for-ever": Room(lambda: opened("tonj", seats_ms=0, stakes_ms=500), Terms(2, None, 0, 500), AMAL),
    "house-free": Room(lambda: opened("tonj_house", stakes_ms=500), Terms(2, 0, 60_000, 500), AMAL),
    "house-unconfirmed": Room(
        lambda: opened("tonj_house", entry_fee_minor=FEE, rake_bps=100), Terms(2, FEE, 60_000, 0), AMAL
    ),
    "house-confirmed": Room(
        lambda: opened("tonj_house", stakes_ms=20_000, entry_fee_minor=FEE), Terms(2, FEE, 60_000, 20_000), AMAL
    ),
    "house-for-ever": Room(
        lambda: opened("tonj_house", seats_ms=0, stakes_ms=20_000, entry_fee_minor=FEE), Terms(2, FEE, 0, 20_000), AMAL
    ),
    "house-created": Room(lambda: created("tonj_house", 20_000, entry_fee_minor=FEE), Terms(2, FEE, 0, 20_000), BOTH),
    "house-created-free": Room(lambda: created("tonj_house", 20_000), Terms(2, 0, 0, 20_000), BOTH),
    "tonj-awaited": Room(
        lambda: created("tonj", 500, connect_seconds=30), Terms(2, None, 0, 500, connect_ms=30_000), BOTH
    ),
    "house-awaited": Room(
        lambda: created("tonj_house", 20_000, connect_seconds=30, entry_fee_minor=FEE),
        Terms(2, FEE, 0, 20_000, connect_ms=30_000),
        BOTH,
    ),
    "house-awaited-unconfirmed": Room(
        lambda: created("tonj_house", connect_seconds=1, entry_fee_minor=FEE),
        Terms(2, FEE, 0, 0, connect_ms=1_000),
        BOTH,
    ),
    "trix-awaited": Room(
        lambda: created("trix", connect_seconds=3_600),
        Terms(4, None, 0, 0, connect_ms=3_600_000),
        dict(enumerate(FOUR)),
    ),
    "trix": Room(lambda: opened("trix", stakes_ms=500), Terms(4, None, 60_000, 500), AMAL, depth=5),
    "trix-created": Room(lambda: created("trix", 500), Terms(4, None, 0, 500), dict(enumerate(FOUR))),
    "tonj-again": Room(lambda: again("tonj"), Terms(2, None, 60_000, 0, ("basim", "amal")), TURNED),
    "house-again": Room(
        lambda: again("tonj_house", stakes_ms=20_000, entry_fee_minor=FEE),
        Terms(2, FEE, 60_000, 20_000, ("basim", "amal")),
        TURNED,
    ),
    "trix-again": Room(lambda: again("trix"), Terms(4, None, 60_000, 0, (FOUR[3], *FOUR[:3])), TURNED, depth=5),
}


class Log(Match):
    """A match that waits, and its log; a second passes before each command."""

    def __init__(self, founded: Founded) -> None:
        self.sealer, self.now_ms, self.payloads = SEALER, START_MS, []
        self.table, first = founded
        self.commit(first)
        self.viewers = viewers(self.table)

    def after(self, *commands: tuple[str, str]) -> Self:
        """Itself, with these commands carried out, one after the other."""
        for command in commands:
            self.now_ms += 1_000
            self.commit(draft(self.table, Command(*command), self.now_ms))
        return self

    def extended(self, by_ms: int = 500) -> Self:
        """Itself, with time given back to the clock that runs."""
        self.commit(self.table.extend(by_ms, self.now_ms))
        return self

    def match(self) -> match_pb2.Match:
        """As everybody sees it."""
        return match_pb2.Match.FromString(self.table.match())

    def replay(self) -> match_service_pb2.GetReplayResponse:
        """The whole replay, in one page."""
        page, after = _core.replay(self.payloads, SEALER, 0, 5_000)
        assert after == 0
        return match_service_pb2.GetReplayResponse.FromString(page)


def event(fact: Fact, outcome: match_pb2.Outcome | None = None) -> event_pb2.Event:
    """A fact of the lifecycle as an event, without number and time; the outcome is that of an end."""
    told = event_pb2.Event()
    content = getattr(told, fact.kind)
    content.SetInParent()
    if fact.seat is not None:
        content.seat = fact.seat
    if fact.player is not None:
        content.player_id, content.display_name = fact.player, fact.player.title()
    if outcome is not None:
        content.outcome.CopyFrom(outcome)
    return told


REASONS = {CANCELLED: match_pb2.END_REASON_CANCELLED, NO_SHOW: match_pb2.END_REASON_NO_SHOW}


def void(payouts: Sequence[int] | None, fee: int = FEE, reason: str = CANCELLED) -> match_pb2.Outcome:
    """How a match ends that never started, with what it gives back; None where there are no stakes."""
    outcome = match_pb2.Outcome(reason=REASONS[reason])
    if payouts is not None:
        outcome.settlement.entry_fee_minor, outcome.settlement.pot_minor = fee, sum(payouts)
        outcome.settlement.payout_minor.extend(payouts)
    return outcome

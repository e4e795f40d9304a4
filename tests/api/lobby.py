"""Ways to a match over the wire: tables with clocks that a test never meets, rooms, and matches played to their end."""

import contextlib
import dataclasses
from collections.abc import AsyncIterator, Sequence
from typing import Any

from google.protobuf import json_format

from majlis import app
from majlis.api.caller import Role
from majlis.v1 import event_pb2, match_pb2
from tests.api.clients import Client, Play
from tests.api.follower import Follower
from tests.api.serving import Served

FEE, RATE = 5_050, 333
NAMES = ("alice", "badr", "carim", "dana")
SPECTATOR = "zahra"

WAITING, ACTIVE = match_pb2.MATCH_STATUS_WAITING, match_pb2.MATCH_STATUS_ACTIVE
ENDED, VOID = match_pb2.MATCH_STATUS_ENDED, match_pb2.MATCH_STATUS_VOID
SEATED, LINK, PUBLIC = match_pb2.VISIBILITY_SEATED, match_pb2.VISIBILITY_LINK, match_pb2.VISIBILITY_PUBLIC
CANCELLED = match_pb2.END_REASON_CANCELLED
ENDS = (match_pb2.END_REASON_PLAYED_OUT, match_pb2.END_REASON_STALEMATE, match_pb2.END_REASON_TURN_LIMIT)
"""How a match may end that nobody breaks off."""

_TURNS = {"turn_seconds": 600, "show_legal_moves": True}


@dataclasses.dataclass(frozen=True)
class Offered:
    """A game as it is offered at a table, and in a room alike."""

    name: str
    game: match_pb2.Game.ValueType
    players: tuple[str, ...]
    chosen: dict[str, Any]

    @property
    def table(self) -> dict[str, Any]:
        """Of the operator's tables; its id is the game's name."""
        return {"id": self.name, "name": f"A table of {self.name}", "game": self.name, "options": self.chosen}

    @property
    def options(self) -> match_pb2.GameOptions:
        return json_format.ParseDict({self.name: self.chosen}, match_pb2.GameOptions())


TONJ = Offered("tonj", match_pb2.GAME_TONJ, NAMES[:2], _TURNS)
HOUSE = Offered("tonj_house", match_pb2.GAME_TONJ_HOUSE, NAMES[:2], {**_TURNS, "max_turns": 60})
STAKED = dataclasses.replace(HOUSE, chosen={**HOUSE.chosen, "entry_fee_minor": FEE, "rake_bps": RATE})
TRIX = Offered(
    "trix",
    match_pb2.GAME_TRIX,
    NAMES,
    {
        "choose_seconds": 600,
        "double_seconds": 600,
        "play_seconds": 600,
        "auto_play_delay_ms": 0,
        "away_delay_ms": 60_000,
    },
)
GAMES = (TONJ, STAKED, TRIX)


def tables(*offered: Offered, **more: Any) -> dict[str, Any]:
    """Settings of a server with these tables."""
    return {"tables": [{**one.table, **more} for one in offered or GAMES], "max_gap": 100_000}


async def room(maker: Client, offered: Offered = HOUSE, **more: Any) -> tuple[match_pb2.Match, str]:
    """A room that was made, and its code."""
    made = await maker.create_room(game=offered.game, options=offered.options, **more)
    assert made.join_code
    return made.match, made.join_code


async def full_at_table(served: Served, offered: Offered) -> match_pb2.Match:
    """The match at a table after everybody has come to it."""
    found = [await served.player(name).join_table(offered.name) for name in offered.players]
    assert len({match.match_id for match in found}) == 1
    return found[-1]


async def full_room(served: Served, offered: Offered = HOUSE, **more: Any) -> match_pb2.Match:
    """A room after everybody has come to it."""
    match, code = await room(served.player(offered.players[0]), offered, **more)
    for name in offered.players[1:]:
        match = await served.player(name).join_room(code)
    return match


async def pay(served: Served, match: match_pb2.Match) -> match_pb2.Match:
    """All fees are confirmed; the match after that."""
    for seat in match.seats:
        match = await served.wallet.confirm_stake(match.match_id, seat.player_id)
    return match


async def ended_match(served: Served, offered: Offered = HOUSE) -> match_pb2.Match:
    """A match that one of the players gave up at once."""
    match = await full_room(served, offered)
    await served.player(match.seats[0].player_id).submit(match.match_id, resign={})
    match = (await served.player(match.seats[0].player_id).get_match(match.match_id)).match
    assert match.status == ENDED
    return match


def follower(served: Served, name: str, match_id: str) -> Follower:
    """Somebody who follows a match by its events."""
    return Follower(served.player(name, Role.SPECTATOR if name == SPECTATOR else Role.PLAYER), match_id)


@contextlib.asynccontextmanager
async def following(followers: Sequence[Follower], after_sequence: int | None = None) -> AsyncIterator[None]:
    """All of them follow while inside."""
    async with contextlib.AsyncExitStack() as stack:
        for one in followers:
            await stack.enter_async_context(one.watching(after_sequence))
        yield


async def play_on(followers: Sequence[Follower], seed: int = 1) -> match_pb2.Match:
    """They play a match, which has started, to its end, and hold in the end what is shown; the match."""
    await Play(followers, seed).to_the_end()
    await end(followers)
    return (await followers[0].client.get_match(followers[0].match_id)).match


async def end(followers: Sequence[Follower]) -> None:
    """Waits until their streams have ended with the match; they hold what is shown then."""
    for one in followers:
        await one.until(lambda one=one: isinstance(one.ended, EOFError))  # type: ignore[misc]
        shown = await one.client.get_match(one.match_id)
        assert one.sequence == shown.match.sequence
        assert one.picture.digest() == shown.view_digest
        assert one.picture.match.outcome == shown.match.outcome
        assert [(seat.seat, seat.player_id, seat.stake_confirmed) for seat in one.picture.match.seats] == [
            (seat.seat, seat.player_id, seat.stake_confirmed) for seat in shown.match.seats
        ]


def is_settled(match: match_pb2.Match) -> None:
    """H20: the winner is paid the pot without the rake, a draw gives both fees back."""
    winners = match.outcome.winner_seats
    rake = 2 * FEE * RATE // 10_000 if len(winners) == 1 else 0
    paid = [FEE, FEE] if len(winners) == 2 else [2 * FEE - rake if seat in winners else 0 for seat in range(2)]
    assert match.outcome.settlement == match_pb2.Settlement(
        entry_fee_minor=FEE, pot_minor=2 * FEE, rake_minor=rake, payout_minor=paid
    )


def refunds(match: match_pb2.Match, *paid: int) -> None:
    """A void match gives back what was taken, by seat, and keeps nothing."""
    assert match.status == VOID
    assert match.outcome.reason == CANCELLED
    assert not match.outcome.winner_seats
    assert match.outcome.settlement == match_pb2.Settlement(
        entry_fee_minor=FEE, pot_minor=sum(paid), rake_minor=0, payout_minor=paid
    )


class Hurried:
    """The time of day, which passes twice as fast: no faster, or the server would think that it had been away."""

    def __init__(self) -> None:
        self._begin_ms = app.wall_clock()

    def __call__(self) -> int:
        return 2 * app.wall_clock() - self._begin_ms


def read(event: bytes) -> event_pb2.Event:
    """An event as a watcher keeps it."""
    return event_pb2.Event.FromString(event)

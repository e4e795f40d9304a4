"""Those who come to a match without a matchmaker, at one runtime, in the wire's own messages.

What they ask for is known again by player, method and request id, as the api does it.
"""

import dataclasses
import hashlib
import itertools

from majlis.runtime import join_code
from majlis.runtime.asked import Asked
from majlis.runtime.lobby import Opening
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2, tonj_house_pb2, tonj_pb2, trix_pb2
from tests.runtime import room
from tests.runtime.room import RESIGN, Clock

FEE = 200
WAITING, ACTIVE, ENDED, VOID = (
    match_pb2.MATCH_STATUS_WAITING,
    match_pb2.MATCH_STATUS_ACTIVE,
    match_pb2.MATCH_STATUS_ENDED,
    match_pb2.MATCH_STATUS_VOID,
)
SEATED, LINK, PUBLIC = (
    match_pb2.VISIBILITY_SEATED,
    match_pb2.VISIBILITY_LINK,
    match_pb2.VISIBILITY_PUBLIC,
)

Wire = match_pb2.Match


def _opening(
    game: match_pb2.Game.ValueType,
    options: match_pb2.GameOptions,
    visibility: match_pb2.Visibility.ValueType,
    table_id: str = "",
) -> Opening:
    return Opening(game, options.SerializeToString(), visibility, table_id)


_TONJ = match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions(turn_seconds=45))
_STAKED = match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(entry_fee_minor=FEE, rake_bps=1_000))
_TRIX = match_pb2.GameOptions(trix=trix_pb2.TrixOptions())

QUICK = _opening(match_pb2.GAME_TONJ, _TONJ, LINK, "quick")
OTHER = _opening(match_pb2.GAME_TONJ, _TONJ, LINK, "other")
STAKED = _opening(match_pb2.GAME_TONJ_HOUSE, _STAKED, PUBLIC, "staked")
OPEN_TRIX = _opening(match_pb2.GAME_TRIX, _TRIX, PUBLIC, "trix")
"""Tables."""
PRIVATE = _opening(match_pb2.GAME_TONJ, _TONJ, SEATED)
STAKED_PRIVATE = _opening(match_pb2.GAME_TONJ_HOUSE, _STAKED, SEATED)
FOUR = _opening(match_pb2.GAME_TRIX, _TRIX, SEATED)
"""Rooms."""


@dataclasses.dataclass(frozen=True)
class Opened:
    """A room as its maker is told of it."""

    match: Wire
    code: str
    closes_ms: int | None


@dataclasses.dataclass
class Guests:
    """Every call is a new request, unless it is given a request id."""

    runtime: Runtime
    clock: Clock
    ids: "itertools.count[int]" = dataclasses.field(default_factory=itertools.count)

    def at(self, runtime: Runtime) -> "Guests":
        """The same guests, at another runtime."""
        return dataclasses.replace(self, runtime=runtime)

    def asked(self, player: str, method: str, body: str, request_id: str, at: int | None) -> Asked:
        return Asked(
            player_id=player,
            display_name=player.title(),
            method=method,
            request_id=request_id or f"r{next(self.ids)}",
            body_hash=hashlib.sha256(body.encode()).digest(),
            received_ms=self.clock.now_ms if at is None else at,
        )

    async def join_table(
        self, player: str, opening: Opening = QUICK, request_id: str = "", at: int | None = None
    ) -> Wire:
        asked = self.asked(player, "JoinTable", opening.table_id, request_id, at)
        return Wire.FromString(await self.runtime.lobby.join_table(asked, opening))

    async def create_room(self, player: str, opening: Opening = PRIVATE, request_id: str = "") -> Opened:
        asked = self.asked(player, "CreateRoom", repr(opening), request_id, None)
        made = await self.runtime.lobby.create_room(asked, opening)
        return Opened(Wire.FromString(made.match), made.code, made.closes_ms)

    async def look_up(self, code: str) -> tuple[Wire, int]:
        match, free = await self.runtime.lobby.look_up(join_code.read(code) or code, self.clock.now_ms)
        return Wire.FromString(match), free

    async def join_room(self, player: str, code: str, request_id: str = "", at: int | None = None) -> Wire:
        return Wire.FromString(
            await self.runtime.lobby.join_room(
                self.asked(player, "JoinRoom", code, request_id, at), join_code.read(code) or code
            )
        )

    async def leave(self, player: str, match_id: str, request_id: str = "", at: int | None = None) -> None:
        await self.runtime.lobby.leave(self.asked(player, "LeaveMatch", match_id, request_id, at), match_id)

    async def rematch(self, player: str, match_id: str, request_id: str = "", at: int | None = None) -> Wire:
        return Wire.FromString(
            await self.runtime.lobby.rematch(self.asked(player, "Rematch", match_id, request_id, at), match_id)
        )

    async def confirm(self, match_id: str, player: str, payment_id: str = "", at: int | None = None) -> Wire:
        """The wallet says that a player's fee is taken."""
        received_ms = self.clock.now_ms if at is None else at
        return Wire.FromString(
            await self.runtime.lobby.confirm_stake(match_id, player, payment_id or f"of {player}", received_ms)
        )

    async def see(self, match_id: str, player: str) -> Wire:
        """The match as it stands, asked for by one who may look."""
        return room.State.FromString(await self.runtime.get_match(player, match_id)).match

    async def resign(self, match_id: str, player: str) -> None:
        """A player gives up, which in games of two ends the match."""
        submit = room.asked_action(match_id, f"r{next(self.ids)}", None, RESIGN)
        await self.runtime.submit(player, submit, self.clock.now_ms)

    async def void_by(self, instant_ms: int) -> None:
        """Time passes up to an instant, and clocks run out."""
        self.clock.now_ms = instant_ms
        await room.fired(self.runtime)
        await self.runtime.sweep.run()
        await room.done(self.runtime, "timer")


def seats(match: Wire) -> dict[int, str]:
    """Who sits where."""
    return {seat.seat: seat.player_id for seat in match.seats}


def names(numbers: range) -> list[str]:
    """As many players, each of his own name."""
    return [f"player {number}" for number in numbers]


async def told(store: protocol.Store) -> list[tuple[str, str]]:
    """All results so far, by match id and kind, in their order."""
    while await store.publish(1_000):
        pass
    return [(result.match_id, result.kind) for result in await store.results(0, 10_000)]

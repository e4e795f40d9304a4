"""One who comes to matches by the lobby, one after the other: by a table, a room of his own, a code, or a rematch.

He asks again by the same request id until he is answered, keeps what he was told, and goes when nobody comes. How he
plays is told in `player`.
"""

import asyncio
import dataclasses
import random
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, TypeVar

from majlis.v1 import match_pb2
from tests.api import lobby
from tests.api.clients import Client
from tests.api.refused import reason
from tests.crash.asking import BREAKS, answered, comes_true
from tests.crash.judge import must
from tests.crash.player import DOUBLE_TAPS, Player
from tests.crash.server import FREE, HIGH, ROUND

if TYPE_CHECKING:
    from tests.crash.lounge import Lounge

T = TypeVar("T")
Ask = Callable[[Client], Awaitable[T]]

ROOM_IS_GONE = frozenset({"ROOM_FULL", "ROOM_EXPIRED", "ROOM_NOT_FOUND", "OWN_ROOM"})
TOO_LATE_TO_LEAVE = frozenset({"ALREADY_STARTED", "MATCH_OVER", "MATCH_VOID"})
ROOM = "room"
NOT_STARTED = (match_pb2.MATCH_STATUS_UNSPECIFIED, match_pb2.MATCH_STATUS_WAITING)
WAYS = (FREE, HIGH, HIGH, ROUND, ROOM, ROOM)
"""Tables, and a room of his own."""
CALLS_OFF = 0.2
"""How often he goes when his patience is over and only fees are due."""
REMATCHES, TWO_CODES, CODES = 0.5, 0.3, 0.7
"""How often he wants to play again, tells a code twice, and takes one that he was told."""
IMPATIENCE = (0.5, 3.0)
"""Seconds that he waits for others; at a table for four three times as long."""


@dataclasses.dataclass(frozen=True)
class Seat:
    """A seat that he was told he has; and how he asked for it."""

    match_id: str
    ask: Ask[match_pb2.Match]


class Guest:
    """Of one lounge."""

    def __init__(self, lounge: "Lounge", name: str, chance: random.Random) -> None:
        self.name = name
        self.seats: list[Seat] = []
        """All that he was told he has."""
        self.left: list[str] = []
        """Matches that he was told he has left."""
        self.before: list[tuple[str, dict[int, bytes]]] = []
        """Matches that did not start while he was there, with the events that he had seen of them."""
        self.player: Player | None = None
        """Of the match that he is in."""
        self.way = ""
        """The table that he has come by, while he is there."""
        self.acknowledged = 0
        """Actions, in matches that he is in no more."""
        self._lounge = lounge
        self._server = lounge.server
        self._chance = chance
        self._asked = 0

    async def live(self) -> None:
        """Comes and plays until the lounge closes.

        Raises:
            Broken: the server is at fault.
        """
        while not self._lounge.closing:
            with self._lounge.coming():
                match = await self._come()
            if match is not None:
                await self.stay(match)
            self.way = ""

    async def stay(self, match: match_pb2.Match) -> None:
        """Plays this match, and perhaps its rematch, and that one's."""
        following: match_pb2.Match | None = match
        while following is not None:
            status = await self._play(following)
            await self._repeat(self.seats[-1])
            wants = status == match_pb2.MATCH_STATUS_ENDED and self._chance.random() < REMATCHES
            match_id, following = following.match_id, None
            if wants and not self._lounge.closing:
                with self._lounge.coming():
                    following = await self._again(match_id)

    async def sit_down(self, match: match_pb2.Match) -> match_pb2.Match | None:
        """Takes a free seat of a match that waits, the way that others do; None if it was too late.

        Raises:
            Broken: it waits, and he is not let in.
        """
        if match.table_id:
            return await self._seated(lambda client, own: client.join_table(match.table_id, own))
        code = self._lounge.code_of[match.match_id]
        return await self._seated(lambda client, own: client.join_room(code, own))

    async def leave(self, match_id: str) -> bool:
        """Gives his seat back; False if it was too late."""
        own = self._new_id()

        async def leave(client: Client) -> bool:
            await client.leave_match(match_id, own)
            return True

        if await self._answered(leave, TOO_LATE_TO_LEAVE) is None:
            return False
        self.left.append(match_id)
        return True

    def hurry(self) -> None:
        """The match that he is in shall be over soon."""
        if self.player is not None:
            self.player.pause, self.player.resigns_after = 0.0, 0

    async def _come(self) -> match_pb2.Match | None:
        if self._lounge.codes and self._chance.random() < CODES:
            code = self._lounge.codes.pop(self._chance.randrange(len(self._lounge.codes)))
            return await self._seated(lambda client, own: client.join_room(code, own), ROOM_IS_GONE)
        way = self._chance.choice([way for way in WAYS if self._lounge.has_a_place(way)])
        if way != ROOM:
            self.way = way
            return await self._seated(lambda client, own: client.join_table(way, own))
        codes = set[str]()
        offered = self._chance.choice((lobby.HOUSE, lobby.STAKED, lobby.TONJ))

        async def make(client: Client, own: str) -> match_pb2.Match:
            made = await client.create_room(game=offered.game, options=offered.options, request_id=own)
            codes.add(made.join_code)
            return made.match

        match = await self._seated(make)
        must(match is not None and len(codes - {""}) == 1, f"one room has the codes {codes}")
        code = next(iter(codes - {""}))
        assert match is not None
        self._lounge.code_of[match.match_id] = code
        self._lounge.codes += [code] * (2 if self._chance.random() < TWO_CODES else 1)
        return match

    async def _again(self, match_id: str) -> match_pb2.Match:
        match = await self._seated(lambda client, own: client.rematch(match_id, own))
        assert match is not None
        must(match.rematch_of == match_id, f"the rematch of {match_id} is one of {match.rematch_of}")
        return match

    async def _play(self, match: match_pb2.Match) -> int:
        """Waits for the others, plays to the end; the status by which he went."""
        player = Player(self._server, match.match_id, self.name, self._chance, on_session=self._chance.random() < 0.5)
        player.pause, player.resigns_after = self._lounge.pause, self._chance.randrange(12)
        self.player = player
        if self._lounge.closing:
            self.hurry()
        living = asyncio.create_task(player.live())
        try:
            if await self._left(match, player, living):
                self.before.append((match.match_id, player.follower.events))
                return match_pb2.MATCH_STATUS_WAITING
            await living
        finally:
            living.cancel()
            await asyncio.wait([living])
            self.acknowledged += len(player.kept)
            self.player = None
        status = player.follower.picture.match.status
        if status == match_pb2.MATCH_STATUS_VOID:
            self.before.append((match.match_id, player.follower.events))
        else:
            await self._lounge.played(match.match_id, player)
        return status

    async def _left(self, match: match_pb2.Match, player: Player, living: "asyncio.Task[None]") -> bool:
        """Returns when it has started or is over; or when he has gone, since nobody came: True."""
        lounge, parts = self._lounge, match.rematch_of or match.table_id == ROUND

        def waits() -> bool:
            return not living.done() and player.follower.picture.match.status in NOT_STARTED

        while waits():
            seconds = self._chance.uniform(*IMPATIENCE) * (3 if match.table_id == ROUND else 1)
            await comes_true(lambda: lounge.closing or not waits(), seconds)
            if lounge.closing and not match.rematch_of:
                await lounge.fill(match, self.name)
                await asyncio.sleep(0.1)
            full = len(player.follower.picture.match.seats) > 1 and match.table_id != ROUND
            if full and self._chance.random() > CALLS_OFF:
                continue
            if waits() and (parts or not lounge.closing):
                with lounge.coming():
                    if await self.leave(match.match_id):
                        return True
        return False

    async def _seated(
        self, ask: Callable[[Client, str], Awaitable[match_pb2.Match]], no: Collection[str] = ()
    ) -> match_pb2.Match | None:
        own = self._new_id()
        made = set[str]()

        async def sit(client: Client) -> match_pb2.Match:
            taps = 2 if self._chance.random() < DOUBLE_TAPS else 1
            told = await asyncio.gather(*(ask(client, own) for _ in range(taps)), return_exceptions=True)
            errors = [one for one in told if isinstance(one, BaseException)]
            answers = [one for one in told if not isinstance(one, BaseException)]
            made.update(match.match_id for match in answers)
            if errors:
                must(not (answers and reason(errors[0]) in no), f"two taps by {own} got {told}")
                raise errors[0]
            return answers[0]

        match = await self._answered(sit, no)
        if match is None:
            return None
        must(len(made) == 1, f"{self.name} has one request and sits in {made}")
        self.seats.append(Seat(match.match_id, lambda client: ask(client, own)))
        return match

    async def _repeat(self, seat: Seat) -> None:
        """Asks once more for a seat, whatever has become of the match.

        Raises:
            Broken: it is another.
        """
        again = await self._answered(seat.ask)
        assert again is not None
        must(again.match_id == seat.match_id, f"{self.name} has one request and sits in two matches")

    async def _answered(self, ask: Ask[T], no: Collection[str] = ()) -> T | None:
        """The answer, however often it takes; None for a refusal that an honest player may get."""

        async def tolerant(client: Client) -> T | None:
            try:
                return await ask(client)
            except BREAKS as error:
                if reason(error) in no:
                    return None
                raise

        return await answered(self._server, self.name, tolerant)

    def _new_id(self) -> str:
        self._asked += 1
        return f"{self.name}-seat-{self._asked}"

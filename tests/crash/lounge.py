"""Where guests meet, each of whom comes by himself: what they tell each other, and who played which match.

When it closes, whoever waits is joined by strangers, since a match that waits has to let them in.
"""

import asyncio
import collections
import contextlib
import random
from collections.abc import Iterator

from majlis.v1 import match_pb2
from tests.crash.asking import answered, comes_true
from tests.crash.guest import Guest
from tests.crash.judge import judge, must
from tests.crash.player import Player
from tests.crash.server import ROUND, Server


class Lounge:
    """Of one server."""

    def __init__(self, server: Server, guests: int, seed: int, pause: float) -> None:
        self.server = server
        self.pause = pause
        """Seconds that guests think, at the most."""
        self.closing = False
        self.codes: list[str] = []
        """Of rooms that wait, as their makers told them."""
        self.code_of: dict[str, str] = {}
        self.ended: list[str] = []
        """Matches that were played and judged."""
        self.guests = [
            Guest(self, f"guest{number}", random.Random(seed * 1_000 + 500 + number)) for number in range(guests)
        ]
        self._chance = random.Random(seed * 1_000 + 499)
        self._played = collections.defaultdict[str, list[Player]](list)
        self._on_their_way = 0
        self._door = asyncio.Lock()
        self._strangers = asyncio.TaskGroup()

    @property
    def acknowledged(self) -> int:
        """Actions, seats and leaves."""
        return sum(
            guest.acknowledged + len(guest.seats) + len(guest.left) + (len(guest.player.kept) if guest.player else 0)
            for guest in self.guests
        )

    async def live(self) -> None:
        """Until it is closed and every match is over.

        Raises:
            Broken: the server is at fault.
        """
        async with self._strangers, asyncio.TaskGroup() as coming:
            for guest in list(self.guests):
                coming.create_task(guest.live())

    def close(self) -> None:
        """Nobody comes any more, and what is played shall be over soon."""
        self.closing = True
        for guest in self.guests:
            guest.hurry()

    @contextlib.contextmanager
    def coming(self) -> Iterator[None]:
        """While a guest asks for a seat or gives one back."""
        self._on_their_way += 1
        try:
            yield
        finally:
            self._on_their_way -= 1

    async def played(self, match_id: str, player: Player) -> None:
        """One of the players of a match has played it to the end; the last of them has it judged."""
        players = self._played[match_id]
        players.append(player)
        if len(players) == len(player.follower.picture.match.seats):
            await judge(self.server, match_id, self._played.pop(match_id))
            self.ended.append(match_id)

    async def fill(self, match: match_pb2.Match, name: str) -> None:
        """Lets a stranger take a free seat of a match in which one waits in vain; at the table for four he goes again.

        Raises:
            Broken: he is not let in, or comes to another.
        """
        async with self._door:
            must(await comes_true(lambda: not self._on_their_way), "guests wait for a seat and get no answer")
            shown = await answered(self.server, name, lambda client: client.get_match(match.match_id))
            if shown.clock.kind != match_pb2.CLOCK_KIND_SEATS:
                return
            stranger = Guest(self, f"stranger{len(self.guests)}", random.Random(self._chance.random()))
            self.guests.append(stranger)
            found = await stranger.sit_down(match)
            must(
                found is not None and found.match_id == match.match_id,
                f"{match.match_id} waits, and who comes to it finds {found}",
            )
            if match.table_id == ROUND:
                must(await stranger.leave(match.match_id), f"{match.match_id} waits, and he cannot leave it")
            else:
                self._strangers.create_task(stranger.stay(match))

    def has_a_place(self, way: str) -> bool:
        """Whether a guest may go that way. At the table for four they meet and part: its matches take too long."""
        there = sum(guest.way == way for guest in self.guests)
        return way != ROUND or there < 2

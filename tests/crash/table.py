"""A place at which one match is played after the other, by players of its own, until it is time to stop."""

import asyncio
import random

from majlis.api.caller import Role
from majlis.v1 import match_pb2, trix_pb2
from tests.api import tonj_house, trix
from tests.api.clients import Client, two_players
from tests.crash.asking import Broken, answered
from tests.crash.judge import judge
from tests.crash.player import Player
from tests.crash.server import Server

GAMES = ("tonj", "tonj_house", "trix")
QUICK = trix_pb2.TrixOptions(
    choose_seconds=600, double_seconds=600, play_seconds=600, auto_play_delay_ms=0, away_delay_ms=60_000
)


class Table:
    """Of one game."""

    def __init__(self, server: Server, number: int, seed: int, pause: float) -> None:
        self.game = GAMES[number % len(GAMES)]
        self.ended: list[str] = []
        """Matches that were played and judged."""
        self.players: list[Player] = []
        """Of the match that is being played, and who looks on."""
        self.acknowledged = 0
        """Actions, in the matches that are over."""
        self._server = server
        self._number = number
        self._chance = random.Random(seed * 1_000 + number)
        self._pause = pause
        self._closing = False

    def close(self) -> None:
        """The match that is being played is the last, and shall be over soon."""
        self._closing = True
        for player in self.players:
            self._hurry(player)

    async def live(self) -> None:
        """Plays until it is closed.

        Raises:
            Broken: the server is at fault.
        """
        while not self._closing:
            await self._match(len(self.ended))

    async def _match(self, count: int) -> None:
        names = [f"t{self._number}p{seat}" for seat in range(4 if self.game == "trix" else 2)]
        asked = self._asked(names, f"table {self._number}, match {count}")
        made = set[str]()

        async def make(client: Client) -> match_pb2.Match:
            match = await client.create_match(**asked)
            made.add(match.match_id)
            return match

        match = await answered(self._server, "lobby", make, Role.MATCHMAKER)
        await answered(self._server, "lobby", make, Role.MATCHMAKER)
        if len(made) > 1:
            raise Broken(f"one match was made twice: {made}")
        self.players = [
            Player(self._server, match.match_id, name, self._chance, on_session=bool(seat % 2))
            for seat, name in enumerate(names)
        ]
        for player in self.players:
            player.pause = self._pause
        if self.game != "trix":
            self._chance.choice(self.players).resigns_after = self._chance.randrange(5, 60)
            spectator = f"t{self._number}zahra"
            self.players.append(Player(self._server, match.match_id, spectator, self._chance, role=Role.SPECTATOR))
        if self._closing:
            self.close()
        async with asyncio.TaskGroup() as playing:
            for player in self.players:
                playing.create_task(player.live())
        await judge(self._server, match.match_id, self.players)
        self.acknowledged += sum(len(player.kept) for player in self.players)
        self.players = []
        self.ended.append(match.match_id)

    def _asked(self, names: list[str], external_id: str) -> dict[str, object]:
        if self.game == "trix":
            return trix.four_players(*names, options=QUICK, external_id=external_id)
        asked = two_players(*names, external_id=external_id)
        if self.game == "tonj_house":
            return {**tonj_house.staked(), "players": asked["players"], "external_id": external_id}
        return asked

    def _hurry(self, player: Player) -> None:
        player.pause = 0.0
        if self.game != "trix" and player.role is Role.PLAYER:
            player.resigns_after = 0

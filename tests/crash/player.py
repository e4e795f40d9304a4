"""One who plays through crashes: asks again by the same request id, resumes his stream, and keeps all he was told."""

import asyncio
import contextlib
import dataclasses
import random
from collections.abc import AsyncIterator
from typing import Any

from majlis.api.caller import Role
from majlis.client.view import OutOfStep
from majlis.v1 import match_pb2, match_service_pb2
from tests.api.clients import Action, Client, is_answer, submitted
from tests.api.follower import Follower
from tests.api.refused import reason
from tests.api.session_client import Session
from tests.crash.asking import BREAKS, PASSING, Broken, connected
from tests.crash.server import Server

SETTLED = frozenset({"STALE_SEQUENCE", "MATCH_OVER"})
"""Reasons for which an honest player gives up an action: somebody was quicker."""
DOUBLE_TAPS = 0.1
"""How many of the actions are sent twice at once."""
_NOBODY: Any = None  # until there is a connection
OVER = (match_pb2.MATCH_STATUS_ENDED, match_pb2.MATCH_STATUS_VOID)


@dataclasses.dataclass(frozen=True)
class Kept:
    """An action that was acknowledged."""

    asked: dict[str, Any]
    answer: match_service_pb2.SubmitActionResponse


class Player:
    """In one match, to its end; a spectator only follows it."""

    def __init__(
        self,
        server: Server,
        match_id: str,
        name: str,
        chance: random.Random,
        *,
        on_session: bool = False,
        role: Role = Role.PLAYER,
    ) -> None:
        self.name = name
        self.role = role
        self.kept: list[Kept] = []
        self.follower = Follower(_NOBODY, match_id)
        self.resigns_after: int | None = None
        """Actions after which he gives up; None never."""
        self.pause = 0.0
        """Seconds that he thinks, at the most."""
        self._server = server
        self._match_id = match_id
        self._chance = chance
        self._on_session = on_session
        self._pending: dict[str, Any] | None = None
        self._tried_at = -1  # nothing more is to be done at this sequence, as far as he knows
        self._answered_at = -1
        self._asked = 0

    @property
    def over(self) -> bool:
        return self._pending is None and self.follower.picture.match.status in OVER

    async def live(self) -> None:
        """Plays until the match is over."""
        while not self.over:
            try:
                async with connected(self._server, self.name, self.role) as client, self._speaking(client) as speaking:
                    self.follower.client = speaking
                    self.follower.first = self.follower.ended = None  # of the stream before
                    async with self.follower.watching(self.follower.sequence):
                        await self._play(speaking)
            except BREAKS as error:
                why = reason(error)
                self._server.told[why] += 1
                if why not in PASSING:
                    raise Broken(f"{self.name} was told {why} at {self.follower.sequence}") from error
            except (AssertionError, OutOfStep) as error:
                raise Broken(f"{self.name}: {error} after {self.follower.sequence}") from error
            await asyncio.sleep(self._chance.uniform(0.01, 0.05))

    @contextlib.asynccontextmanager
    async def _speaking(self, client: Client) -> AsyncIterator[Client]:
        if not self._on_session:
            yield client
            return
        async with Session(client) as session:
            yield session

    async def _play(self, client: Client) -> None:
        if self.kept:
            await self.repeat(client, self._chance.choice(self.kept))
        while not self.over:
            if self._pending is not None:
                await self._ask(client, self._pending)
                continue
            await self.follower.until(lambda: bool(self._choices()) or self._gives_up() or self.over)
            await asyncio.sleep(self._chance.uniform(0, self.pause))
            self._choose()

    def _choices(self) -> list[Action]:
        if self._tried_at == self.follower.sequence:
            return []
        answered = self._answered_at == self.follower.sequence
        return [action for action in self.follower.legal if not (answered and is_answer(action))]

    def _gives_up(self) -> bool:
        """Whether he has had enough of a match that has started."""
        enough = self.resigns_after is not None and len(self.kept) >= self.resigns_after
        return enough and self.follower.picture.match.status == match_pb2.MATCH_STATUS_ACTIVE

    def _choose(self) -> None:
        self._asked += 1
        asked: dict[str, Any] = {"request_id": f"{self.name}-{self._asked}"}
        if self.over:
            return
        if self._gives_up():
            self._pending = {**asked, "resign": {}}
        elif choices := self._choices():
            action = self._chance.choice(choices)
            self._pending = {**asked, "expected_sequence": self.follower.sequence, **submitted(action)}
            if is_answer(action):
                self._answered_at = self.follower.sequence
            else:
                self._tried_at = self.follower.sequence

    async def _ask(self, client: Client, asked: dict[str, Any]) -> None:
        at = self.follower.sequence
        try:
            answer = await self._sent(client, asked)
        except BREAKS as error:
            why = reason(error)
            if not why:
                raise  # the connection is gone, and with it the stream
            self._server.told[why] += 1
            if why in SETTLED:
                self._pending = None
                self._tried_at = self._answered_at = -1
                await asyncio.sleep(0.01)
            elif why in PASSING:
                await asyncio.sleep(self._chance.uniform(0.05, 0.2))
            else:
                raise Broken(f"{self.name} was told {why} for {asked} at {at}") from error
            return
        self._pending = None
        self.kept.append(Kept(asked, answer))
        await self.follower.until(lambda: self.follower.sequence >= answer.sequence)

    async def _sent(self, client: Client, asked: dict[str, Any]) -> match_service_pb2.SubmitActionResponse:
        """The answer to a request that is sent once, or now and then twice at the same time."""
        taps = 2 if not self._on_session and self._chance.random() < DOUBLE_TAPS else 1
        ended = await asyncio.gather(
            *(client.submit(self._match_id, **asked) for _ in range(taps)), return_exceptions=True
        )
        errors = [one for one in ended if isinstance(one, BaseException)]
        answers = [one for one in ended if not isinstance(one, BaseException)]
        if (answers and any(reason(error) in SETTLED for error in errors)) or any(one != answers[0] for one in answers):
            raise Broken(f"two taps by {asked['request_id']} got {ended}")
        if errors:
            raise errors[0]
        return answers[0]

    async def repeat_all(self, client: Client) -> None:
        """Asks once more for everything. Raises Broken as `repeat` does."""
        for kept in self.kept:
            await self.repeat(client, kept)

    async def repeat(self, client: Client, kept: Kept) -> None:
        """Asks once more for what was acknowledged.

        Raises:
            Broken: the answer is another.
        """
        try:
            again = await client.submit(self._match_id, **kept.asked)
        except BREAKS as error:
            if reason(error) in PASSING:
                raise
            raise Broken(f"a repeat of {kept.asked['request_id']} was told {reason(error)}") from error
        if again != kept.answer:
            raise Broken(f"a repeat of {kept.asked['request_id']} got {again} after {kept.answer}")

"""Two players of one match on a play session each, which they keep from match to match."""

import collections
import time
from typing import Any

from bench.players import Caller, Players, Read, has_events
from majlis.v1 import match_service_pb2 as messages

Item = messages.SessionItem


class Session:
    """One player's."""

    def __init__(self, caller: Caller) -> None:
        self._call = caller.session()
        self._items: collections.deque[Item] = collections.deque()

    async def say(self, **kind: Any) -> None:
        """Sends a request."""
        await self._call.write(messages.PlaySessionRequest(**kind).SerializeToString())

    async def next(self) -> Item:
        """What he is told next."""
        while not self._items:
            read = await self._call.read()
            if not isinstance(read, bytes):
                raise EOFError(f"a session ended: {await self._call.code()}, {await self._call.details()}")
            self._items.extend(messages.PlaySessionResponse.FromString(read).items)
        return self._items.popleft()

    def close(self) -> None:
        """Ends it."""
        self._call.cancel()


class SessionPlayers(Players):
    """As `Players`, on sessions."""

    def __init__(self, *who: Any) -> None:
        super().__init__(*who)
        self._sessions = [Session(seat) for seat in self._seats]

    async def _begin(self, seat: int) -> Read:
        session = self._sessions[seat]
        await session.say(watch=messages.WatchMatchRequest(match_id=self._match_id))
        while True:
            item = await session.next()
            if item.match_id == self._match_id and item.update.HasField("snapshot"):
                return b"", item.update

    async def _act(self, mover: int, request: messages.SubmitActionRequest) -> tuple[bytes, Read, Read, float]:
        own = his = None
        await self._sessions[mover].say(submit=request)
        while his is None:
            item = await self._sessions[1 - mover].next()
            his = item.update if has_events(item.update) else None
        seen = time.perf_counter()
        accepted = False
        while own is None or not accepted:
            item = await self._sessions[mover].next()
            if item.answer.HasField("refused"):
                raise ValueError(f"refused: {item.answer.refused.message}")
            accepted = accepted or item.HasField("answer")
            own = item.update if has_events(item.update) else own
        return b"", (b"", own), (b"", his), seen

    async def trouble(self) -> str:
        """What is known of a move that hangs."""
        return f"match {self._match_id}: no answer on a session"

    def leave(self) -> None:
        """Plays on no more: the matches are over, and their sessions stay for the next."""

    def close(self) -> None:
        """Ends the sessions."""
        for session in self._sessions:
            session.close()

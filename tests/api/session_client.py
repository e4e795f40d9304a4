"""A caller on a play session. It does what `Client` does, so that watchers and players need not know the difference."""

import asyncio
import collections
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

import grpc

from majlis.v1 import match_service_pb2 as messages
from majlis.v1 import match_service_pb2_grpc
from tests.api.clients import PATIENCE, Client, new_id
from tests.api.refused import Refused

Item = messages.SessionItem


class Session(Client):
    """Submits and watches on one stream; asks everything else by calls of its own."""

    def __init__(self, client: Client) -> None:
        super().__init__(client.channel, client.name, *client.metadata)
        self.responses: list[messages.PlaySessionResponse] = []
        """All of them, as they came."""
        self.ended: BaseException | None = None
        """How the session ended; EOFError if by itself."""
        self._about: dict[str, list[Item]] = collections.defaultdict(list)
        self._answers: dict[str, list[messages.ActionAnswer]] = collections.defaultdict(list)
        self._stub = match_service_pb2_grpc.MatchServiceStub(client.channel)
        self._changed = asyncio.Condition()
        self._writing = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self.call: Any = self._stub.PlaySession(metadata=self.metadata)
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._reading.cancel()
        await asyncio.wait([self._reading])
        self.call.cancel()

    def about(self, match_id: str) -> list[Item]:
        """What it was told of a match."""
        return self._about[match_id]

    def answers(self, match_id: str) -> list[messages.ActionAnswer]:
        """What became of the actions in a match."""
        return self._answers[match_id]

    def watch_ends(self, match_id: str) -> list[str]:
        """The reasons; empty for a match that was over."""
        return [item.watch_end.reason.reason for item in self.about(match_id) if item.HasField("watch_end")]

    async def send(self, **kind: Any) -> None:
        """Sends one request, and waits for nothing."""
        async with self._writing:
            await self.call.write(messages.PlaySessionRequest(**kind))

    async def done_writing(self) -> None:
        await self.call.done_writing()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for something to become true of what it was told; the session's end fails the wait."""
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: condition() or self.ended is not None)
        if not condition() and self.ended is not None:
            raise self.ended

    async def end(self) -> None:
        """Waits for the session's end; raises why, unless it ended by itself."""
        with contextlib.suppress(EOFError):
            await self.until(lambda: False)

    async def submit(self, match_id: str, **fields: Any) -> messages.SubmitActionResponse:
        fields["request_id"] = new_id(fields.get("request_id"))
        answers = self.answers(match_id[:64])  # ids that are too long come back cut
        told = len(answers)
        await self.send(submit=messages.SubmitActionRequest(match_id=match_id, **fields))
        await self.until(lambda: len(answers) > told)
        answer = answers[told]
        assert answer.request_id == fields["request_id"][:64]
        if answer.HasField("refused"):
            raise Refused(answer.refused)
        return answer.accepted

    def watch(self, match_id: str, after_sequence: int | None = None) -> Any:
        return self._updates(match_id, after_sequence)

    async def _updates(self, match_id: str, after: int | None) -> AsyncIterator[messages.WatchMatchResponse]:
        items = self.about(match_id[:64])
        told = len(items)
        await self.send(watch=messages.WatchMatchRequest(match_id=match_id, after_sequence=after))
        for place in itertools.count(told):
            await self.until(lambda place=place: len(items) > place)  # type: ignore[misc]
            item = items[place]
            if item.HasField("update"):
                yield item.update
            if item.HasField("watch_end"):
                if item.watch_end.HasField("reason"):
                    raise Refused(item.watch_end.reason)
                return

    async def _read(self) -> None:
        try:
            async for response in self.call:
                async with self._changed:
                    self._take(response)
                    self._changed.notify_all()
            end: BaseException = EOFError("the session ended")
        except grpc.aio.AioRpcError as error:
            end = error
        async with self._changed:
            self.ended = end
            self._changed.notify_all()

    def _take(self, response: messages.PlaySessionResponse) -> None:
        self.responses.append(response)
        for item in response.items:
            self._about[item.match_id].append(item)
            if item.HasField("answer"):
                self._answers[item.match_id].append(item.answer)

"""`majlis.v1.MatchmakingService`: makes matches for a matchmaking service, and tells services what came of matches.

Idempotence is the runtime's, and so is the order of results and how far who has come.
"""

from collections.abc import Callable
from typing import Self

from majlis.api import requests, wire
from majlis.api.calls import Call, Calls, Handler, Updates
from majlis.api.methods import MATCHMAKING_SERVICE
from majlis.match.refusal import Refusal
from majlis.runtime.results import ResultFeed, Told
from majlis.runtime.runtime import Runtime
from majlis.v1 import match_pb2
from majlis.v1 import matchmaking_service_pb2 as messages

_MADE = messages.CreateMatchResponse.MATCH_FIELD_NUMBER
_MATCH = messages.WatchResultsResponse.MATCH_FIELD_NUMBER


class MatchmakingService:
    """What a matchmaking service uses, and whoever follows results."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self, calls: Calls) -> dict[str, Handler]:
        """Handlers by method name."""
        return {
            "CreateMatch": calls.unary(f"/{MATCHMAKING_SERVICE}/CreateMatch", self.create_match),
            "WatchResults": calls.stream(f"/{MATCHMAKING_SERVICE}/WatchResults", self.watch_results),
            "AckResults": calls.unary(f"/{MATCHMAKING_SERVICE}/AckResults", self.ack_results),
        }

    async def create_match(self, call: Call, request: bytes) -> bytes:
        """`CreateMatchRequest` to `CreateMatchResponse`."""
        return wire.field(_MADE, await self._runtime.create(request))

    async def watch_results(self, call: Call, request: bytes) -> Updates:
        """`WatchResultsRequest` to `WatchResultsResponse`s."""
        asked = requests.read(messages.WatchResultsRequest, request)
        return _Responses(await self._runtime.results.watch(_consumer(call, asked), asked.after_cursor))

    async def ack_results(self, call: Call, request: bytes) -> bytes:
        """`AckResultsRequest` to `AckResultsResponse`."""
        asked = requests.read(messages.AckResultsRequest, request)
        await self._runtime.results.acknowledge(_consumer(call, asked), asked.cursor)
        return messages.AckResultsResponse().SerializeToString()


def _consumer(call: Call, asked: messages.WatchResultsRequest | messages.AckResultsRequest) -> str:
    """Whose place it is. A matchmaker and a wallet that chose the same name have each their own."""
    return f"{call.caller.role} {requests.id_of(asked, 'consumer')}"


class _Responses:
    """A feed of results as it travels."""

    def __init__(self, feed: ResultFeed) -> None:
        self.on_stall: Callable[[], None] | None = None  # never called: whoever reads slowly holds up nobody
        self._feed = feed

    def end(self, refusal: Refusal) -> None:
        self._feed.end(refusal)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        return _response(await anext(self._feed))

    async def aclose(self) -> None:
        await self._feed.aclose()


def _response(told: Told) -> bytes:
    """A `WatchResultsResponse`."""
    kind = messages.ResultKind.Value(f"RESULT_KIND_{told.kind.upper()}")
    match = told.match
    if match is None:
        match = match_pb2.Match(match_id=told.match_id).SerializeToString()
    return messages.WatchResultsResponse(cursor=told.cursor, kind=kind).SerializeToString() + wire.field(_MATCH, match)

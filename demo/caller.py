"""One caller of the API: the generated stubs with a token, and refusals unpacked. Knows nothing of any game.

Players who find their own way to a match call more than this (`lobby.guest`), and so does the wallet.
"""

from collections.abc import Awaitable
from typing import Any, TypeAlias

import grpc
from grpc_status import rpc_status

from demo.failure import Failure
from majlis.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc, matchmaking_service_pb2
from majlis.v1 import matchmaking_service_pb2_grpc as matchmaking

PATIENCE = 10.0
"""Seconds after which a call has failed."""

Answer: TypeAlias = match_service_pb2.SubmitActionResponse | match_service_pb2.Refusal
"""What an action caused, or why it was refused."""
Stream: TypeAlias = grpc.aio.UnaryStreamCall[match_service_pb2.WatchMatchRequest, match_service_pb2.WatchMatchResponse]


class Caller:
    """Somebody with a token."""

    def __init__(self, channel: grpc.aio.Channel, player_id: str, token: str) -> None:
        self.player_id = player_id
        self.metadata = (("authorization", f"Bearer {token}"),)
        self._matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self._matchmaking = matchmaking.MatchmakingServiceStub(channel)

    async def create_match(self, request: matchmaking_service_pb2.CreateMatchRequest) -> match_pb2.Match:
        """Seats players and starts a match."""
        answer = await self._matchmaking.CreateMatch(request, metadata=self.metadata, timeout=PATIENCE)
        return answer.match

    async def get_match(self, match_id: str) -> match_service_pb2.GetMatchResponse:
        """The match as it stands."""
        request = match_service_pb2.GetMatchRequest(match_id=match_id)
        return await self._matches.GetMatch(request, metadata=self.metadata, timeout=PATIENCE)

    async def submit(self, request: match_service_pb2.SubmitActionRequest) -> Answer:
        """Plays an action.

        Raises:
            grpc.aio.AioRpcError: neither was told.
        """
        try:
            return await self._matches.SubmitAction(request, metadata=self.metadata, timeout=PATIENCE)
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
            if refusal is None:
                raise
            return refusal

    def watch(self, match_id: str, *, await_rematch: bool = False) -> Stream:
        """State first, then every change, until the match ends, or until some time after it."""
        request = match_service_pb2.WatchMatchRequest(match_id=match_id, await_rematch=await_rematch)
        return self._matches.WatchMatch(request, metadata=self.metadata)

    async def replay(self, match_id: str) -> match_service_pb2.GetReplayResponse:
        """The whole record of an ended match, its pages put together."""
        whole = match_service_pb2.GetReplayResponse()
        while True:
            page = await self._matches.GetReplay(
                match_service_pb2.GetReplayRequest(match_id=match_id, page_token=whole.next_page_token),
                metadata=self.metadata,
                timeout=PATIENCE,
            )
            events = [*whole.events, *page.events]
            whole.CopyFrom(page)
            del whole.events[:]
            whole.events.extend(events)
            if not page.next_page_token:
                return whole


def accepted(answer: Answer) -> match_service_pb2.SubmitActionResponse:
    """The answer to an action that must be accepted.

    Raises:
        Failure: it was refused.
    """
    if isinstance(answer, match_service_pb2.Refusal):
        raise Failure(f"an action was refused with {answer.reason}: {answer.message}")
    return answer


def refused(answer: Answer, reason: str) -> match_service_pb2.Refusal:
    """The answer to an action that must be refused for this reason.

    Raises:
        Failure: it was accepted, or refused for another.
    """
    if isinstance(answer, match_service_pb2.SubmitActionResponse):
        raise Failure(f"an action was accepted that had to be refused with {reason}")
    if answer.reason != reason:
        raise Failure(f"an action was refused with {answer.reason} and not with {reason}")
    return answer


async def turned_down(call: Awaitable[Any], reason: str) -> match_service_pb2.Refusal:
    """The answer to a call that must be refused for this reason.

    Raises:
        Failure: it was answered otherwise.
        grpc.aio.AioRpcError: neither was told.
    """
    try:
        await call
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        return refused(refusal, reason)
    raise Failure(f"a call was answered that had to be refused with {reason}")


def refusal_of(error: grpc.aio.AioRpcError) -> match_service_pb2.Refusal | None:
    """The refusal among the details of a failed call, if it carries one."""
    call: Any = error  # the stubs of grpc_status know only the synchronous call, which has the same methods
    status = rpc_status.from_call(call)
    for detail in status.details if status is not None else ():
        refusal = match_service_pb2.Refusal()
        if detail.Unpack(refusal):
            return refusal
    return None


def failed(error: grpc.aio.AioRpcError) -> Failure:
    """A call that nobody expected to fail, as the demo's end."""
    refusal = refusal_of(error)
    told = f"{refusal.reason}: {refusal.message}" if refusal is not None else error.details() or "nothing more is known"
    return Failure(f"a call failed with {error.code().name}: {' '.join(told.split())}")

"""Two players of one match, over gRPC: they watch, and whoever may act plays an action that the server calls legal.

Here they do it by unary calls and server streams; in `sessions`, on play sessions. Bytes stay bytes wherever a player
need not look inside, so that the clients cost as little as they can: they run beside the server on the same cores. The
server and the relay are played by the same code.
"""

import dataclasses
import itertools
import os
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import grpc

from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_pb2
from majlis.v1 import match_service_pb2 as messages

Stream: TypeAlias = "grpc.aio.UnaryStreamCall[bytes, bytes]"
Read = tuple[bytes, messages.WatchMatchResponse]
"""An update as it came, and read."""

_MATCHES = "/majlis.v1.MatchService"
_MAKING = "/majlis.v1.MatchmakingService"
# Else all channels of a process share one connection, which players of their own devices do not.
_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)

_numbers = itertools.count(1)


class Caller:
    """Somebody with a token and a connection."""

    def __init__(self, address: str, name: str, token: str, channel: grpc.aio.Channel | None = None) -> None:
        """`channel` is one to be shared; without it the caller opens his own."""
        self.name = name
        self.channel = channel or grpc.aio.insecure_channel(address, options=_OWN_CONNECTION)
        self.metadata = (("authorization", f"Bearer {token}"),)
        self._submit: Any = self.channel.unary_unary(f"{_MATCHES}/SubmitAction")
        self._watch: Any = self.channel.unary_stream(f"{_MATCHES}/WatchMatch")
        self._session: Any = self.channel.stream_stream(f"{_MATCHES}/PlaySession")
        self._create: Any = self.channel.unary_unary(f"{_MAKING}/CreateMatch")

    def submit(self, request: bytes) -> "grpc.aio.UnaryUnaryCall[bytes, bytes]":
        """Sends an action; the call is under way when this returns."""
        call: grpc.aio.UnaryUnaryCall[bytes, bytes] = self._submit(request, metadata=self.metadata)
        return call

    def watch(self, match_id: str) -> Stream:
        """Opens a stream."""
        request = messages.WatchMatchRequest(match_id=match_id).SerializeToString()
        stream: Stream = self._watch(request, metadata=self.metadata)
        return stream

    def session(self) -> "grpc.aio.StreamStreamCall[bytes, bytes]":
        """Opens a play session."""
        call: grpc.aio.StreamStreamCall[bytes, bytes] = self._session(metadata=self.metadata)
        return call

    async def create(self, players: Sequence[str]) -> bytes:
        """Makes a match of Tonj in which players are shown what is legal; a `CreateMatchResponse`."""
        request = matchmaking_service_pb2.CreateMatchRequest(
            external_id=f"bench-{os.getpid()}-{next(_numbers)}",
            game=match_pb2.GAME_TONJ,
            options=match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions(show_legal_moves=True, turn_seconds=600)),
            players=[matchmaking_service_pb2.Player(player_id=player) for player in players],
            visibility=match_pb2.VISIBILITY_LINK,
        )
        answer: bytes = await self._create(request.SerializeToString(), metadata=self.metadata)
        return answer


def match_id(created: bytes) -> str:
    """The id in a `CreateMatchResponse`."""
    return matchmaking_service_pb2.CreateMatchResponse.FromString(created).match.match_id


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """A move that everybody has seen."""

    answer: bytes
    updates: tuple[bytes, bytes]
    """By seat."""
    seen: float
    """When the other player had read it, by `time.perf_counter`."""


class Players:
    """A match and its two players, who sit down to the next match when it has ended."""

    def __init__(self, lobby: Caller, seats: tuple[Caller, Caller], chance: random.Random) -> None:
        self._lobby = lobby
        self._seats = seats
        self._chance = chance
        self._streams: list[Stream] = []
        self._call: grpc.aio.UnaryUnaryCall[bytes, bytes] | None = None
        self._match_id = ""
        self._sequence = 0
        self._legal: tuple[Sequence[tonj_pb2.TonjAction], ...] = ((), ())
        self.created = b""
        self.snapshots: tuple[bytes, bytes] = (b"", b"")

    async def sit_down(self) -> None:
        """Begins a new match: makes it, and watches it from both seats, seat 0 first."""
        self.leave()
        self.created = await self._lobby.create([seat.name for seat in self._seats])
        self._match_id = match_id(self.created)
        first, second = await self._begin(0), await self._begin(1)
        self.snapshots = first[0], second[0]
        self._sequence = first[1].sequence
        self._legal = first[1].snapshot.legal_actions.tonj, second[1].snapshot.legal_actions.tonj

    async def move(self) -> Move | None:
        """One legal action, chosen by chance; returns when both players have seen it. None when the match is over."""
        mover = 0 if self._legal[0] else 1
        if not self._legal[mover]:
            return None
        request = messages.SubmitActionRequest(
            match_id=self._match_id,
            request_id=f"{next(_numbers)}",
            expected_sequence=self._sequence,
            tonj=self._chance.choice(self._legal[mover]),
        )
        answer, own, his, seen = await self._act(mover, request)
        first, second = (own, his) if mover == 0 else (his, own)
        self._sequence = first[1].sequence
        self._legal = first[1].events.legal_actions.tonj, second[1].events.legal_actions.tonj
        return Move(answer, (first[0], second[0]), seen)

    async def _begin(self, seat: int) -> Read:
        """Watches from a seat; the snapshot."""
        stream = self._seats[seat].watch(self._match_id)
        self._streams.append(stream)
        return await _next(stream, lambda update: update.HasField("snapshot"))

    async def _act(self, mover: int, request: messages.SubmitActionRequest) -> tuple[bytes, Read, Read, float]:
        """Submits: the answer, what the mover and what the other was sent, and when the other had read it."""
        self._call = self._seats[mover].submit(request.SerializeToString())
        his = await _next(self._streams[1 - mover], has_events)
        seen = time.perf_counter()
        own = await _next(self._streams[mover], has_events)
        return await self._call, own, his, seen

    async def trouble(self) -> str:
        """What a call that hangs or failed says about itself."""
        if self._call is None or not self._call.done():
            return f"match {self._match_id}: no answer"
        return f"match {self._match_id}: {await self._call.code()}, {await self._call.details()}"

    def leave(self) -> None:
        """Stops watching."""
        for stream in self._streams:
            stream.cancel()
        self._streams.clear()

    def close(self) -> None:
        """Ends whatever is open."""
        self.leave()


def has_events(update: messages.WatchMatchResponse) -> bool:
    """Whether something happened."""
    return update.HasField("events")


async def _next(stream: Stream, wanted: Callable[[messages.WatchMatchResponse], bool]) -> Read:
    """The stream's next message of a kind; notices and heartbeats are passed over."""
    while True:
        read = await stream.read()
        if not isinstance(read, bytes):
            raise EOFError(f"a stream ended: {await stream.code()}, {await stream.details()}")
        update = messages.WatchMatchResponse.FromString(read)
        if wanted(update):
            return read, update

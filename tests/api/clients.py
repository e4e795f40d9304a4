"""Clients for the tests: stubs with a token, and players who follow a match and act by its legal actions.

They serve every game. Who asks for a match of another game than Tonj, and what only that has, stands in `trix` and
`tonj_house`.
"""

import asyncio
import contextlib
import itertools
import pathlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import grpc

from majlis.api import dev_identity
from majlis.api.caller import Role
from majlis.v1 import (
    lobby_service_pb2,
    lobby_service_pb2_grpc,
    match_pb2,
    match_service_pb2,
    match_service_pb2_grpc,
    matchmaking_service_pb2,
    stake_service_pb2,
    stake_service_pb2_grpc,
    tonj_house_pb2,
    tonj_pb2,
    trix_pb2,
)
from majlis.v1 import matchmaking_service_pb2_grpc as matchmaking

PATIENCE = 60.0
"""Seconds after which something that should come is missed."""

Action = tonj_pb2.TonjAction | tonj_house_pb2.TonjHouseAction | trix_pb2.TrixAction

_numbers = itertools.count(1)


def bearer(data: pathlib.Path, player: str, role: Role = Role.PLAYER, hours: float = 1.0) -> tuple[str, str]:
    """The metadata of a caller."""
    return ("authorization", f"Bearer {dev_identity.token(data, player, role, hours)}")


class Client:
    """One caller at one server."""

    def __init__(self, channel: grpc.aio.Channel, name: str, *metadata: tuple[str, str]) -> None:
        self.name = name
        self.metadata = metadata
        self.channel = channel
        self._matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self._matchmaking = matchmaking.MatchmakingServiceStub(channel)
        self._lobby = lobby_service_pb2_grpc.LobbyServiceStub(channel)
        self._stakes = stake_service_pb2_grpc.StakeServiceStub(channel)

    def with_metadata(self, *more: tuple[str, str]) -> "Client":
        return Client(self.channel, self.name, *self.metadata, *more)

    async def get_match(self, match_id: str) -> match_service_pb2.GetMatchResponse:
        return await self._matches.GetMatch(
            match_service_pb2.GetMatchRequest(match_id=match_id), metadata=self.metadata, timeout=PATIENCE
        )

    async def list_my_matches(self, **fields: Any) -> match_service_pb2.ListMyMatchesResponse:
        return await self._matches.ListMyMatches(
            match_service_pb2.ListMyMatchesRequest(**fields), metadata=self.metadata, timeout=PATIENCE
        )

    async def get_server_info(self) -> match_service_pb2.GetServerInfoResponse:
        return await self._matches.GetServerInfo(
            match_service_pb2.GetServerInfoRequest(), metadata=self.metadata, timeout=PATIENCE
        )

    async def submit(self, match_id: str, **fields: Any) -> match_service_pb2.SubmitActionResponse:
        fields["request_id"] = new_id(fields.get("request_id"))
        return await self._matches.SubmitAction(
            match_service_pb2.SubmitActionRequest(match_id=match_id, **fields), metadata=self.metadata, timeout=PATIENCE
        )

    def watch(
        self, match_id: str, after_sequence: int | None = None
    ) -> "grpc.aio.UnaryStreamCall[match_service_pb2.WatchMatchRequest, match_service_pb2.WatchMatchResponse]":
        return self._matches.WatchMatch(
            match_service_pb2.WatchMatchRequest(match_id=match_id, after_sequence=after_sequence),
            metadata=self.metadata,
        )

    async def get_replay(self, match_id: str, **fields: Any) -> match_service_pb2.GetReplayResponse:
        return await self._matches.GetReplay(
            match_service_pb2.GetReplayRequest(match_id=match_id, **fields), metadata=self.metadata, timeout=PATIENCE
        )

    async def create_match(self, **fields: Any) -> match_pb2.Match:
        answer = await self._matchmaking.CreateMatch(
            matchmaking_service_pb2.CreateMatchRequest(**fields), metadata=self.metadata, timeout=PATIENCE
        )
        return answer.match

    async def list_tables(self, **fields: Any) -> lobby_service_pb2.ListTablesResponse:
        return await self._lobby.ListTables(
            lobby_service_pb2.ListTablesRequest(**fields), metadata=self.metadata, timeout=PATIENCE
        )

    async def join_table(self, table_id: str, request_id: str | None = None) -> match_pb2.Match:
        request = lobby_service_pb2.JoinTableRequest(table_id=table_id, request_id=new_id(request_id))
        return (await self._lobby.JoinTable(request, metadata=self.metadata, timeout=PATIENCE)).match

    async def create_room(self, **fields: Any) -> lobby_service_pb2.CreateRoomResponse:
        fields["request_id"] = new_id(fields.get("request_id"))
        return await self._lobby.CreateRoom(
            lobby_service_pb2.CreateRoomRequest(**fields), metadata=self.metadata, timeout=PATIENCE
        )

    async def look_up_room(self, join_code: str) -> lobby_service_pb2.LookUpRoomResponse:
        return await self._lobby.LookUpRoom(
            lobby_service_pb2.LookUpRoomRequest(join_code=join_code), metadata=self.metadata, timeout=PATIENCE
        )

    async def join_room(self, join_code: str, request_id: str | None = None) -> match_pb2.Match:
        request = lobby_service_pb2.JoinRoomRequest(join_code=join_code, request_id=new_id(request_id))
        return (await self._lobby.JoinRoom(request, metadata=self.metadata, timeout=PATIENCE)).match

    async def leave_match(self, match_id: str, request_id: str | None = None) -> None:
        request = lobby_service_pb2.LeaveMatchRequest(match_id=match_id, request_id=new_id(request_id))
        await self._lobby.LeaveMatch(request, metadata=self.metadata, timeout=PATIENCE)

    async def rematch(self, match_id: str, request_id: str | None = None) -> match_pb2.Match:
        request = lobby_service_pb2.RematchRequest(match_id=match_id, request_id=new_id(request_id))
        return (await self._lobby.Rematch(request, metadata=self.metadata, timeout=PATIENCE)).match

    async def confirm_stake(self, match_id: str, player_id: str, payment_id: str | None = None) -> match_pb2.Match:
        request = stake_service_pb2.ConfirmStakeRequest(
            match_id=match_id, player_id=player_id, payment_id=f"paid-{player_id}" if payment_id is None else payment_id
        )
        return (await self._stakes.ConfirmStake(request, metadata=self.metadata, timeout=PATIENCE)).match


def new_id(given: str | None = None) -> str:
    """The request id that was given, or one that nobody has used."""
    return f"r{next(_numbers)}" if given is None else given


def two_players(*names: str, **fields: Any) -> dict[str, Any]:
    """Fields of a `CreateMatchRequest` for a hand of Tonj in which clients are shown what is legal."""
    players = [matchmaking_service_pb2.Player(player_id=name) for name in names or ("alice", "badr")]
    options = match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions(show_legal_moves=True, turn_seconds=600))
    return {
        "external_id": f"x{next(_numbers)}",
        "game": match_pb2.GAME_TONJ,
        "options": options,
        "players": players,
        "visibility": match_pb2.VISIBILITY_LINK,
        **fields,
    }


class Watcher:
    """Follows a match on a stream, and keeps what it was sent."""

    def __init__(self, client: Client, match_id: str) -> None:
        self.client = client
        self.match_id = match_id
        self.sequence = 0
        self.first: match_service_pb2.WatchMatchResponse | None = None
        self.events: dict[int, bytes] = {}
        """By sequence, as they were sent."""
        self.legal: Sequence[Action] = ()
        self.private = match_service_pb2.PrivateState()
        self.presence: dict[int, bool] = {}
        self.comings: list[tuple[int, bool]] = []
        """All that it was told of who is there, by seat."""
        self.drained = False
        self.ended: BaseException | None = None
        self._changed = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def watching(self, after_sequence: int | None = None) -> AsyncIterator["Watcher"]:
        """Watches while inside; the first message has come when it begins."""
        reading = asyncio.create_task(self._read(after_sequence))
        try:
            await self.until(lambda: self.first is not None)
            yield self
        finally:
            reading.cancel()
            await asyncio.wait([reading])

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for something to become true of this watcher; its stream's failure fails the wait."""

        def settled() -> bool:
            return condition() or self.ended is not None

        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(settled)
        if not condition() and self.ended is not None:
            raise self.ended

    async def _read(self, after_sequence: int | None) -> None:
        self.first, self.ended = None, None
        try:
            async for update in self.client.watch(self.match_id, after_sequence):
                async with self._changed:
                    self._take(update)
                    self._changed.notify_all()
            end: BaseException = EOFError("the stream ended")
        except Exception as error:  # a refusal, or what `_take` found amiss: whoever waits is told
            end = error
        async with self._changed:
            self.ended = end
            self._changed.notify_all()

    def _take(self, update: match_service_pb2.WatchMatchResponse) -> None:
        self.first = self.first or update
        kind = update.WhichOneof("body")
        if kind == "snapshot":
            self.sequence = update.sequence
            self._may(update.snapshot.legal_actions, update.snapshot.private_state)
        elif kind == "events":
            for event in update.events.events:
                assert event.sequence == self.sequence + 1, "a gap, or an event twice"
                self.sequence = event.sequence
                self.events[event.sequence] = event.SerializeToString(deterministic=True)
            assert self.sequence == update.sequence
            self._may(update.events.legal_actions, update.events.private_state)
        elif kind == "notice" and update.notice.HasField("presence"):
            self.presence[update.notice.presence.seat] = update.notice.presence.connected
            self.comings.append((update.notice.presence.seat, update.notice.presence.connected))
        elif kind == "notice" and update.notice.HasField("private_state"):
            # Nothing else has changed: what may be done without an answer to that question may still be done.
            self.private = update.notice.private_state
            self.legal = [one for one in self.legal if self.private.may_double or not is_answer(one)]
        elif kind == "notice":
            self.drained = True

    def _may(self, legal: match_service_pb2.LegalActions, private: match_service_pb2.PrivateState) -> None:
        self.legal = [*legal.tonj, *legal.tonj_house, *legal.trix]
        self.private = private


def is_answer(action: Action) -> bool:
    """Whether it is an answer of which nobody else learns."""
    return isinstance(action, trix_pb2.TrixAction) and action.HasField("answer_double")


FIELDS: dict[type[Action], str] = {
    tonj_pb2.TonjAction: "tonj",
    tonj_house_pb2.TonjHouseAction: "tonj_house",
    trix_pb2.TrixAction: "trix",
}


def submitted(action: Action) -> dict[str, Action]:
    """An action as a field of a `SubmitActionRequest`."""
    return {FIELDS[type(action)]: action}


Acknowledged = tuple[Client, dict[str, Any], match_service_pb2.SubmitActionResponse]
"""Who asked, for what, and the answer."""


class Play:
    """Plays a match by its legal actions, chosen by seeded chance, and keeps what was acknowledged."""

    def __init__(self, watchers: Sequence[Watcher], seed: int) -> None:
        self.watchers = watchers
        self.acknowledged: list[Acknowledged] = []
        self._chance = random.Random(seed)

    async def step(self) -> bool:
        """One action, seen by all; False when nobody has one. Where the server is about to act, it is let to."""
        able = [watcher for watcher in self.watchers if watcher.legal]
        if not able:
            return False
        for watcher in able:
            if watcher.private.HasField("auto_play_time"):
                await self.all_at(watcher.sequence + 1)
                return True
        watcher = self._chance.choice(able)
        await self.act(watcher, self.chosen(watcher))
        return True

    def chosen(self, watcher: Watcher) -> Action:
        """What one of them does who has legal actions."""
        return self._chance.choice(watcher.legal)

    async def act(self, watcher: Watcher, action: Action) -> None:
        """An action of one of them, seen by all."""
        asked = {"request_id": new_id(), "expected_sequence": watcher.sequence, **submitted(action)}
        answer = await watcher.client.submit(watcher.match_id, **asked)
        self.acknowledged.append((watcher.client, asked, answer))
        if not answer.events:
            await watcher.until(lambda: not watcher.private.may_double)
        await self.all_at(answer.sequence)

    async def all_at(self, sequence: int) -> None:
        """Waits until everybody has seen an event."""
        for watcher in self.watchers:
            await watcher.until(lambda watcher=watcher: watcher.sequence >= sequence)  # type: ignore[misc]

    async def to_the_end(self) -> int:
        """Plays on until nobody may act; how many actions that took."""
        for count in itertools.count():
            if not await self.step():
                return count
        raise AssertionError("unreachable")

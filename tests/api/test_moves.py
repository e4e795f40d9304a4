"""Streams that are told to go elsewhere after a while: whoever follows the rule loses nothing, and changes connection.

Real servers, each a process of its own, behind a plain TCP balancer.
"""

import asyncio
import contextlib
import pathlib
from collections.abc import Sequence
from typing import Any

import grpc

from majlis.v1 import match_pb2, match_service_pb2, matchmaking_service_pb2
from majlis.v1 import matchmaking_service_pb2_grpc as matchmaking
from tests.api.clients import PATIENCE, Client, Play, Watcher, new_id, two_players
from tests.api.process import Process, running
from tests.api.refused import Refused, reason, refused
from tests.api.relay import Relay
from tests.api.session_client import Session

LIFE_SECONDS = 2.0
MOVING = ("--stream-minutes", str(LIFE_SECONDS / 60), "--presence-grace-seconds", "60")
MOVES = 3
"""So often at the least."""


class Wanderer(Watcher):
    """Follows a match by the rule: when its stream ends it opens another, after the last event that it has."""

    def __init__(self, client: Client, match_id: str) -> None:
        super().__init__(client, match_id)
        self.ends: list[str] = []

    async def _read(self, after_sequence: int | None) -> None:
        while True:
            await super()._read(after_sequence)
            if self.ended is None or reason(self.ended) != "STREAM_MOVED":
                return
            self.ends.append("STREAM_MOVED")
            after_sequence = self.sequence

    async def until(self, condition: Any) -> None:
        """As its parent; but a stream that has moved is no end."""
        while True:
            try:
                return await super().until(condition)
            except (grpc.aio.AioRpcError, Refused) as error:
                if reason(error) != "STREAM_MOVED":
                    raise
                await asyncio.sleep(0.01)


async def watched_by_itself(stack: contextlib.AsyncExitStack, process: Process, client: Client) -> tuple[Client, Relay]:
    """A caller whose connections are counted, and are used for what is asked by him alone."""
    relay = await stack.enter_async_context(Relay(process.listen).running())
    options = [("grpc.use_local_subchannel_pool", 1)]
    channel = await stack.enter_async_context(grpc.aio.insecure_channel(relay.listen, options))
    return Client(channel, client.name, *client.metadata), relay


async def made(process: Process) -> str:
    async with process.matchmaker() as matchmaker:
        return (await matchmaker.create_match(**two_players())).match_id


class Caller(Client):
    """Watches on connections of its own, and calls on others."""

    def __init__(self, calling: Client, watching: Client) -> None:
        super().__init__(calling.channel, calling.name, *calling.metadata)
        self.watch = watching.watch  # type: ignore[method-assign]


async def test_a_match_is_played_over_many_moves_and_every_event_comes_once(tmp_path: pathlib.Path) -> None:
    still = tmp_path / "still"
    async with running(tmp_path, *MOVING) as process, running(still) as other, contextlib.AsyncExitStack() as stack:
        match_id, quiet_id = await made(process), await made(other)
        calling = await stack.enter_async_context(process.clients("alice", "badr"))
        wanderers, relays = [], []
        for client in calling:
            watching, relay = await watched_by_itself(stack, process, client)
            wanderers.append(Wanderer(Caller(client, watching), match_id))
            relays.append(relay)
        (onlooker,) = await stack.enter_async_context(other.clients("carim"))
        onlooker, unmoved = await watched_by_itself(stack, other, onlooker)
        quiet = Watcher(onlooker, quiet_id)
        async with wanderers[0].watching(0), wanderers[1].watching(0), quiet.watching():
            play = Play(wanderers, 7)
            for move in range(MOVES):
                for _ in range(5):
                    await play.step()
                for wanderer in wanderers:
                    await wanderer.until(lambda wanderer=wanderer, move=move: len(wanderer.ends) > move)
            await play.to_the_end()
            head = (await calling[0].get_match(match_id)).match
            assert head.status == match_pb2.MATCH_STATUS_ENDED
            await play.all_at(head.sequence)
            assert quiet.ended is None
        # `_take` fails on a number that is missing or comes twice.
        for wanderer, relay in zip(wanderers, relays, strict=True):
            assert list(wanderer.events) == list(range(1, head.sequence + 1))
            assert len(wanderer.ends) >= MOVES
            # Nobody was seen to go.
            assert all((seat, False) not in wanderer.comings[wanderer.comings.index((seat, True)) :] for seat in (0, 1))
            # Each stream had a connection of its own, since the old one takes nothing new; else one would do for all.
            assert MOVES <= relay.connections <= len(wanderer.ends) + 1
        assert unmoved.connections == 1
        assert wanderers[0].events == wanderers[1].events


class Traveller:
    """Plays on sessions alone: opens another when one has ended, and sends again what was not answered.

    When everybody has had enough sessions he gives up.
    """

    everybody: "Sequence[Traveller]" = ()

    def __init__(self, client: Client, match_id: str) -> None:
        self.client = client
        self.match_id = match_id
        self.sequence = 0
        self.events: list[int] = []
        self.answers: dict[str, int] = {}
        self.ends: list[str] = []
        self._asked: match_service_pb2.SubmitActionRequest | None = None
        self._over = False

    async def play(self) -> None:
        """To the end of the match."""
        while not self._over:
            async with Session(self.client) as session:
                try:
                    await self._play(session)
                except grpc.aio.AioRpcError:
                    with contextlib.suppress(grpc.aio.AioRpcError):
                        await session.end()
                    # What was to be told was told first, and the watch has ended for the same reason. The session's own
                    # is lost on a client whose write it has crossed: grpc.aio says INTERNAL then.
                    self.ends += session.watch_ends(self.match_id)
                    self._take(session.about(self.match_id)[self._taken :])

    async def _play(self, session: Session) -> None:
        self._taken = 0
        await session.send(
            watch=match_service_pb2.WatchMatchRequest(match_id=self.match_id, after_sequence=self.sequence)
        )
        if self._asked is not None:
            await session.send(submit=self._asked)
        items = session.about(self.match_id)
        while not self._over:
            await session.until(lambda: len(items) > self._taken)
            if legal := self._take(items[self._taken :]):
                await asyncio.sleep(LIFE_SECONDS / 40)  # else the match would be over before a session is
                self._asked = match_service_pb2.SubmitActionRequest(
                    match_id=self.match_id, request_id=new_id(), expected_sequence=self.sequence
                )
                if all(len(traveller.ends) >= MOVES for traveller in self.everybody):
                    self._asked.resign.SetInParent()
                else:
                    self._asked.tonj.CopyFrom(legal[0])
                with contextlib.suppress(asyncio.InvalidStateError):  # it has ended meanwhile
                    await session.send(submit=self._asked)

    def _take(self, items: Any) -> Any:
        """What may be done by now, if it was not asked for yet."""
        legal: Any = ()
        for item in items:
            self._taken += 1
            if item.HasField("answer"):
                assert self._asked is not None
                assert item.answer.HasField("accepted"), item.answer.refused
                assert item.answer.request_id == self._asked.request_id
                self.answers[item.answer.request_id] = item.answer.accepted.sequence
                self._asked = None
            for event in item.update.events.events:
                assert event.sequence == self.sequence + 1
                self.sequence = event.sequence
                self.events.append(event.sequence)
                self._over = self._over or event.HasField("match_ended")
                legal = ()
            if item.update.HasField("events"):
                legal = item.update.events.legal_actions.tonj
        return legal if self._asked is None else ()


async def test_sessions_move_too_and_what_is_asked_is_done_once(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path, *MOVING) as process, contextlib.AsyncExitStack() as stack:
        match_id = await made(process)
        travellers, relays = [], []
        for client in await stack.enter_async_context(process.clients("alice", "badr")):
            own, relay = await watched_by_itself(stack, process, client)
            travellers.append(Traveller(own, match_id))
            relays.append(relay)
        for traveller in travellers:
            traveller.everybody = travellers
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(traveller.play() for traveller in travellers))
        for traveller, relay in zip(travellers, relays, strict=True):
            assert traveller.events == list(range(1, traveller.sequence + 1))
            assert set(traveller.ends) == {"STREAM_MOVED"}
            assert len(traveller.ends) >= MOVES
            assert MOVES <= relay.connections <= len(traveller.ends) + 1
        # What was answered was done once, and nothing else was done.
        (alice,) = await stack.enter_async_context(process.clients("alice"))
        replay = await alice.get_replay(match_id, page_size=5_000)
        assert [event.sequence for event in replay.events] == travellers[0].events


async def test_consumers_of_results_move_and_get_everything(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path, *MOVING) as process, process.matchmaker() as lobby:
        stub = matchmaking.MatchmakingServiceStub(lobby.channel)
        told: list[tuple[str, int]] = []
        matches: list[str] = []
        for move in range(MOVES):
            matches.append((await lobby.create_match(**two_players())).match_id)
            asked = matchmaking_service_pb2.WatchResultsRequest(consumer="ratings")
            with refused("STREAM_MOVED"):
                async for result in stub.WatchResults(asked, metadata=lobby.metadata, timeout=PATIENCE):
                    told.append((result.match.match_id, result.kind))
                    done = matchmaking_service_pb2.AckResultsRequest(consumer="ratings", cursor=result.cursor)
                    await stub.AckResults(done, metadata=lobby.metadata, timeout=PATIENCE)
            assert len(told) == 2 * (move + 1)
        assert [match_id for match_id, _ in told] == [match_id for match_id in matches for _ in range(2)]


async def test_those_who_came_together_do_not_go_together(tmp_path: pathlib.Path) -> None:
    """Each after a time of its own, of half the longest to all of it."""
    async with running(tmp_path, *MOVING) as process:
        match_id = await made(process)
        async with process.clients(*(f"guest-{number}" for number in range(60))) as guests:

            async def lived(guest: Client) -> float:
                call, begun = guest.watch(match_id), asyncio.get_running_loop().time()
                with refused("STREAM_MOVED"):
                    while await call.read() is not grpc.aio.EOF:
                        pass
                return asyncio.get_running_loop().time() - begun

            lives = sorted(await asyncio.gather(*map(lived, guests)))
        assert lives[0] >= 0.5 * LIFE_SECONDS
        # By chance it is narrower in one of some 10**13 runs.
        assert lives[-1] - lives[0] > 0.2 * LIFE_SECONDS

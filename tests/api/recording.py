"""A whole match of Trix over the wire, played once, and every message that came to each of those who saw it.

Some of them may be on play sessions; what is told them together is taken apart.
"""

import asyncio
import contextlib
import dataclasses
import pathlib
import random
from collections.abc import Callable, Container
from typing import Any

import grpc
import uvloop
from google.protobuf import message

from majlis.api.caller import Role
from majlis.v1 import match_pb2, match_service_pb2, trix_pb2
from tests.api.clients import Client, Play, Watcher, bearer
from tests.api.follower import Follower
from tests.api.refused import refused
from tests.api.serving import serving
from tests.api.session_client import Session
from tests.api.trix import NAMES, SPECTATOR, four_players

OPTIONS = trix_pb2.TrixOptions(
    choose_seconds=600, double_seconds=600, play_seconds=600, auto_play_delay_ms=1, away_delay_ms=200
)
GIVEN_UP = 2
"""The seat that is given up for a while."""


@dataclasses.dataclass(frozen=True)
class Heard:
    """One message as it came."""

    message: message.Message
    length: int
    """In bytes, on the wire."""


class Ear:
    """A channel that keeps whatever comes through it."""

    def __init__(self, channel: Any) -> None:
        self.heard: list[Heard] = []
        self._channel = channel

    def unary_unary(self, path: str, **how: Any) -> Any:
        return self._channel.unary_unary(path, **self._hearing(how))

    def unary_stream(self, path: str, **how: Any) -> Any:
        return self._channel.unary_stream(path, **self._hearing(how))

    def stream_stream(self, path: str, **how: Any) -> Any:
        read: Callable[[bytes], match_service_pb2.PlaySessionResponse] = how["response_deserializer"]

        def hear(text: bytes) -> message.Message:
            told, known = read(text), read(text)
            known.DiscardUnknownFields()
            assert known.ByteSize() == len(text), "there is something in it that the contract does not have"
            for item in told.items:
                part = item.answer.accepted if item.HasField("answer") else item.update
                if part.ByteSize():
                    self.heard.append(Heard(part, part.ByteSize()))
            return told

        return self._channel.stream_stream(path, **{**how, "response_deserializer": hear})

    def _hearing(self, how: dict[str, Any]) -> dict[str, Any]:
        read: Callable[[bytes], message.Message] = how["response_deserializer"]

        def hear(text: bytes) -> message.Message:
            told = read(text)
            self.heard.append(Heard(told, len(text)))
            return told

        return {**how, "response_deserializer": hear}


@dataclasses.dataclass(frozen=True)
class Recording:
    """What is left when the match is over."""

    followers: list[Follower]
    """By seat, and the spectator last."""
    heard: list[list[Heard]]
    """Of the same, in the order in which it came."""
    ended: list[match_service_pb2.GetMatchResponse]
    """What each sees in the end."""
    replay: match_service_pb2.GetReplayResponse
    answers: list[tuple[str, dict[str, Any], match_service_pb2.SubmitActionResponse]]
    """Who did what, and what he was told."""
    resumed: list[tuple[int, int, dict[int, bytes]]]
    """Place in `followers`, sequence after which somebody came back, and the events that he was sent."""


def played(data: pathlib.Path, sessions: Container[int] = ()) -> Recording:
    """Plays it on a server of its own; by place, who has a play session in place of calls and streams."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_played(data, sessions))


async def _played(data: pathlib.Path, sessions: Container[int]) -> Recording:
    async with serving(data, max_gap=100_000) as served, contextlib.AsyncExitStack() as open_sessions:
        match = await served.matchmaker.create_match(**four_players(options=OPTIONS))
        ears = [Ear(served.channel) for _ in range(5)]
        callers = [*((name, Role.PLAYER) for name in NAMES), (SPECTATOR, Role.SPECTATOR)]
        followers = []
        for place, (ear, (name, role)) in enumerate(zip(ears, callers, strict=True)):
            client = Client(ear, name, bearer(data, name, role))  # type: ignore[arg-type]
            if place in sessions:
                client = await open_sessions.enter_async_context(Session(client))
            followers.append(Follower(client, match.match_id))
        async with contextlib.AsyncExitStack() as stack:
            for follower in followers:
                await stack.enter_async_context(follower.watching(0))
            play = Play(followers, 7)
            await play.all_at(match.sequence)
            await _play(play, followers)
            for follower in followers:
                await follower.until(lambda follower=follower: isinstance(follower.ended, EOFError))  # type: ignore[misc]
        ended = [await follower.client.get_match(match.match_id) for follower in followers]
        resumed = await _resumed(followers, ended[0].match.sequence)
        for follower in followers[:4]:
            with refused("MATCH_OVER"):
                await follower.client.submit(match.match_id, resign={})
        heard = [list(ear.heard) for ear in ears]  # the replay, which comes now, hides nothing
        replay = await followers[-1].client.get_replay(match.match_id, page_size=5_000)
        answers = [(client.name, asked, answer) for client, asked, answer in play.acknowledged]
        return Recording(followers, heard, ended, replay, answers, resumed)


async def _play(play: Play, followers: list[Follower]) -> None:
    """To the end. On the way everybody looks now and then, and one seat is given up for some of the time."""
    chance, gone, back = random.Random(3), False, False
    for count in range(5_000):
        if count % 50 == 0:
            for follower in followers:
                await follower.client.get_match(follower.match_id)
        given_up = followers[GIVEN_UP]
        if count > 60 and not gone:
            answer = await given_up.client.submit(given_up.match_id, resign={})
            await play.all_at(answer.sequence)
            gone = True
        if gone and not back and count > 100 and given_up.legal:
            with contextlib.suppress(grpc.aio.AioRpcError):  # the server may be quicker; then at his next turn
                await play.act(given_up, chance.choice(given_up.legal))
            back = not given_up.picture.match.seats[GIVEN_UP].away
        if not await play.step():
            if followers[0].picture.match.status == match_pb2.MATCH_STATUS_ENDED:
                return
            await play.all_at(followers[0].sequence + 1)  # nobody may act but the server, for the seat that is given up
    raise AssertionError("it does not end")


async def _resumed(followers: list[Follower], head: int) -> list[tuple[int, int, dict[int, bytes]]]:
    """What those are sent who come back after some event."""
    chance, resumed = random.Random(5), []
    for place, follower in enumerate(followers):
        for after in (0, head - 1, *chance.sample(range(head), 2)):
            other = Watcher(follower.client, follower.match_id)
            other.sequence = after
            async with other.watching(after):
                await other.until(lambda other=other: other.sequence >= head)  # type: ignore[misc]
            resumed.append((place, after, other.events))
    return resumed

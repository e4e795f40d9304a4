"""What the server is compared with: the least that any gRPC server in Python would do for the same calls.

A bare grpc.aio server with the generated servicers, protobuf messages and a queue a stream or session. It knows no
rules, no callers, no interceptors and no disk: a move is answered from a script, and the script's updates go to both
players. The messages lie ready-made, which a real relay would have to build, so the comparison is hard on the server.
On a session each is put into an item, and each item is a message.
"""

import argparse
import asyncio
import itertools
import json
import pathlib
from collections.abc import AsyncIterator, Callable
from typing import Any, NoReturn

import grpc
import uvloop

from bench import script
from majlis.v1 import match_service_pb2 as messages
from majlis.v1 import match_service_pb2_grpc, matchmaking_service_pb2, matchmaking_service_pb2_grpc

Update = messages.WatchMatchResponse
Watcher = Callable[[Update | None], None]
"""Takes an update, or the end."""
Response = messages.PlaySessionResponse
Item = messages.SessionItem


class Scene:
    """A script with its messages read."""

    def __init__(self, written: script.Script) -> None:
        self.created = matchmaking_service_pb2.CreateMatchResponse.FromString(written.created)
        self.snapshots = [Update.FromString(snapshot) for snapshot in written.snapshots]
        self.steps = [
            (
                messages.SubmitActionResponse.FromString(step.answer),
                [Update.FromString(update) for update in step.updates],
            )
            for step in written.steps
        ]


class Stage:
    """A match that is played: where its script stands, and who watches."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.next = 0
        self.watching: list[Watcher] = []

    def play(self) -> messages.SubmitActionResponse:
        """The next step: both watchers get their updates, and after the last one the ends of their streams."""
        answer, updates = self.scene.steps[self.next]
        self.next += 1
        for watcher, update in zip(self.watching, updates, strict=True):
            watcher(update)
            if self.next == len(self.scene.steps):
                watcher(None)
        return answer

    def watch(self, watcher: Watcher) -> Update:
        """The first watcher is sent what seat 0 saw, the second what seat 1 saw; the snapshot."""
        self.watching.append(watcher)
        return self.scene.snapshots[len(self.watching) - 1]


class Relay(match_service_pb2_grpc.MatchServiceServicer, matchmaking_service_pb2_grpc.MatchmakingServiceServicer):
    """Both services, as far as the clients of the benchmark call them."""

    def __init__(self, scripts: list[script.Script]) -> None:
        self._scenes = itertools.cycle([Scene(written) for written in scripts])
        self._stages: dict[str, Stage] = {}

    async def CreateMatch(
        self, request: matchmaking_service_pb2.CreateMatchRequest, context: Any
    ) -> matchmaking_service_pb2.CreateMatchResponse:
        """A match that will go by the next script; the caller's own id names it."""
        stage = Stage(next(self._scenes))
        self._stages[request.external_id] = stage
        created = matchmaking_service_pb2.CreateMatchResponse()
        created.CopyFrom(stage.scene.created)
        created.match.match_id = request.external_id
        return created

    async def SubmitAction(self, request: messages.SubmitActionRequest, context: Any) -> messages.SubmitActionResponse:
        """The script's next step, whatever is asked."""
        return self._play(request.match_id)

    async def WatchMatch(self, request: messages.WatchMatchRequest, context: Any) -> AsyncIterator[Update]:
        """A watcher's queue."""
        queue: asyncio.Queue[Update | None] = asyncio.Queue()
        yield self._stages[request.match_id].watch(queue.put_nowait)
        while (update := await queue.get()) is not None:
            yield update

    async def PlaySession(
        self, request_iterator: AsyncIterator[messages.PlaySessionRequest], context: Any
    ) -> AsyncIterator[Response]:
        """Both of these, by one queue."""
        queue: asyncio.Queue[Response | None] = asyncio.Queue()

        async def listen() -> None:
            async for request in request_iterator:
                self._hear(request, lambda item: queue.put_nowait(Response(items=[item])))
            queue.put_nowait(None)

        listening = asyncio.create_task(listen())
        try:
            while (response := await queue.get()) is not None:
                yield response
        finally:
            listening.cancel()

    def _hear(self, request: messages.PlaySessionRequest, tell: Callable[[Item], None]) -> None:
        if request.HasField("submit"):
            match_id, request_id = request.submit.match_id, request.submit.request_id
            answer = messages.ActionAnswer(request_id=request_id, accepted=self._play(match_id))
            tell(Item(match_id=match_id, answer=answer))
            return
        match_id = request.watch.match_id

        def watcher(update: Update | None) -> None:
            if update is None:
                tell(Item(match_id=match_id, watch_end=messages.WatchEnd()))
            else:
                tell(Item(match_id=match_id, update=update))

        watcher(self._stages[match_id].watch(watcher))

    def _play(self, match_id: str) -> messages.SubmitActionResponse:
        stage = self._stages[match_id]
        answer = stage.play()
        if stage.next == len(stage.scene.steps):
            del self._stages[match_id]
        return answer

    async def _unknown(self, context: Any) -> NoReturn:
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "no client of the benchmark calls this")
        raise AssertionError("abort raises")

    async def GetMatch(self, request: messages.GetMatchRequest, context: Any) -> messages.GetMatchResponse:
        """Not here."""
        await self._unknown(context)

    async def ListMyMatches(
        self, request: messages.ListMyMatchesRequest, context: Any
    ) -> messages.ListMyMatchesResponse:
        """Not here."""
        await self._unknown(context)

    async def GetServerInfo(
        self, request: messages.GetServerInfoRequest, context: Any
    ) -> messages.GetServerInfoResponse:
        """Not here."""
        await self._unknown(context)

    async def GetReplay(self, request: messages.GetReplayRequest, context: Any) -> messages.GetReplayResponse:
        """Not here."""
        await self._unknown(context)

    def WatchResults(
        self, request: matchmaking_service_pb2.WatchResultsRequest, context: Any
    ) -> AsyncIterator[matchmaking_service_pb2.WatchResultsResponse]:
        """Not here."""
        raise NotImplementedError

    async def AckResults(
        self, request: matchmaking_service_pb2.AckResultsRequest, context: Any
    ) -> matchmaking_service_pb2.AckResultsResponse:
        """Not here."""
        await self._unknown(context)


async def serve(scripts: list[script.Script]) -> None:
    """Serves until the process is ended; prints where, as a JSON line."""
    relay = Relay(scripts)
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(relay, server)
    matchmaking_service_pb2_grpc.add_MatchmakingServiceServicer_to_server(relay, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(json.dumps({"listen": f"127.0.0.1:{port}"}), flush=True)
    await server.wait_for_termination()


def main() -> None:
    """Runs the relay."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("scripts", type=pathlib.Path)
    scripts = script.read(arguments.parse_args().scripts)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(scripts))


if __name__ == "__main__":
    main()

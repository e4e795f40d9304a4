"""A play session: one stream on which a client watches matches and plays in them. All of it means what the unary call
and the server stream mean, and comes from the same runtime.

What a client asks about one match is done in order, one thing after the other; matches do not wait for each other.
Bounded both ways: when too much is under way nothing more is read, and the actions of one match are but a part of that;
what is to be sent waits in `backlog`.
"""

import asyncio
import collections
import dataclasses
import functools
import itertools
from collections.abc import Awaitable, Callable

from majlis.api import items, language, methods, requests
from majlis.api.backlog import Backlog
from majlis.api.calls import Call, refusal_of
from majlis.api.line import Line
from majlis.match.refusal import Refusal
from majlis.ops.logging import About, about
from majlis.runtime.runtime import Runtime
from majlis.v1 import match_service_pb2 as messages

UNDER_WAY = 256
"""Requests of one session that are not done yet, or whose answer was not sent yet; no more are read meanwhile."""
ACTIONS_UNDER_WAY = 128
"""Of those, actions in one match; another one is refused with OVERLOADED, else it would keep out the other matches."""
WATCHES = 64
"""Matches that one session watches."""

_PLAYERS = methods.ROLES[f"/{methods.MATCH_SERVICE}/SubmitAction"] or frozenset()

_numbers = itertools.count(1)


@dataclasses.dataclass(frozen=True, slots=True)
class Job:
    """Something that the client asked for."""

    do: Callable[[], Awaitable[bytes]]
    """Does it; what the client is told, empty if nothing."""
    refused: Callable[[Refusal], bytes]
    """What the client is told if it cannot be done."""
    watching: bool = False
    """Whether it only says if the match is watched: of several of these in a row the last one counts."""


class Session:
    """One client's. It lives as long as `run`."""

    def __init__(self, runtime: Runtime, call: Call, line: Line) -> None:
        """Of this caller, on this line.

        Raises:
            Refusal: MALFORMED_REQUEST, for a device that is none.
        """
        self._runtime = runtime
        self._call = call
        self._player_id = call.caller.player_id
        self._language = language.preferred(call.header("accept-language"))
        # Without a device the session is one of its own, which no client can name: so its watch of a match gives way to
        # its next one, and not one of the player's other sessions.
        self._device = requests.device(call.header("device-id")) or f"\0{next(_numbers)}"
        self._line = line
        self._jobs: dict[str, collections.deque[Job]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(UNDER_WAY)
        self._backlog = Backlog(self._language, self._places.release)
        self._opening = 0
        self._closed = False
        self._leaving: Refusal | None = None
        self._end: Refusal | None = None

    async def run(self) -> None:
        """Serves until the client has closed its side and everything was answered.

        Raises:
            Refusal: why it ended otherwise.
        """
        self._line.on_leave = self._leave
        self._line.on_drain = lambda: self._finish(Refusal("DRAINING"))
        listening = asyncio.create_task(self._listen(), name="session-listen")
        listening.add_done_callback(self._done)
        try:
            while not self._closed:
                await self._backlog.something.wait()
                self._backlog.something.clear()
                while message := self._backlog.take():
                    await self._line.write(message)
            if self._end is not None:
                raise self._end
        finally:
            try:
                await _cancelled([listening, *self._tasks])
            finally:
                await self._backlog.aclose()

    async def _listen(self) -> None:
        """Takes what the client says, until it has closed its side or is to leave, and all of it is done."""
        try:
            while (request := await self._line.read()) is not None:
                await self._hear(request, self._line.now())
            while self._tasks:
                await asyncio.wait(self._tasks)
            if self._leaving is not None:
                self._backlog.end(self._leaving)
            self._finish(self._leaving)
        except Exception as error:
            self._finish(refusal_of(error))

    def _done(self, task: asyncio.Task[None]) -> None:
        """A task that something else than this session has cancelled would be missed for ever."""
        if task.cancelled():
            self._finish(Refusal("INTERNAL"))

    def _leave(self, why: Refusal) -> None:
        """Hears no more, answers what was heard, ends the watches once they were told, and then itself."""
        self._leaving = self._leaving or why
        self._line.hear_no_more()

    def _finish(self, end: Refusal | None) -> None:
        """Ends it, for the first reason that comes up, once what waits was told."""
        if not self._closed:
            self._closed, self._end = True, end
            self._backlog.something.set()

    async def _hear(self, request: bytes, received_ms: int) -> None:
        asked = requests.read(messages.PlaySessionRequest, request)
        match asked.WhichOneof("kind"):
            case "submit":
                match_id, request_id = _echoed(asked.submit.match_id), _echoed(asked.submit.request_id)
                do = functools.partial(self._submit, asked.submit, received_ms)
                refused = functools.partial(items.refused, match_id, request_id, language=self._language)
                await self._queue(match_id, Job(do, refused))
            case "watch":
                match_id = _echoed(asked.watch.match_id)
                refused = functools.partial(items.watch_end, match_id, language=self._language)
                await self._queue(match_id, Job(functools.partial(self._watch, asked.watch), refused, True))
            case "unwatch_match_id":
                match_id = _echoed(asked.unwatch_match_id)
                refused = functools.partial(items.watch_end, match_id, language=self._language)
                await self._queue(match_id, Job(functools.partial(self._unwatch, match_id), refused, True))
            case "token":
                self._line.renew(asked.token)
            case _:
                raise requests.malformed("kind", "is none that this server knows")

    async def _queue(self, match_id: str, job: Job) -> None:
        """Has it done behind what was asked about the same match before, unless so much of that is left already."""
        await self._places.acquire()
        jobs = self._jobs.get(match_id)
        if jobs is None:
            self._jobs[match_id] = collections.deque([job])
            task = asyncio.create_task(self._work(match_id), name="session-work")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(self._done)
        elif job.watching and jobs[-1].watching and len(jobs) > 1:  # the first is being done
            jobs[-1] = job
            self._places.release()
        elif job.watching or len(jobs) < ACTIONS_UNDER_WAY:
            jobs.append(job)
        else:
            self._backlog.answer(match_id, job.refused(Refusal("OVERLOADED")))

    async def _work(self, match_id: str) -> None:
        """Does what was asked about a match until nothing more is."""
        jobs = self._jobs[match_id]
        try:
            while jobs:
                job = jobs[0]
                self._is_about()
                try:
                    told = await job.do()
                except Exception as error:
                    told = job.refused(refusal_of(error))
                if told:
                    self._backlog.answer(match_id, told)
                else:
                    self._places.release()
                jobs.popleft()
            del self._jobs[match_id]
        except Exception as error:
            self._finish(refusal_of(error))

    # What a client asks for.

    async def _submit(self, asked: messages.SubmitActionRequest, received_ms: int) -> bytes:
        self._line.room.enter()
        try:
            if self._call.caller.role not in _PLAYERS:
                raise Refusal("ROLE_REQUIRED")
            submit = requests.submit(asked.SerializeToString())
            self._is_about(submit.match_id, submit.request_id)
            answer = await self._runtime.submit(self._player_id, submit, received_ms)
        finally:
            self._line.room.leave()
        return items.accepted(submit.match_id, submit.request_id, answer)

    async def _watch(self, asked: messages.WatchMatchRequest) -> bytes:
        before = self._backlog.leave(asked.match_id)
        self._opening += 1
        try:
            self._is_about(requests.match_id(asked.match_id))
            if self._backlog.watched + self._opening > WATCHES:
                raise Refusal("OVERLOADED")
            after = asked.after_sequence if asked.HasField("after_sequence") else None
            feed = await self._runtime.watch(
                self._player_id,
                asked.match_id,
                after,
                self._device,
                spectator_id=self._call.caller.spectator_id,
                await_rematch=asked.await_rematch,
            )
            feed.on_stall = self._line.let_go
            self._backlog.follow(asked.match_id, feed)
        finally:
            self._opening -= 1
            if before is not None:
                await before.aclose()
        return b""

    async def _unwatch(self, match_id: str) -> bytes:
        feed = self._backlog.leave(match_id)
        if feed is not None:
            await feed.aclose()
        return b""

    def _is_about(self, match_id: str = "", request_id: str = "") -> None:
        """For the log of the task that works for this match."""
        about.set(About(self._call.about.method, self._call.about.player, match_id, request_id))


def _echoed(given: str) -> str:
    """An id as the client is told it: cut if it is too long to be one, since what waits must stay small."""
    return given[: requests.LONGEST_ID]


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    """Cancels them, and waits for their ends."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

"""A play session: one stream on which a client watches matches and plays in them. All of it means what the unary call
and the server stream mean, and comes from the same runtime.

What a client asks about one match is done in order, one thing after the other; matches do not wait for each other.
Bounded both ways: when too much is under way nothing more is read, and what is to be sent waits in the feeds, whose
backlogs give way to snapshots. What waits is sent together.
"""

import asyncio
import collections
import functools
from collections.abc import Awaitable, Callable, Sequence

from majlis.api import errors, language, requests, wire
from majlis.api.calls import Call, Line, refusal_of
from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.v1 import match_service_pb2 as messages

UNDER_WAY = 64
"""Requests of one session that are not done yet, or whose answer was not sent yet; no more are read meanwhile."""
WATCHES = 64
"""Matches that one session watches."""
TOGETHER_BYTES = 32_768
"""When what is sent together is enough."""

_ITEM = messages.PlaySessionResponse.ITEMS_FIELD_NUMBER
_MATCH = messages.SessionItem.MATCH_ID_FIELD_NUMBER
_UPDATE = messages.SessionItem.UPDATE_FIELD_NUMBER
_ANSWER = messages.SessionItem.ANSWER_FIELD_NUMBER
_WATCH_END = messages.SessionItem.WATCH_END_FIELD_NUMBER
_REQUEST_ID = messages.ActionAnswer.REQUEST_ID_FIELD_NUMBER
_ACCEPTED = messages.ActionAnswer.ACCEPTED_FIELD_NUMBER
_REFUSED = messages.ActionAnswer.REFUSED_FIELD_NUMBER
_REASON = messages.WatchEnd.REASON_FIELD_NUMBER

Job = Callable[[], Awaitable[bytes | None]]
"""Something asked for; what the client is told of it, if anything."""


class Session:
    """One client's. It lives as long as `run`."""

    def __init__(self, runtime: Runtime, call: Call, line: Line) -> None:
        """Of this caller, on this line.

        Raises:
            Refusal: MALFORMED_REQUEST, for a device that is none.
        """
        self._runtime = runtime
        self._player_id = call.caller.player_id
        self._language = language.preferred(call.header("accept-language"))
        self._device = requests.device(call.header("device-id"))
        self._line = line
        self._jobs: dict[str, collections.deque[Job]] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(UNDER_WAY)
        self._feeds: dict[str, Feed] = {}
        self._ready: dict[str, Feed] = {}  # an ordered set: those that may have something to be sent
        self._said: collections.deque[bytes] = collections.deque()  # each has its place still
        self._something = asyncio.Event()
        self._closed = False
        self._end: Refusal | None = None

    async def run(self) -> None:
        """Serves until the client has closed its side and everything was answered.

        Raises:
            Refusal: why it ended otherwise.
        """
        self._line.on_drain = lambda: self._finish(Refusal("DRAINING"))
        sending = asyncio.create_task(self._send(), name="session-send")
        reading = asyncio.create_task(self._read(), name="session-read")
        try:
            await asyncio.wait([sending, reading], return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                reading.result()
                while self._workers:
                    await asyncio.wait(self._workers)
                self._finish(None)
            await sending
        finally:
            await _ended([sending, reading, *self._workers])
            for feed in list(self._feeds.values()):
                await feed.aclose()

    # What the client says.

    async def _read(self) -> None:
        while (request := await self._line.read()) is not None:
            received_ms = self._line.now()
            asked = requests.read(messages.PlaySessionRequest, request)
            match asked.WhichOneof("kind"):
                case "submit":
                    await self._queue(asked.submit.match_id, functools.partial(self._submit, asked.submit, received_ms))
                case "watch":
                    await self._queue(asked.watch.match_id, functools.partial(self._watch, asked.watch))
                case "unwatch_match_id":
                    match_id = asked.unwatch_match_id
                    await self._queue(match_id, functools.partial(self._unwatch, match_id))
                case "token":
                    self._line.renew(asked.token)
                case _:
                    raise requests.malformed("kind", "is none that this server knows")

    async def _queue(self, match_id: str, job: Job) -> None:
        """Has it done behind what was asked about the same match before."""
        await self._places.acquire()
        jobs = self._jobs.get(match_id)
        if jobs is not None:
            jobs.append(job)
            return
        self._jobs[match_id] = collections.deque([job])
        worker = asyncio.create_task(self._work(match_id), name="session-work")
        self._workers.add(worker)
        worker.add_done_callback(self._workers.discard)

    async def _work(self, match_id: str) -> None:
        jobs = self._jobs[match_id]
        try:
            while jobs:
                said = await jobs[0]()
                jobs.popleft()
                if said is None:
                    self._places.release()
                else:
                    self._said.append(_about(match_id, said))
                    self._something.set()
        finally:
            del self._jobs[match_id]

    async def _submit(self, asked: messages.SubmitActionRequest, received_ms: int) -> bytes:
        room = self._line.room
        try:
            room.enter()
            try:
                submit = requests.submit(asked.SerializeToString())
                answer = await self._runtime.submit(self._player_id, submit, received_ms)
            finally:
                room.leave()
            result = wire.field(_ACCEPTED, answer)
        except Exception as error:
            result = wire.field(_REFUSED, self._told(refusal_of(error)))
        return wire.field(_ANSWER, wire.text(_REQUEST_ID, asked.request_id) + result)

    async def _watch(self, asked: messages.WatchMatchRequest) -> bytes | None:
        match_id = asked.match_id
        await self._unwatch(match_id)
        try:
            if len(self._feeds) >= WATCHES:
                raise Refusal("OVERLOADED")
            after = asked.after_sequence if asked.HasField("after_sequence") else None
            feed = await self._runtime.watch(
                self._player_id,
                requests.match_id(match_id),
                after,
                self._device,
                await_rematch=asked.await_rematch,
            )
        except Exception as error:
            return self._watch_end(refusal_of(error))
        self._feeds[match_id] = feed
        feed.on_stall = self._line.let_go
        feed.on_ready = functools.partial(self._is_ready, match_id, feed)
        feed.on_ready()
        return None

    async def _unwatch(self, match_id: str) -> None:
        feed = self._feeds.pop(match_id, None)
        if feed is not None:
            self._ready.pop(match_id, None)
            feed.on_ready = None
            await feed.aclose()

    # What the client is told.

    async def _send(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while together := self._together():
                await self._line.write(together)
            if self._end is not None:
                raise self._end
            if self._closed:
                return

    def _together(self) -> bytes:
        """What waits, as one message: answers first, then an update of each match in turn."""
        items, size = [], 0
        while size < TOGETHER_BYTES and (self._said or self._ready):
            if self._said:
                item = self._said.popleft()
                self._places.release()
            else:
                item = self._next_update()
            if item:
                items.append(wire.field(_ITEM, item))
                size += len(item)
        return b"".join(items)

    def _next_update(self) -> bytes:
        """What the match sends that has waited longest; empty if nothing of it waits any more."""
        match_id = next(iter(self._ready))
        feed = self._ready.pop(match_id)
        try:
            update = feed.take()
        except StopAsyncIteration:
            del self._feeds[match_id]
            return _about(match_id, wire.field(_WATCH_END, b""))
        except Refusal as no:
            del self._feeds[match_id]
            return _about(match_id, self._watch_end(no))
        if update is None:
            return b""
        self._ready[match_id] = feed
        return _about(match_id, wire.field(_UPDATE, update))

    def _is_ready(self, match_id: str, feed: Feed) -> None:
        self._ready[match_id] = feed
        self._something.set()

    def _watch_end(self, why: Refusal) -> bytes:
        return wire.field(_WATCH_END, wire.field(_REASON, self._told(why)))

    def _told(self, refusal: Refusal) -> bytes:
        return errors.told(refusal, self._language).SerializeToString()

    def _finish(self, end: Refusal | None) -> None:
        self._closed, self._end = True, end
        self._something.set()


def _about(match_id: str, body: bytes) -> bytes:
    return wire.text(_MATCH, match_id) + body


async def _ended(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancels them, and waits for their ends."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

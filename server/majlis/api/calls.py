"""What surrounds every call: who it is, whether there is room, its metrics, log context and the status of its end.

One closure a method, made when the server is built: a chain of gRPC interceptors would cost each move several more
coroutines. Bytes go in and out unread. What a method does stands in the servicers, who may call it in `methods`.
"""

import asyncio
import contextlib
import dataclasses
import functools
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, NoReturn, Protocol, Self, TypeAlias

import grpc
import structlog

from majlis import _core
from majlis.api import errors, language, methods
from majlis.api.admission import Room, StreamRoom
from majlis.api.caller import NOBODY, Caller, Role
from majlis.api.identity import Identity
from majlis.api.line import Context, Hold, Line
from majlis.match.refusal import Refusal
from majlis.ops.call_metrics import CallMetrics
from majlis.ops.logging import About, about

log = structlog.get_logger(__name__)
_at_debug = logging.getLogger(__name__)

Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"
Metadata = Iterable[tuple[str, str | bytes]]

LAST_WORD_SECONDS = 1.0
"""How long a status may take to leave; a client that reads nothing would hold it up for ever."""


@dataclasses.dataclass(frozen=True, slots=True)
class Call:
    """One call, as a servicer sees it."""

    caller: Caller
    received_ms: int
    """When it arrived: the instant by which an action is in time or late."""
    about: About
    """For the log; the servicer adds the ids that it reads."""
    metadata: Metadata
    peer: Callable[[], str]
    """Where it comes from, as gRPC writes that. Asked for only where it matters: moves go without."""

    def header(self, name: str) -> str | None:
        """A metadata value, if there is one and it is text."""
        return _header(self.metadata, name)


class Updates(Protocol):
    """What a watcher is sent: ready-made messages, until there are no more."""

    on_stall: Callable[[], None] | None
    """To be called when the watcher has read nothing for so long that it is let go."""

    def end(self, refusal: Refusal) -> None:
        """Ends it with a refusal, once what waits was read."""

    def __aiter__(self) -> Self:
        """Itself."""

    async def __anext__(self) -> bytes:
        """The next message."""

    async def aclose(self) -> None:
        """Lets go of it. Safe to call twice."""


class Calls:
    """Makes gRPC handlers of servicers' methods."""

    def __init__(
        self,
        identity: Identity,
        room: Room,
        streams: StreamRoom,
        metrics: CallMetrics,
        now: Callable[[], int],
        *,
        stall_seconds: float,
        stream_seconds: float = 0.0,
    ) -> None:
        """Streams are told to go elsewhere after half of `stream_seconds` to all of it; never, if that is 0."""
        self._identity = identity
        self._room = room
        self._streams = streams
        self._metrics = metrics
        self._now = now
        self._stall_seconds = stall_seconds
        self._stream_seconds = stream_seconds
        self._lines: set[Line] = set()
        self._closed = False

    def close(self) -> None:
        """From now on no session is opened."""
        self._closed = True

    def ends(self) -> list[Callable[[], None]]:
        """What ends the sessions that are open, one each, once they were told what waits for them."""
        return [functools.partial(line.leave, Refusal("DRAINING")) for line in self._lines]

    def drain(self) -> None:
        """Ends the sessions that are left, once they were told what is known."""
        for line in list(self._lines):
            line.on_drain()

    def unary(self, path: str, answer: Callable[[Call, bytes], Awaitable[bytes]]) -> Handler:
        """The handler of a method that answers once.

        Raises:
            KeyError: nobody said who may call it.
        """
        roles = methods.ROLES[path]
        begun, ended = self._metrics.of("unary", *path[1:].split("/"))

        async def serve(request: bytes, context: Context) -> bytes:
            begin = time.perf_counter()
            begun()
            code = "CANCELLED"
            try:
                self._room.enter()
                try:
                    response = await answer(self._call(path, roles, context), request)
                finally:
                    self._room.leave()
                code = "OK"
                return response
            except Exception as error:
                refusal = refusal_of(error)
                code = errors.code(refusal).name
                await _abort(refusal, context)
            finally:
                ended(code, time.perf_counter() - begin)

        return grpc.unary_unary_rpc_method_handler(serve)

    def stream(self, path: str, watch: Callable[[Call, bytes], Awaitable[Updates]]) -> Handler:
        """The handler of a method that sends updates, at the longest until the caller's token expires.

        Raises:
            KeyError: nobody said who may call it.
        """

        async def send(call: Call, request: bytes, context: Context) -> None:
            updates = await watch(call, request)
            try:
                hold = Hold(self._seconds_left(call.caller))
                async with hold.held():
                    updates.on_stall = hold.let_go
                    with self._moved_on(updates.end):
                        async for update in updates:
                            await context.write(update)
            finally:
                await updates.aclose()

        return grpc.unary_stream_rpc_method_handler(self._streamed(path, "server_stream", send))

    def session(self, path: str, serve: Callable[[Call, Line], Awaitable[None]]) -> Handler:
        """The handler of a method on which both sides speak, at the longest until the caller's last token expires.

        Raises:
            KeyError: nobody said who may call it.
        """

        async def speak(call: Call, _: object, context: Context) -> None:
            if self._closed:
                raise Refusal("DRAINING")
            hold = Hold(self._seconds_left(call.caller))
            line = Line(
                context,
                self._room,
                self._now,
                renew=lambda token: hold.extend(self._seconds_left(self._same(call.caller, token))),
                let_go=hold.let_go,
                stall_seconds=self._stall_seconds,
            )
            self._lines.add(line)
            try:
                async with hold.held():
                    with self._moved_on(line.leave):
                        await serve(call, line)
            finally:
                self._lines.discard(line)

        return grpc.stream_stream_rpc_method_handler(self._streamed(path, "bidi_stream", speak))

    @contextlib.contextmanager
    def _moved_on(self, end: Callable[[Refusal], None]) -> Iterator[None]:
        """A stream inside is ended when it has been open for long, so that it may go to another server or connection.

        After a time of its own: those that came together do not go together.
        """
        if not self._stream_seconds:
            yield
            return
        seconds = random.uniform(self._stream_seconds / 2, self._stream_seconds)  # noqa: S311 — no secret
        timer = asyncio.get_running_loop().call_later(seconds, end, Refusal("STREAM_MOVED"))
        try:
            yield
        finally:
            timer.cancel()

    def _streamed(
        self, path: str, kind: str, serve: Callable[[Call, Any, Context], Awaitable[None]]
    ) -> Callable[[Any, Context], Awaitable[None]]:
        """What a method does that has a place among the streams; it is served until it returns."""
        roles = methods.ROLES[path]
        begun, ended = self._metrics.of(kind, *path[1:].split("/"))

        # A cancellation passes through: swallowed, it would leak in grpc.aio (grpc/grpc#43360).
        async def answer(request: Any, context: Context) -> None:
            begin = time.perf_counter()
            begun()
            code = "CANCELLED"
            try:
                call = self._call(path, roles, context)
                self._streams.enter_for(call.caller)
                try:
                    await serve(call, request, context)
                finally:
                    self._streams.leave_for(call.caller)
                code = "OK"
            except Exception as error:
                refusal = refusal_of(error)
                code = errors.code(refusal).name
                await _abort(refusal, context)
            finally:
                ended(code, time.perf_counter() - begin)

        return answer

    def _call(self, path: str, roles: frozenset[Role] | None, context: Context) -> Call:
        call_about = About(path)
        about.set(call_about)
        metadata: Metadata = context.invocation_metadata() or ()
        if roles is None:
            return Call(NOBODY, self._now(), call_about, metadata, context.peer)
        caller = self._identity.caller(_header(metadata, "authorization"))
        call_about.player = caller.subject
        if caller.role not in roles:
            raise Refusal("ROLE_REQUIRED")
        return Call(caller, self._now(), call_about, metadata, context.peer)

    def _same(self, caller: Caller, token: str) -> Caller:
        """The caller by a fresh token.

        Raises:
            Refusal: it is none, or another's.
        """
        fresh = self._identity.caller(f"Bearer {token}")
        if (fresh.subject, fresh.role) != (caller.subject, caller.role):
            raise Refusal("TOKEN_INVALID")
        return fresh

    def _seconds_left(self, caller: Caller) -> float:
        return (caller.expires_ms - self._now()) / 1000


def refusal_of(error: Exception) -> Refusal:
    """The error itself when it is one; else `INTERNAL`, and the log tells where it came from."""
    if isinstance(error, Refusal):
        if not _at_debug.isEnabledFor(logging.DEBUG):
            return error  # structlog finds out only after it has built the line
        if error.reason in _core.RULE_REASONS:
            # The reason would tell of this player's hand, or that he has answered. Metrics count it, and name nobody.
            log.debug("refused by the rules")
        else:
            log.debug("refused", reason=error.reason)
        return error
    log.error("a call failed", exc_info=error)
    return Refusal("INTERNAL")


async def _abort(refusal: Refusal, context: Context) -> NoReturn:
    accepted = _header(context.invocation_metadata() or (), "accept-language")
    try:
        async with asyncio.timeout(LAST_WORD_SECONDS):
            await context.abort_with_status(errors.status(refusal, language.preferred(accepted)))
    except TimeoutError:
        # gRPC resets a call whose handler is cancelled; after any other error it would wait for the client again.
        raise asyncio.CancelledError from None


def _header(metadata: Metadata, name: str) -> str | None:
    for key, value in metadata:
        if key == name:
            return value if isinstance(value, str) else None
    return None

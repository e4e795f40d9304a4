"""What surrounds every call: who it is, whether there is room, its metrics, log context and the status of its end.

One closure a method, made when the server is built: a chain of gRPC interceptors would cost each move several more
coroutines. Bytes go in and out unread. What a method does stands in the servicers, who may call it in `methods`.
"""

import asyncio
import contextlib
import dataclasses
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import NoReturn, Protocol, Self, TypeAlias

import grpc
import structlog

from majlis import _core
from majlis.api import errors, language, methods
from majlis.api.admission import Room, StreamRoom
from majlis.api.caller import NOBODY, Caller, Role
from majlis.api.identity import Identity
from majlis.match.refusal import Refusal
from majlis.ops.call_metrics import CallMetrics
from majlis.ops.logging import About, about

log = structlog.get_logger(__name__)

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"
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

    def __aiter__(self) -> Self:
        """Itself."""

    async def __anext__(self) -> bytes:
        """The next message."""

    async def aclose(self) -> None:
        """Lets go of it. Safe to call twice."""


class Line:
    """A stream that goes both ways, as a servicer sees it."""

    def __init__(self, context: Context, room: Room, now: Callable[[], int], renew: Callable[[str], None]) -> None:
        self.room = room
        """For what would be a unary call elsewhere."""
        self.now = now
        self.renew = renew
        """Takes a fresh token of the same caller; raises a `Refusal` if it is none."""
        self.let_go: Callable[[], None] = lambda: None
        """Ends it, since nothing was read for too long."""
        self.on_drain: Callable[[], None] = lambda: None
        """Called when the server stops."""
        self._context = context

    async def read(self) -> bytes | None:
        """The client's next message; None once it has closed its side."""
        message: object = await self._context.read()
        return message if isinstance(message, bytes) else None

    async def write(self, message: bytes) -> None:
        """Sends a message; waits while the client reads too slowly."""
        await self._context.write(message)


@dataclasses.dataclass(slots=True)
class _Hold:
    """On a stream that is being served."""

    task: "asyncio.Task[None] | None"
    expiry: asyncio.Timeout
    stalled: bool = False

    def let_go(self) -> None:
        """Ends it, since nothing was read for too long."""
        if self.task is not None and not self.stalled:
            self.stalled = True
            self.task.cancel()


class Calls:
    """Makes gRPC handlers of servicers' methods."""

    def __init__(
        self, identity: Identity, room: Room, streams: StreamRoom, metrics: CallMetrics, now: Callable[[], int]
    ) -> None:
        self._identity = identity
        self._room = room
        self._streams = streams
        self._metrics = metrics
        self._now = now
        self._lines: set[Line] = set()

    def drain(self) -> None:
        """Ends every session once it was told what waits for it."""
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
        roles = methods.ROLES[path]
        begun, ended = self._metrics.of("server_stream", *path[1:].split("/"))

        # A cancellation passes through: swallowed, it would leak in grpc.aio (grpc/grpc#43360).
        async def serve(request: bytes, context: Context) -> None:
            begin = time.perf_counter()
            begun()
            code = "CANCELLED"
            try:
                call = self._call(path, roles, context)
                self._streams.enter_for(call.caller)
                try:
                    await self._send(await watch(call, request), call.caller, context)
                finally:
                    self._streams.leave_for(call.caller)
                code = "OK"
            except Exception as error:
                refusal = refusal_of(error)
                code = errors.code(refusal).name
                await _abort(refusal, context)
            finally:
                ended(code, time.perf_counter() - begin)

        return grpc.unary_stream_rpc_method_handler(serve)

    def session(self, path: str, serve: Callable[[Call, Line], Awaitable[None]]) -> Handler:
        """The handler of a method on which both sides speak, at the longest until the caller's last token expires.

        Raises:
            KeyError: nobody said who may call it.
        """
        roles = methods.ROLES[path]
        begun, ended = self._metrics.of("bidi_stream", *path[1:].split("/"))

        async def hold(_: object, context: Context) -> None:
            begin = time.perf_counter()
            begun()
            code = "CANCELLED"
            try:
                call = self._call(path, roles, context)
                self._streams.enter_for(call.caller)
                try:
                    await self._hold(serve, call, context)
                finally:
                    self._streams.leave_for(call.caller)
                code = "OK"
            except Exception as error:
                refusal = refusal_of(error)
                code = errors.code(refusal).name
                await _abort(refusal, context)
            finally:
                ended(code, time.perf_counter() - begin)

        return grpc.stream_stream_rpc_method_handler(hold)

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

    async def _send(self, updates: Updates, caller: Caller, context: Context) -> None:
        try:
            async with self._held(caller) as hold:
                updates.on_stall = hold.let_go
                async for update in updates:
                    await context.write(update)
        finally:
            await updates.aclose()

    async def _hold(self, serve: Callable[[Call, Line], Awaitable[None]], call: Call, context: Context) -> None:
        async with self._held(call.caller) as hold:

            def renew(token: str) -> None:
                caller = self._identity.caller(f"Bearer {token}")
                if (caller.subject, caller.role) != (call.caller.subject, call.caller.role):
                    raise Refusal("TOKEN_INVALID")
                hold.expiry.reschedule(asyncio.get_running_loop().time() + self._seconds_left(caller))

            line = Line(context, self._room, self._now, renew)
            line.let_go = hold.let_go
            self._lines.add(line)
            try:
                await serve(call, line)
            finally:
                self._lines.discard(line)

    @contextlib.asynccontextmanager
    async def _held(self, caller: Caller) -> AsyncIterator[_Hold]:
        """Until the caller's token expires, or he is let go.

        Raises:
            Refusal: TOKEN_EXPIRED or STREAM_STALLED.
        """
        hold = _Hold(asyncio.current_task(), asyncio.timeout(self._seconds_left(caller)))
        try:
            async with hold.expiry:
                yield hold
        except TimeoutError:
            if hold.expiry.expired():
                raise Refusal("TOKEN_EXPIRED") from None
            raise
        except asyncio.CancelledError:
            if hold.stalled and hold.task is not None and hold.task.uncancel() == 0:
                raise Refusal("STREAM_STALLED") from None
            raise

    def _seconds_left(self, caller: Caller) -> float:
        return (caller.expires_ms - self._now()) / 1000


def refusal_of(error: Exception) -> Refusal:
    """The error itself when it is one; else `INTERNAL`, and the log tells where it came from."""
    if isinstance(error, Refusal):
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

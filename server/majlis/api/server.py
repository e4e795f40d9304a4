"""The gRPC server: its options, its services beside health and reflection, and its life from binding to the last call.

What each service does stands in the file of its name; what surrounds each call, in `calls`.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Protocol

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from majlis.api.admission import Room, StreamRoom
from majlis.api.calls import Calls, Handler
from majlis.api.guesses import Guesses
from majlis.api.identity import Identity
from majlis.api.lobby_service import LobbyService
from majlis.api.match_service import MatchService
from majlis.api.matchmaking_service import MatchmakingService
from majlis.api.methods import LOBBY_SERVICE, MATCH_SERVICE, MATCHMAKING_SERVICE, STAKE_SERVICE
from majlis.api.offers import Offers
from majlis.api.stake_service import StakeService
from majlis.ops.address import Address
from majlis.ops.call_metrics import CallMetrics
from majlis.runtime.runtime import Runtime

SERVICES = (MATCH_SERVICE, LOBBY_SERVICE, MATCHMAKING_SERVICE, STAKE_SERVICE)
WHOLE_SERVER = ""
"""The health service's name for all of it."""
_CUT_OFF_SECONDS = 0.2
_QUIET_SECONDS = 0.2
"""Calls that were on their way at the stop arrive within it and get their typed refusal; later ones gRPC turns away."""
_LAST_STREAM_MS = 60_000
"""After the longest life of a stream, for one that is read slowly to its end."""


class Service(Protocol):
    """What answers the calls of one service."""

    def handlers(self, calls: Calls) -> dict[str, Handler]:
        """Handlers by method name."""


class AddressTaken(Exception):
    """The address cannot be listened on."""


class Server:
    """Serves one runtime at one address."""

    def __init__(
        self,
        runtime: Runtime,
        identity: Identity,
        room: Room,
        streams: StreamRoom,
        metrics: CallMetrics,
        now: Callable[[], int],
        *,
        offers: Offers,
        guesses: Guesses,
        max_message_bytes: int,
        stall_seconds: float,
        stream_seconds: float,
    ) -> None:
        """A server that was not started yet; streams live for `stream_seconds` at the longest, unless that is 0."""
        self._room = room
        self._streams = streams
        self._server = grpc.aio.server(options=_options(max_message_bytes, stream_seconds))
        self._going: asyncio.Task[None] | None = None
        self._health = health.aio.HealthServicer()
        self._calls = calls = Calls(
            identity, room, streams, metrics, now, stall_seconds=stall_seconds, stream_seconds=stream_seconds
        )
        services: dict[str, Service] = {
            MATCH_SERVICE: MatchService(runtime),
            LOBBY_SERVICE: LobbyService(runtime.lobby, offers, guesses),
            MATCHMAKING_SERVICE: MatchmakingService(runtime),
            STAKE_SERVICE: StakeService(runtime.lobby),
        }
        self._server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(name, service.handlers(calls)) for name, service in services.items()]
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection([*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server)

    async def start(self, address: Address) -> Address:
        """Listens, answers calls, and calls itself healthy.

        Returns:
            The address with the port that was chosen.

        Raises:
            AddressTaken: it cannot be listened on.
        """
        try:
            port = self._server.add_insecure_port(str(address))
        except RuntimeError:
            raise AddressTaken(f"cannot listen on {address}: taken, or not an address of this machine") from None
        await self._server.start()
        for service in (WHOLE_SERVER, *SERVICES):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        return Address(address.host, port)

    async def leave_balancing(self) -> None:
        """Calls itself unhealthy, for good, and opens no more sessions; calls are still answered."""
        self._calls.close()
        await self._health.enter_graceful_shutdown()

    async def send_away(self, grace_seconds: float) -> None:
        """Tells every connection that whatever comes next has to go elsewhere (GOAWAY), and listens no more.

        What is open on them goes on. Calls on their way are let in before, to be told why they are refused.
        """
        await asyncio.sleep(min(_QUIET_SECONDS, grace_seconds))
        self._going = asyncio.create_task(self._server.stop(grace_seconds))
        await asyncio.sleep(0)  # it is sent within its first step

    def ends(self) -> list[Callable[[], None]]:
        """What ends the sessions that are open, one each."""
        return self._calls.ends()

    async def stop(self, grace_seconds: float) -> None:
        """Waits for the calls in work to end, then cuts off what is left, such as watchers of health."""
        end = asyncio.get_running_loop().time() + grace_seconds
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(end):
                await self._room.emptied()
        self._calls.drain()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(end):
                await self._streams.emptied()
        await self._server.stop(_CUT_OFF_SECONDS)
        if self._going is not None:
            await self._going


def _options(max_message_bytes: int, stream_seconds: float) -> list[tuple[str, int]]:
    options = [
        # Else a second server on this machine binds the same port and takes half the connections.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", max_message_bytes),
        # Below it calls queue silently in the client; `admission` is what bounds them.
        ("grpc.max_concurrent_streams", 1_000),
        # When everybody comes back at once: beyond it gRPC ends calls without a word. `admission` has one for them.
        ("grpc.server.max_pending_requests", 20_000),
        ("grpc.server.max_pending_requests_hard_limit", 40_000),
        # Finds connections that are gone without a word, and lets clients find ours.
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]
    if stream_seconds:
        # GOAWAY to each connection, which gRPC moves by a tenth either way: before the first of its streams ends, so
        # that whoever opens it again takes another. The rest is cut off after the last of them has ended.
        options.append(("grpc.max_connection_age_ms", max(1, int(stream_seconds * 400))))
        options.append(("grpc.max_connection_age_grace_ms", int(stream_seconds * 1_000) + _LAST_STREAM_MS))
    return options

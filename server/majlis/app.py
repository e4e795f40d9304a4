"""The server put together: which part gets which, the order in which they start, and the order in which they stop.

Nothing is decided here about matches, calls or metrics.
"""

import asyncio
import contextlib
import dataclasses
import json
import pathlib
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import prometheus_client
import structlog
import uvloop

import majlis
from majlis import _core
from majlis.api import dev_identity, issuer_file, offers
from majlis.api.admission import Room, StreamRoom
from majlis.api.guesses import Guesses
from majlis.api.identity import Identity, Issuer
from majlis.api.server import AddressTaken, Server
from majlis.ops import logging
from majlis.ops.address import Address
from majlis.ops.call_metrics import CallMetrics
from majlis.ops.match_metrics import MatchMetrics
from majlis.ops.metrics_port import MetricsPort
from majlis.ops.settings import Settings, WrongSetting
from majlis.runtime import draining
from majlis.runtime.limits import Limits
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.store.open import migrate as migrate_store
from majlis.store.open import open_store

log = structlog.get_logger(__name__)


class CannotStart(Exception):
    """What stands in the way, in one line."""


@dataclasses.dataclass(frozen=True, slots=True)
class Addresses:
    """Where a server answers, with the ports that were chosen."""

    listen: Address
    metrics: Address


def run(settings: Settings, ready_file: pathlib.Path | None) -> None:
    """Serves until SIGTERM or SIGINT; a second signal ends the process at once.

    Args:
        settings: the operator's.
        ready_file: written once calls are answered: JSON with the addresses `listen` and `metrics`.

    Raises:
        CannotStart: nothing was served, and no file of others was touched.
        WrongSetting: a setting fits nothing that is there.
    """
    logging.configure(settings.log_format, settings.log_level)
    loop_factory = uvloop.new_event_loop if settings.uvloop else None
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_until_told(settings, ready_file))


def migrate(settings: Settings) -> int:
    """Brings the store up to date.

    Returns:
        The schema's version after it.

    Raises:
        CannotStart: the store cannot be opened; nothing of it was changed.
    """
    with _store_faults(settings):
        return migrate_store(settings.store_url)


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@contextlib.asynccontextmanager
async def running(settings: Settings, now: Callable[[], int] = wall_clock) -> AsyncIterator[Addresses]:
    """A server that answers inside the `async with`, and at its end stops in order.

    First it calls itself unhealthy; then watchers get notice, the calls in work end, connections are told to go
    elsewhere, and the streams end one after the other; the store is last.

    Raises:
        CannotStart: something stands in the way; what had been opened is closed again.
        WrongSetting: a setting fits nothing that is there.
    """
    async with contextlib.AsyncExitStack() as stack:
        issuer = _issuer(settings)
        tables = _offers(settings)
        registry = _registry()
        store = _open_store(settings)
        stack.push_async_callback(store.close)
        metrics = _open_metrics(settings, registry)
        stack.callback(metrics.close)
        sealer = _core.Sealer(
            {name: key.get_secret_value() for name, key in settings.seal_keys.items()}, settings.sealing_key
        )
        runtime = Runtime(store, sealer, now=now, observer=MatchMetrics(registry), limits=_limits(settings))
        try:
            await runtime.start()
        except protocol.Unavailable as error:
            raise CannotStart(str(error)) from None
        server = Server(
            runtime,
            Identity(issuer, now),
            Room(settings.max_calls),
            StreamRoom(settings.max_streams, settings.max_streams_per_player),
            CallMetrics(registry),
            now,
            offers=tables,
            guesses=Guesses(settings.rooms_guesses, settings.rooms_guesses_address),
            max_message_bytes=settings.max_message_bytes,
            stall_seconds=settings.stall_seconds,
            stream_seconds=settings.stream_minutes * 60,
        )
        try:
            address = await server.start(Address.parse(settings.listen))
        except AddressTaken as error:
            await runtime.stop()
            raise CannotStart(str(error)) from None
        try:
            yield Addresses(address, metrics.address)
        finally:
            end = time.monotonic() + settings.grace_seconds
            await server.leave_balancing()
            await asyncio.gather(runtime.close(), server.send_away(settings.grace_seconds))
            await draining.spread([*runtime.ends(), *server.ends()], settings.spread_seconds)
            await runtime.stop()
            await server.stop(max(0.0, end - time.monotonic()))


async def _until_told(settings: Settings, ready_file: pathlib.Path | None) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_log_unhandled)
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    async with running(settings) as addresses:
        where = {"listen": str(addresses.listen), "metrics": str(addresses.metrics)}
        if ready_file is not None:
            _write_whole(ready_file, json.dumps(where) + "\n")
        log.info(f"serving on {addresses.listen}", **where, version=majlis.__version__)
        if settings.dev_identity and not addresses.listen.is_loopback:
            log.warning("development identity beyond this machine: whoever can read the data directory can be anybody")
        await told.wait()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
            # Python's own answer to an interrupt is an exception, in the middle of whatever runs.
            signal.signal(number, signal.SIG_DFL)
        log.info("stopping", grace_seconds=settings.grace_seconds)
    log.info("stopped")


def _write_whole(path: pathlib.Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.new")
    try:
        draft.write_text(text)
        draft.replace(path)
    except OSError as error:
        raise CannotStart(f"{path}: {error.strerror}") from None


def _issuer(settings: Settings) -> Issuer:
    try:
        if settings.dev_identity:
            return dev_identity.issuer(settings.data)
        if settings.identity_keys is not None:
            return issuer_file.issuer(settings.identity_keys, settings.identity_issuer, settings.identity_audience)
    except (dev_identity.BadKey, issuer_file.BadKeys) as error:
        raise CannotStart(str(error)) from None
    raise WrongSetting("whose tokens count? Give --identity-keys, or for development --dev-identity")


def _offers(settings: Settings) -> offers.Offers:
    try:
        return offers.offers(settings.tables)
    except offers.BadTable as error:
        raise WrongSetting(str(error)) from None


def _open_store(settings: Settings) -> protocol.Store:
    with _store_faults(settings):
        return open_store(settings.store_url, linger_ms=settings.linger_ms)


@contextlib.contextmanager
def _store_faults(settings: Settings) -> Iterator[None]:
    try:
        if settings.is_embedded:
            settings.data.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise CannotStart(f"{settings.data}: {error.strerror}") from None
    except (protocol.Foreign, protocol.Unavailable) as error:
        raise CannotStart(str(error)) from None


def _open_metrics(settings: Settings, registry: prometheus_client.CollectorRegistry) -> MetricsPort:
    try:
        return MetricsPort(Address.parse(settings.metrics), registry)
    except OSError as error:
        raise CannotStart(f"cannot listen on {settings.metrics} for metrics: {error.strerror}") from None


def _registry() -> prometheus_client.CollectorRegistry:
    registry = prometheus_client.CollectorRegistry()
    prometheus_client.ProcessCollector(registry=registry)
    prometheus_client.GCCollector(registry=registry)
    build = prometheus_client.Info("majlis_build", "The program that runs.", registry=registry)
    build.info({"version": majlis.__version__, "rules_versions": ",".join(_core.RULES_VERSIONS)})
    return registry


def _limits(settings: Settings) -> Limits:
    return Limits(
        queue_length=settings.queue_length,
        feed_length=settings.feed_length,
        max_gap=settings.max_gap,
        loaded=settings.max_loaded,
        heartbeat_seconds=settings.heartbeat_seconds,
        presence_grace_seconds=settings.presence_grace_seconds,
        stall_seconds=settings.stall_seconds,
        idle_seconds=settings.idle_seconds,
        grace_seconds=settings.grace_seconds - settings.spread_seconds,
        drain_seconds=settings.spread_seconds,
        stakes_seconds=settings.stakes_seconds if settings.stakes_confirmation == "required" else 0.0,
        tables_seconds=settings.tables_seconds,
        rooms_seconds=settings.rooms_seconds,
        rematch_seconds=settings.rematch_seconds,
        rematch_stay_seconds=settings.rematch_stay_seconds,
    )


def _log_unhandled(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    # The context's message quotes the exception; only its type and place are logged.
    log.error("unhandled in the event loop", exc_info=context.get("exception"))

"""A server under load as those see it who load it: its address, tokens for it, its metrics and its memory."""

import asyncio
import contextlib
import dataclasses
import json
import pathlib
import time
import urllib.request
from collections.abc import Callable, Iterator

import grpc
from prometheus_client.parser import text_string_to_metric_families

from bench import programs
from bench.players import Caller
from majlis.api import dev_identity
from majlis.api.caller import Role

STREAMS_A_CONNECTION = 80
"""Streams that share a connection where nobody needs one of his own; servers allow a hundred or so."""
SETTLED_SECONDS = 30.0
POLL_SECONDS = 0.1
STREAMS = ("server_stream", "bidi_stream")


@dataclasses.dataclass(frozen=True, slots=True)
class Counts:
    """What is open at a server."""

    feeds: int
    streams: int
    """Calls of streams that have begun and not ended."""
    loaded: int
    """Matches in memory."""


@dataclasses.dataclass(frozen=True)
class Site:
    """One server."""

    address: str
    metrics: str
    data: pathlib.Path
    resident: Callable[[], int]
    """Its memory that is not swapped out, in bytes."""
    cpu_seconds: Callable[[], float] = time.process_time
    """Processor time that it has taken."""
    _tokens: dict[tuple[str, Role], str] = dataclasses.field(default_factory=dict)
    """Whoever comes again has the same token: servers remember those that they have verified."""

    def caller(self, name: str, role: Role = Role.PLAYER, channel: grpc.aio.Channel | None = None) -> Caller:
        """Somebody with a token; on a connection of his own, or on one that is given."""
        token = self._tokens.get((name, role)) or dev_identity.token(self.data, name, role, hours=24.0)
        self._tokens[name, role] = token
        return Caller(self.address, name, token, channel)

    def matchmaker(self) -> Caller:
        """Who makes the matches."""
        return self.caller("lobby", Role.MATCHMAKER)

    def crowd(self) -> "Crowd":
        """Callers by the thousand."""
        return Crowd(self)

    async def scrape(self) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
        """All samples by name and labels."""

        def fetch() -> str:
            with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=10) as answer:
                return str(answer.read().decode())

        families = text_string_to_metric_families(await asyncio.to_thread(fetch))
        return {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in families
            for sample in family.samples
        }

    async def value(self, name: str, **labels: str) -> float:
        """The sum over the samples that have these labels."""
        samples = await self.scrape()
        return sum(number for (other, had), number in samples.items() if other == name and labels.items() <= had)

    async def counts(self) -> Counts:
        """What is open now."""
        samples = await self.scrape()
        total = {name: 0.0 for name, _ in samples}
        streams = 0.0
        for (name, labels), number in samples.items():
            total[name] += number
            if dict(labels).get("grpc_type") in STREAMS:
                streams += number * {"grpc_server_started_total": 1, "grpc_server_handled_total": -1}.get(name, 0)
        feeds, loaded = total.get("majlis_feeds_open", 0.0), total.get("majlis_matches_loaded", 0.0)
        return Counts(int(feeds), int(streams), int(loaded))

    async def settled(self, wanted: Counts, seconds: float = SETTLED_SECONDS) -> Counts:
        """What is open once that is as wanted, or after so long."""
        for _ in range(int(seconds / POLL_SECONDS)):
            if await self.counts() == wanted:
                break
            await asyncio.sleep(POLL_SECONDS)
        return await self.counts()


class Crowd:
    """Callers who share connections, so many each."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._channel: grpc.aio.Channel | None = None
        self._count = 0

    def caller(self, name: str) -> Caller:
        """One more."""
        if self._count % STREAMS_A_CONNECTION == 0:
            self._channel = None
        caller = self._site.caller(name, channel=self._channel)
        self._channel = caller.channel
        self._count += 1
        return caller


@contextlib.contextmanager
def served(data: pathlib.Path, *flags: str) -> Iterator[Site]:
    """A real server process on a directory."""
    with programs.server(data, *flags) as (program, address):
        metrics = json.loads((data / "ready.json").read_text())["metrics"]
        yield Site(address, metrics, data, program.resident_bytes, program.cpu_seconds)

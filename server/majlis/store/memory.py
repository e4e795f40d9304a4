"""Logs in memory, for tests and for a server that keeps nothing: what the contract says, in the plainest way.

Nothing is durable and nothing fails here; whoever wants failures wraps it. Several stores over the same `Logs` behave
like replicas over one database.
"""

import dataclasses
from collections.abc import Callable

from majlis.store import protocol


@dataclasses.dataclass(slots=True)
class _Match:
    founding: protocol.Founding
    log: list[protocol.Append] = dataclasses.field(default_factory=list)
    records: dict[bytes, int] = dataclasses.field(default_factory=dict)
    """By append id."""
    answered: dict[bytes, protocol.Repeated] = dataclasses.field(default_factory=dict)
    """By key."""
    over: bool = False

    @property
    def head(self) -> protocol.Head:
        last = self.log[-1]
        return protocol.Head(last.match_id, last.record, last.sequence, last.status, last.deadline_ms)

    def add(self, append: protocol.Append) -> protocol.Appended:
        self.log.append(append)
        self.records[append.append_id] = append.record
        self.over = self.over or append.over
        if (request := append.request) is not None:
            self.answered[request.key] = protocol.Repeated(append.record, request.body_hash)
        return protocol.Appended()


@dataclasses.dataclass(slots=True)
class Logs:
    """What the stores of several replicas have in common."""

    matches: dict[str, _Match] = dataclasses.field(default_factory=dict)
    externals: dict[str, protocol.Founded] = dataclasses.field(default_factory=dict)
    outages: list[protocol.Outage] = dataclasses.field(default_factory=list)
    beaten_ms: int | None = None


class MemoryStore:
    """A replica's door to some logs. See `protocol.Store` for what each call means."""

    def __init__(self, logs: Logs | None = None) -> None:
        """Over logs that others may append to, or over its own."""
        self.on_reopen: Callable[[], None] = lambda: None
        self._shared = logs is not None
        logs = Logs() if logs is None else logs
        self._logs = logs
        self._matches = logs.matches
        self._externals = logs.externals
        self._closed = False

    @property
    def shared(self) -> bool:
        """Whether it was given logs from outside."""
        return self._shared

    async def append(self, append: protocol.Append) -> protocol.Outcome:
        """Appends one record."""
        self._refuse_when_closed()
        match = self._matches.get(append.match_id)
        if match is not None and match.records.get(append.append_id) == append.record:
            return protocol.Appended()
        if (request := append.request) is not None:
            repeated = await self.find_request(append.match_id, request.key)
            if repeated is not None:
                return repeated
        if (founding := append.founding) is not None:
            if (founded := await self.find_external(founding.external_id)) is not None:
                return founded
            if match is not None:
                return protocol.Lost()
            match = self._matches[append.match_id] = _Match(founding)
            if founding.external_id:
                self._externals[founding.external_id] = protocol.Founded(append.match_id, founding.body_hash)
        elif match is None or len(match.log) != append.record - 1:
            return protocol.Lost()
        return match.add(append)

    async def find_append(self, match_id: str, append_id: bytes) -> int | None:
        """The record that carries this append id."""
        self._refuse_when_closed()
        match = self._matches.get(match_id)
        return None if match is None else match.records.get(append_id)

    async def head(self, match_id: str) -> protocol.Head | None:
        """Where the match's log ends."""
        self._refuse_when_closed()
        match = self._matches.get(match_id)
        return None if match is None else match.head

    async def payloads(self, match_id: str, after_record: int = 0, up_to_record: int | None = None) -> list[bytes]:
        """Payloads in order."""
        self._refuse_when_closed()
        match = self._matches.get(match_id)
        return [] if match is None else [append.payload for append in match.log[after_record:up_to_record]]

    async def find_request(self, match_id: str, key: bytes) -> protocol.Repeated | None:
        """The record that answered the request with this key."""
        self._refuse_when_closed()
        match = self._matches.get(match_id)
        return None if match is None else match.answered.get(key)

    async def find_external(self, external_id: str) -> protocol.Founded | None:
        """The match that was made under this external id."""
        self._refuse_when_closed()
        return self._externals.get(external_id)

    async def matches_of(self, player_id: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Matches of a player that are not over."""
        self._refuse_when_closed()
        playing = [
            (match.log[0].instant_ms, match_id)
            for match_id, match in self._matches.items()
            if player_id in match.founding.players and not match.over
        ]
        return sorted((found for found in playing if before is None or found < before), reverse=True)[:limit]

    async def due(self, by_ms: int, limit: int) -> list[protocol.Head]:
        """Matches whose clock runs out by an instant."""
        self._refuse_when_closed()
        running = [
            (head.deadline_ms, head.match_id, head)
            for head in self._heads()
            if head.deadline_ms is not None and head.deadline_ms <= by_ms
        ]
        return [head for _, _, head in sorted(running, key=lambda found: found[:2])][:limit]

    async def beat(self, now_ms: int, longest_ms: int) -> list[protocol.Outage]:
        """Keeps a sign of life."""
        self._refuse_when_closed()
        logs, before_ms = self._logs, self._logs.beaten_ms
        if before_ms is not None and now_ms - before_ms > longest_ms:
            logs.outages = [*logs.outages, protocol.Outage(before_ms, now_ms)][-protocol.OUTAGES_KEPT :]
        logs.beaten_ms = now_ms if before_ms is None else max(before_ms, now_ms)
        return list(logs.outages)

    async def close(self) -> None:
        """Lets go of the logs."""
        self._closed = True

    def _heads(self) -> list[protocol.Head]:
        return [match.head for match in self._matches.values()]

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise protocol.Unavailable("the store is closed")

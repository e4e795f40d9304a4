"""Logs in memory, for tests and for a server that keeps nothing: what the contract says, in the plainest way.

Nothing is durable and nothing fails here; whoever wants failures wraps it. Several stores over the same `Logs` behave
like replicas over one database.
"""

import dataclasses
from collections.abc import Callable, Sequence

from majlis.store import protocol


@dataclasses.dataclass(slots=True)
class _Match:
    log: list[protocol.Append] = dataclasses.field(default_factory=list)
    records: dict[bytes, int] = dataclasses.field(default_factory=dict)
    """By append id."""
    answered: dict[bytes, protocol.Repeated] = dataclasses.field(default_factory=dict)
    """By key."""
    players: tuple[str | None, ...] = ()
    over: bool = False

    @property
    def head(self) -> protocol.Head:
        last = self.log[-1]
        return protocol.Head(last.match_id, last.record, last.sequence, last.status, last.deadline_ms)

    def add(self, append: protocol.Append) -> protocol.Appended:
        self.log.append(append)
        self.records[append.append_id] = append.record
        if append.players is not None:
            self.players, self.over = append.players, append.over
        self.over = self.over or append.over
        if (request := append.request) is not None:
            self.answered[request.key] = protocol.Repeated(append.record, request.body_hash)
        return protocol.Appended()


@dataclasses.dataclass(frozen=True, slots=True)
class _Name:
    held: protocol.Held
    expires_ms: int | None

    def is_had(self, now_ms: int) -> bool:
        return self.expires_ms is None or self.expires_ms > now_ms


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class _Waiting:
    """A result without a place; they get theirs in the order of these fields."""

    instant_ms: int
    match_id: str
    record: int
    ordinal: int
    kind: str


@dataclasses.dataclass(slots=True)
class Logs:
    """What the stores of several replicas have in common."""

    matches: dict[str, _Match] = dataclasses.field(default_factory=dict)
    externals: dict[str, protocol.Founded] = dataclasses.field(default_factory=dict)
    names: dict[tuple[str, str], _Name] = dataclasses.field(default_factory=dict)
    """By kind and name; expired ones until a beat forgets them."""
    waiting: list[_Waiting] = dataclasses.field(default_factory=list)
    results: list[protocol.Result] = dataclasses.field(default_factory=list)
    """Those that have their place, in its order."""
    consumers: dict[str, int] = dataclasses.field(default_factory=dict)
    outages: list[protocol.Outage] = dataclasses.field(default_factory=list)
    beaten_ms: int | None = None


class MemoryStore:
    """A replica's door to some logs. See `protocol.Store` for what each call means."""

    def __init__(self, logs: Logs | None = None) -> None:
        """Over logs that others may append to, or over its own."""
        self.on_reopen: Callable[[], None] = lambda: None
        self.on_hint: Callable[[str, int], None] = lambda _match_id, _record: None
        self._shared = logs is not None
        self._logs = Logs() if logs is None else logs
        self._closed = False

    @property
    def shared(self) -> bool:
        """Whether it was given logs from outside."""
        return self._shared

    async def append(self, append: protocol.Append) -> protocol.Outcome:
        """Appends one record."""
        self._refuse_when_closed()
        logs, match = self._logs, self._logs.matches.get(append.match_id)
        if match is not None and match.records.get(append.append_id) == append.record:
            return protocol.Appended()
        if (request := append.request) is not None:
            repeated = await self.find_request(append.match_id, request.key)
            if repeated is not None:
                return repeated
        founding = append.founding
        if founding is not None and (founded := await self.find_external(founding.external_id)) is not None:
            return founded
        if (held := self._held(append)) is not None:
            return held
        if (0 if match is None else len(match.log)) != append.record - 1:
            return protocol.Lost()
        if founding is not None and founding.external_id:
            logs.externals[founding.external_id] = protocol.Founded(append.match_id, founding.body_hash)
        self._release_and_claim(append)
        for ordinal, kind in enumerate(append.outbox):
            logs.waiting.append(_Waiting(append.instant_ms, append.match_id, append.record, ordinal, kind))
        return logs.matches.setdefault(append.match_id, _Match()).add(append)

    async def find_append(self, match_id: str, append_id: bytes) -> int | None:
        """The record that carries this append id."""
        self._refuse_when_closed()
        match = self._logs.matches.get(match_id)
        return None if match is None else match.records.get(append_id)

    async def head(self, match_id: str) -> protocol.Head | None:
        """Where the match's log ends."""
        self._refuse_when_closed()
        match = self._logs.matches.get(match_id)
        return None if match is None else match.head

    async def heads(self, match_ids: Sequence[str]) -> list[protocol.Head]:
        """Where the logs of several matches end."""
        self._refuse_when_closed()
        return [match.head for match_id in match_ids if (match := self._logs.matches.get(match_id)) is not None]

    async def payloads(self, match_id: str, after_record: int = 0, up_to_record: int | None = None) -> list[bytes]:
        """Payloads in order."""
        self._refuse_when_closed()
        match = self._logs.matches.get(match_id)
        return [] if match is None else [append.payload for append in match.log[after_record:up_to_record]]

    async def find_request(self, match_id: str, key: bytes) -> protocol.Repeated | None:
        """The record that answered the request with this key."""
        self._refuse_when_closed()
        match = self._logs.matches.get(match_id)
        return None if match is None else match.answered.get(key)

    async def find_external(self, external_id: str) -> protocol.Founded | None:
        """The match that was made under this external id."""
        self._refuse_when_closed()
        return self._logs.externals.get(external_id)

    async def claim(self, match_id: str, claim: protocol.Claim, now_ms: int) -> protocol.Held:
        """Takes a name unless somebody has it."""
        return await self.find_name(claim.kind, claim.name, now_ms) or self._take_name(match_id, claim)

    async def find_name(self, kind: str, name: str, now_ms: int) -> protocol.Held | None:
        """Which match has this name."""
        self._refuse_when_closed()
        found = self._logs.names.get((kind, name))
        return found.held if found is not None and found.is_had(now_ms) else None

    async def names_of(self, match_id: str, kind: str, now_ms: int) -> list[str]:
        """The names of a kind that a match has."""
        self._refuse_when_closed()
        had = [name.held for name in self._logs.names.values() if name.is_had(now_ms)]
        return sorted(held.name for held in had if (held.match_id, held.kind) == (match_id, kind))

    async def matches_of(self, player_id: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Matches of a player that are not over."""
        self._refuse_when_closed()
        playing = [
            (match.log[0].instant_ms, match_id)
            for match_id, match in self._logs.matches.items()
            if player_id in match.players and not match.over
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
            logs.outages = protocol.remembered([*logs.outages, protocol.Outage(before_ms, now_ms)])
        logs.beaten_ms = now_ms if before_ms is None else max(before_ms, now_ms)
        expired = sorted(
            (name.expires_ms, of)
            for of, name in logs.names.items()
            if name.expires_ms is not None and not name.is_had(now_ms)
        )
        for _, of in expired[: protocol.NAMES_FORGOTTEN]:
            del logs.names[of]
        return list(logs.outages)

    async def publish(self, limit: int) -> int:
        """Gives places to results that have none yet."""
        self._refuse_when_closed()
        logs = self._logs
        logs.waiting.sort()
        placed, logs.waiting = logs.waiting[:limit], logs.waiting[limit:]
        for position, one in enumerate(placed, start=len(logs.results) + 1):
            logs.results.append(protocol.Result(position, one.match_id, one.record, one.kind))
        return len(placed)

    async def results(self, after: int, limit: int) -> list[protocol.Result]:
        """Results after a place, in order."""
        self._refuse_when_closed()
        return self._logs.results[max(after, 0) :][:limit]

    async def acknowledged(self, consumer: str) -> int:
        """The place up to which a consumer has everything."""
        self._refuse_when_closed()
        return self._logs.consumers.get(consumer, 0)

    async def acknowledge(self, consumer: str, position: int) -> None:
        """Keeps how far a consumer has come."""
        self._refuse_when_closed()
        self._logs.consumers[consumer] = max(self._logs.consumers.get(consumer, 0), position)

    async def close(self) -> None:
        """Lets go of the logs."""
        self._closed = True

    def _held(self, append: protocol.Append) -> protocol.Held | None:
        """The first of the claimed names that is not to be had."""
        for claim in append.claims:
            name = self._logs.names.get((claim.kind, claim.name))
            if name is None or not name.is_had(append.instant_ms):
                continue
            if name.held.match_id != append.match_id or claim.kind not in append.releases:
                return name.held
        return None

    def _release_and_claim(self, append: protocol.Append) -> None:
        names, match_id = self._logs.names, append.match_id
        if append.releases:
            for of, name in list(names.items()):
                if name.held.match_id == match_id and name.held.kind in append.releases:
                    del names[of]
        for claim in append.claims:
            self._take_name(match_id, claim)

    def _take_name(self, match_id: str, claim: protocol.Claim) -> protocol.Held:
        held = protocol.Held(claim.kind, claim.name, match_id, claim.body_hash)
        self._logs.names[claim.kind, claim.name] = _Name(held, claim.expires_ms)
        return held

    def _heads(self) -> list[protocol.Head]:
        return [match.head for match in self._logs.matches.values()]

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise protocol.Unavailable("the store is closed")

"""Each store against the memory store, over random operations: all writings of one contract have to agree."""

import asyncio
import dataclasses
import pathlib
import secrets
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from typing import TypeVar

import hypothesis
from hypothesis import stateful
from hypothesis import strategies as st

from majlis.store import memory, protocol
from majlis.store.postgres import store as postgres
from majlis.store.sqlite import store as sqlite
from tests.services import fixtures
from tests.services.cluster import Cluster
from tests.store import making

T = TypeVar("T")

matches = st.sampled_from(["m0", "m1", "m2"])
players = st.sampled_from(["amal", "basim", "chadia"])
instants = st.integers(0, 5)
deadlines = st.none() | st.integers(0, 5)
positions = st.integers(-1, 9)
consumers = st.sampled_from(["wallet", "matchmaker"])
outboxes = st.lists(st.sampled_from(["seated", "started", "ended"]), max_size=2).map(tuple)
kinds = st.sampled_from(["table", "code"])
names = st.sampled_from(["a", "b", "c"])
claims = st.lists(
    st.builds(protocol.Claim, kinds, names, st.sampled_from([b"", b"1"]), st.none() | instants),
    max_size=3,
    unique_by=lambda claim: (claim.kind, claim.name),
).map(tuple)
releases = st.lists(kinds, max_size=2).map(tuple)
requests = st.sampled_from(["amal r0", "amal r1", "basim r0", "basim r1"])


class Agreement(stateful.RuleBasedStateMachine):
    """Everything is asked of both, and answered alike."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.memory = memory.MemoryStore()
        self.begin()
        self.store = self.runner.run(self.opened())
        self.given: list[protocol.Append] = []

    def begin(self) -> None:
        """Makes an empty place for a store."""
        raise NotImplementedError

    async def opened(self) -> protocol.Store:
        """A store over what is in that place."""
        raise NotImplementedError

    def both(self, ask: Callable[[protocol.Store], Awaitable[T]]) -> T:
        async def answers() -> tuple[T, T]:
            return await ask(self.memory), await ask(self.store)

        expected, actual = self.runner.run(answers())
        assert actual == expected
        return actual

    @stateful.rule(
        match_id=matches,
        external_id=st.sampled_from(["", "x", "y"]),
        seated=st.tuples(st.none() | players, players),
        claimed=claims,
        outbox=outboxes,
        instant_ms=instants,
        deadline_ms=deadlines,
        body=st.sampled_from("ab"),
    )
    def found(
        self,
        match_id: str,
        external_id: str,
        seated: tuple[str | None, ...],
        claimed: tuple[protocol.Claim, ...],
        outbox: tuple[str, ...],
        instant_ms: int,
        deadline_ms: int | None,
        body: str,
    ) -> None:
        self.append(
            making.founding(
                match_id,
                external_id=external_id,
                players=seated,
                claims=claimed,
                outbox=outbox,
                instant_ms=instant_ms,
                deadline_ms=deadline_ms,
                body=body,
            )
        )

    @stateful.rule(
        match_id=matches,
        ahead=st.sampled_from([1, 1, 1, 0, 2]),
        request=st.none() | requests,
        deadline_ms=deadlines,
        over=st.booleans(),
        seated=st.none() | st.tuples(st.none() | players, st.none() | players),
        claimed=st.just(()) | claims,
        released=st.just(()) | releases,
        outbox=outboxes,
        instant_ms=instants,
        body=st.sampled_from("ab"),
    )
    def follow(
        self,
        match_id: str,
        ahead: int,
        request: str | None,
        deadline_ms: int | None,
        over: bool,
        seated: tuple[str | None, ...] | None,
        claimed: tuple[protocol.Claim, ...],
        released: tuple[str, ...],
        outbox: tuple[str, ...],
        instant_ms: int,
        body: str,
    ) -> None:
        head = self.both(lambda store: store.head(match_id))
        record = max(2, (head.record if head else 0) + ahead)
        self.append(
            making.following(
                match_id,
                record,
                request=request,
                instant_ms=instant_ms,
                deadline_ms=deadline_ms,
                over=over,
                players=seated,
                claims=claimed,
                releases=released,
                outbox=outbox,
                body=body,
            )
        )

    def append(self, append: protocol.Append) -> None:
        self.given.append(append)
        self.both(lambda store: store.append(append))

    @stateful.precondition(lambda self: self.given)
    @stateful.rule(data=st.data())
    def give_again(self, data: st.DataObject) -> None:
        append = data.draw(st.sampled_from(self.given))
        self.both(lambda store: store.append(append))

    @stateful.precondition(lambda self: self.given)
    @stateful.rule(data=st.data())
    def give_again_under_another_append_id(self, data: st.DataObject) -> None:
        append = dataclasses.replace(data.draw(st.sampled_from(self.given)), append_id=secrets.token_bytes(16))
        self.append(append)

    @stateful.rule()
    def reopen(self) -> None:
        async def anew() -> protocol.Store:
            await self.store.close()
            return await self.opened()

        self.store = self.runner.run(anew())

    @stateful.rule(match_id=matches, request=requests)
    def find_request(self, match_id: str, request: str) -> None:
        self.both(lambda store: store.find_request(match_id, making.key(request)))

    @stateful.rule(external_id=st.sampled_from(["", "x", "y", "z"]))
    def find_external(self, external_id: str) -> None:
        self.both(lambda store: store.find_external(external_id))

    @stateful.rule(kind=kinds, name=names, now_ms=instants)
    def find_name(self, kind: str, name: str, now_ms: int) -> None:
        self.both(lambda store: store.find_name(kind, name, now_ms))

    @stateful.rule(match_id=matches, kind=kinds, now_ms=instants)
    def names_of(self, match_id: str, kind: str, now_ms: int) -> None:
        self.both(lambda store: store.names_of(match_id, kind, now_ms))

    @stateful.rule(limit=st.integers(1, 4))
    def publish(self, limit: int) -> None:
        self.both(lambda store: store.publish(limit))

    @stateful.rule(after=positions, limit=st.integers(1, 4))
    def results(self, after: int, limit: int) -> None:
        self.both(lambda store: store.results(after, limit))

    @stateful.rule(consumer=consumers, position=positions)
    def acknowledge(self, consumer: str, position: int) -> None:
        self.both(lambda store: store.acknowledge(consumer, position))
        self.both(lambda store: store.acknowledged(consumer))

    @stateful.rule(player_id=players, before=st.none() | st.tuples(instants, matches), limit=st.integers(1, 3))
    def matches_of(self, player_id: str, before: tuple[int, str] | None, limit: int) -> None:
        self.both(lambda store: store.matches_of(player_id, before, limit))

    @stateful.rule(by_ms=instants, limit=st.integers(1, 3))
    def due(self, by_ms: int, limit: int) -> None:
        self.both(lambda store: store.due(by_ms, limit))

    @stateful.rule(now_ms=instants, longest_ms=st.integers(0, 3))
    def beat(self, now_ms: int, longest_ms: int) -> None:
        self.both(lambda store: store.beat(now_ms, longest_ms))

    @stateful.rule(match_id=matches, after=st.integers(0, 4), up_to=st.none() | st.integers(0, 6))
    def payloads(self, match_id: str, after: int, up_to: int | None) -> None:
        self.both(lambda store: store.payloads(match_id, after, up_to))

    @stateful.rule(match_ids=st.lists(matches, unique=True))
    def heads(self, match_ids: list[str]) -> None:
        async def found(store: protocol.Store) -> set[protocol.Head]:
            return set(await store.heads(match_ids))

        self.both(found)

    @stateful.rule(match_id=matches, kind=kinds, name=names, expires_ms=st.none() | instants, now_ms=instants)
    def claim(self, match_id: str, kind: str, name: str, expires_ms: int | None, now_ms: int) -> None:
        self.both(lambda store: store.claim(match_id, protocol.Claim(kind, name, b"2", expires_ms), now_ms))

    @stateful.rule(match_id=matches)
    def find_appends(self, match_id: str) -> None:
        async def found(store: protocol.Store) -> list[int | None]:
            return [await store.find_append(match_id, append.append_id) for append in self.given]

        self.both(found)

    def teardown(self) -> None:
        self.runner.run(self.store.close())
        self.runner.close()


class Sqlite(Agreement):
    """A file."""

    def begin(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())

    async def opened(self) -> protocol.Store:
        return sqlite.SqliteStore(self.folder / "majlis.db")

    def teardown(self) -> None:
        super().teardown()
        shutil.rmtree(self.folder)


TestSqlite = Sqlite.TestCase
TestSqlite.settings = hypothesis.settings(max_examples=40, stateful_step_count=40, deadline=None)


if fixtures.CHOSEN:

    def test_postgres(cluster: Cluster, only_database: str) -> None:
        class Postgres(Agreement):
            """A database."""

            def begin(self) -> None:
                cluster.sql(fixtures.EMPTY, only_database)

            async def opened(self) -> protocol.Store:
                return postgres.PostgresStore(cluster.url(only_database))

        settings = hypothesis.settings(max_examples=40, stateful_step_count=40, deadline=None)
        stateful.run_state_machine_as_test(Postgres, settings=settings)

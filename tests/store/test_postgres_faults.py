"""PostgreSQL that goes away, hangs, or is cut off in the middle: what callers are told, and that it is true."""

import asyncio
import collections
import contextlib
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import asyncpg
import pytest

from majlis.store import protocol
from majlis.store.postgres.patience import Patience
from majlis.store.postgres.store import PostgresStore
from tests.services import fixtures
from tests.services.cluster import Cluster
from tests.services.proxy import Cut, Proxy
from tests.store import making

if not fixtures.CHOSEN:
    pytest.skip(fixtures.WHY_NOT, allow_module_level=True)

APPENDED = protocol.Appended()
BRIEF = Patience(connect=1, turn=0.3, lock=0.8, statement=2, answer=3, retry=0.2)


@contextlib.asynccontextmanager
async def opened(url: str, connections: int = 4) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url, patience=BRIEF, connections=connections)
    try:
        yield store
    finally:
        await store.close()


@contextlib.asynccontextmanager
async def session(url: str, *statements: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Somebody else's transaction, which is open meanwhile."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("BEGIN")
        for statement in statements:
            await connection.execute(statement)
        yield connection
    finally:
        await connection.close()


async def settled(store: protocol.Store, append: protocol.Append) -> protocol.Outcome:
    """What becomes of an append in the end, as the runtime finds it out."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await store.append(append)
            except (protocol.InDoubt, protocol.Unavailable):
                await asyncio.sleep(0.01)


async def play(store: protocol.Store, match_id: str, over: asyncio.Event, acknowledged: dict[bytes, int]) -> None:
    """Appends to a match, one record after the other, through whatever happens."""
    record = 1
    assert await settled(store, making.founding(match_id)) == APPENDED
    while not over.is_set():
        record += 1
        append = making.following(
            match_id, record, request=f"r{record}", outbox=("started",) if record % 5 == 0 else ()
        )
        assert await settled(store, append) == APPENDED
        acknowledged[append.append_id] = record


async def under_load(
    store: PostgresStore, matches: int, trouble: Callable[[], Awaitable[None]]
) -> dict[str, dict[bytes, int]]:
    """What was acknowledged by match, while trouble came and went."""
    over = asyncio.Event()
    acknowledged = collections.defaultdict[str, dict[bytes, int]](dict)
    playing = [asyncio.ensure_future(play(store, f"m{n}", over, acknowledged[f"m{n}"])) for n in range(matches)]
    await trouble()
    over.set()
    await asyncio.gather(*playing)
    return acknowledged


async def all_there(store: PostgresStore, acknowledged: dict[str, dict[bytes, int]]) -> None:
    """Each match has exactly the records that were acknowledged, in order, and each of its results is told."""
    while await store.publish(1000):
        pass
    results = await store.results(0, 10**6)
    assert [one.position for one in results] == list(range(1, len(results) + 1))
    for match_id, appends in acknowledged.items():
        head = await store.head(match_id)
        assert head is not None
        assert head.record == len(appends) + 1
        assert await store.payloads(match_id) == [f"{match_id} {n}".encode() for n in range(1, head.record + 1)]
        for append_id, record in appends.items():
            assert await store.find_append(match_id, append_id) == record
        told = [one.record for one in results if one.match_id == match_id]
        assert told == list(range(5, head.record + 1, 5))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_restart_under_load_loses_nothing_and_the_store_comes_back_by_itself(
    cluster: Cluster, database_url: str, how: int
) -> None:
    async with opened(database_url) as store:
        reopened: list[float] = []
        store.on_reopen = lambda: reopened.append(time.monotonic())

        async def restarts() -> None:
            for _ in range(2):
                await asyncio.sleep(0.5)
                await asyncio.to_thread(cluster.restart, how)
            await asyncio.sleep(0.7)

        acknowledged = await under_load(store, 20, restarts)
        assert len(reopened) == 2
        assert min(map(len, acknowledged.values())) > 5
        await all_there(store, acknowledged)


async def test_sessions_that_are_ended_at_random_lose_nothing(
    cluster: Cluster, database: str, database_url: str
) -> None:
    doubts = 0
    chance = random.Random(7)
    async with opened(database_url) as store:
        reopened: list[None] = []
        store.on_reopen = lambda: reopened.append(None)

        async def murders() -> None:
            nonlocal doubts
            for _ in range(40):
                await asyncio.sleep(chance.uniform(0, 0.08))
                text = (
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    f" WHERE datname = '{database}' AND application_name = 'majlis writer'"
                )
                doubts += int(await asyncio.to_thread(cluster.sql, text))

        acknowledged = await under_load(store, 20, murders)
        assert doubts > 10
        assert not reopened, "the server was there all the time: what was read is not stale"
        await all_there(store, acknowledged)


@pytest.mark.parametrize("cut", Cut)
async def test_a_connection_that_is_cut_in_the_commit_leaves_the_append_in_doubt_until_it_is_looked_up(
    cluster: Cluster, database: str, cut: Cut
) -> None:
    with Proxy(cluster.port) as proxy:
        async with opened(cluster.url(database, proxy.port)) as store:
            await store.append(making.founding("m"))
            for record in (2, 3, 4):
                append = making.following("m", record)
                proxy.mark, proxy.cut = append.append_id, cut
                with pytest.raises(protocol.InDoubt):
                    await store.append(append)
                landed = record if cut is Cut.AFTER else None
                assert await store.find_append("m", append.append_id) == landed
                assert await store.append(append) == APPENDED
                assert await store.find_append("m", append.append_id) == record
            assert proxy.cuts == 3
            assert await store.payloads("m") == [f"m {record}".encode() for record in range(1, 5)]


async def test_cuts_under_load_lose_nothing(cluster: Cluster, database: str) -> None:
    chance = random.Random(3)
    with Proxy(cluster.port) as proxy:
        async with opened(cluster.url(database, proxy.port)) as store:
            proxy.mark = b"started"

            async def cuts() -> None:
                for _ in range(30):
                    proxy.cut = chance.choice(list(Cut))
                    await asyncio.sleep(chance.uniform(0.01, 0.1))

            acknowledged = await under_load(store, 20, cuts)
            assert proxy.cuts > 8
            await all_there(store, acknowledged)


async def test_what_was_looked_up_in_vain_can_no_longer_land(cluster: Cluster, database: str) -> None:
    """The session that was cut off waits for a lock, and would go on when it gets it."""
    direct = cluster.url(database)
    with Proxy(cluster.port) as proxy:
        async with opened(cluster.url(database, proxy.port)) as store:
            await store.append(making.founding("m"))
            append = making.following("m", 2)
            async with session(direct, "LOCK TABLE log IN SHARE MODE"):
                proxy.mark, proxy.cut = append.append_id, Cut.AFTER
                with pytest.raises(protocol.InDoubt):
                    await store.append(append)
                waiting = (
                    "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                    f" WHERE NOT granted AND datname = '{database}'"
                )
                async with asyncio.timeout(5):
                    while await asyncio.to_thread(cluster.sql, waiting) != "1":  # noqa: ASYNC110 -- another process's
                        await asyncio.sleep(0.01)
                assert await store.find_append("m", append.append_id) is None
            await asyncio.sleep(0.2)
            assert await store.find_append("m", append.append_id) is None
            assert (await store.head("m")) == protocol.Head("m", 1, 1, making.ACTIVE, None)
            assert await store.append(making.following("m", 2, payload=b"another")) == APPENDED


async def test_a_row_that_is_locked_for_long_holds_up_its_own_match_only(database_url: str) -> None:
    async with opened(database_url) as store:
        for match_id in "mn":
            await store.append(making.founding(match_id))
        async with session(database_url, "SELECT FROM matches WHERE match_id = 'm' FOR UPDATE"):
            held_up = asyncio.ensure_future(store.append(making.following("m", 2)))
            begun = time.monotonic()
            for record in range(2, 8):
                assert await store.append(making.following("n", record)) == APPENDED
            assert not held_up.done()
            with pytest.raises(protocol.Unavailable, match="in its way"):
                await held_up
            assert BRIEF.lock <= time.monotonic() - begun < BRIEF.lock + 1
            brief = asyncio.ensure_future(store.append(making.following("m", 2)))
            await asyncio.sleep(0.05)
            assert not brief.done()
        assert await brief == APPENDED
        assert await store.payloads("m") == [b"m 1", b"m 2"]


async def test_a_table_that_is_locked_makes_the_store_unavailable_and_nothing_is_written(database_url: str) -> None:
    async with opened(database_url, connections=2) as store:
        await store.append(making.founding("m"))
        await store.beat(1, 10**9)
        async with session(database_url, "LOCK TABLE matches IN ACCESS EXCLUSIVE MODE"):
            begun = time.monotonic()
            append = making.following("m", 2)
            calls: list[Awaitable[object]] = [store.append(append), *(store.head("m") for _ in range(6))]
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            assert {type(outcome) for outcome in outcomes} == {protocol.Unavailable}
            texts = {str(outcome) for outcome in outcomes[1:]}
            assert texts == {"canceling statement due to lock timeout", "all 2 connections are in use"}
            assert time.monotonic() - begun < 2
        assert await store.find_append("m", append.append_id) is None
        assert await store.append(append) == APPENDED


async def test_while_the_server_is_away_everything_says_so_at_once(cluster: Cluster, database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append(making.founding("m"))
        await asyncio.to_thread(cluster.stop, signal.SIGQUIT)
        try:
            await asyncio.sleep(0.1)
            for _ in range(50):
                begun = time.monotonic()
                for call in (store.append(making.following("m", 2)), store.head("m"), store.beat(1, 1)):
                    with pytest.raises(protocol.Unavailable):
                        await call
                assert time.monotonic() - begun < 0.5
                await asyncio.sleep(0.01)
        finally:
            await asyncio.to_thread(cluster.start)
        async with asyncio.timeout(5):
            while True:
                with contextlib.suppress(protocol.Unavailable):
                    assert await store.append(making.following("m", 2)) == APPENDED
                    break
                await asyncio.sleep(0.01)
        assert await store.payloads("m") == [b"m 1", b"m 2"]


async def test_a_server_that_hangs_holds_nobody_up_for_ever(cluster: Cluster, database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append(making.founding("m"))
        await store.beat(1, 10**9)
        append = making.following("m", 2)
        cluster.signal_all(signal.SIGSTOP)
        try:
            begun = time.monotonic()
            calls: list[Awaitable[object]] = [store.append(append), *(store.head("m") for _ in range(20))]
            first, *others = await asyncio.gather(*calls, return_exceptions=True)
            assert isinstance(first, protocol.InDoubt)
            assert {type(other) for other in others} == {protocol.Unavailable}
            for call in (store.append(append), store.head("m"), store.find_append("m", append.append_id)):
                with pytest.raises(protocol.Unavailable):
                    await call
            assert time.monotonic() - begun < BRIEF.answer + 3 * BRIEF.connect + 2
        finally:
            cluster.signal_all(signal.SIGCONT)
        assert await settled(store, append) == APPENDED
        assert await store.payloads("m") == [b"m 1", b"m 2"]


async def test_one_append_that_cannot_be_stored_spoils_no_other(database_url: str) -> None:
    async with opened(database_url) as store:
        odd = [
            making.founding("a", deadline_ms=2**70),
            making.founding("b\0"),
            making.founding("c", external_id="x\0"),
            making.founding("d", claims=(making.claim("u", expires_ms=2**70),)),
        ]
        good = [making.founding(f"m{n}", claims=(making.claim("t"),)) for n in range(2)]
        calls = [store.append(append) for append in (*odd[:2], good[0], *odd[2:], good[1])]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [
            *(ValueError, ValueError, protocol.Appended, ValueError, ValueError, protocol.Held)
        ]
        assert await store.head("b\0") is None
        assert await store.find_external("x\0") is None
        with pytest.raises(ValueError, match="cannot be stored"):
            await store.acknowledge("wallet", 2**70)


async def test_of_two_servers_the_outage_is_the_time_in_which_neither_lived(database_url: str) -> None:
    async with opened(database_url) as one, opened(database_url) as two:
        assert await one.beat(1_000, 100) == []
        assert await two.beat(1_080, 100) == []
        assert await one.beat(1_170, 100) == []  # it was silent for 170, but the other was not
        since_ms = 1_170
        for now_ms in range(9_000, 200_000, 9_000):
            found = await asyncio.gather(*(store.beat(now_ms + n, 100) for n, store in enumerate((one, two) * 2)))
            last = found[0][-1]
            assert last.since_ms == since_ms
            assert all(outages == found[0] for outages in found)
            assert sum(outage.until_ms > 9_000 - 100 for outage in found[0]) == now_ms // 9_000
            since_ms = now_ms + 3


async def test_of_two_servers_that_publish_at_once_each_place_is_given_once(database_url: str) -> None:
    async with opened(database_url) as one, opened(database_url) as two:
        await making.at_once(one, [making.founding(f"m{n}", outbox=("seated", "started")) for n in range(100)])
        placed = await asyncio.gather(*(store.publish(7) for store in (one, two) * 20))
        assert sum(placed) == 200
        assert [result.position for result in await two.results(0, 1000)] == list(range(1, 201))

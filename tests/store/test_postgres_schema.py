"""The schema of a database: who brings it up to date, who works on it, and how old months leave."""

import asyncio
import concurrent.futures
import datetime
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from majlis.store import open as opening
from majlis.store import protocol
from majlis.store.postgres import commit, months, schema
from majlis.store.postgres.store import PostgresStore
from tests.services import fixtures
from tests.services.cluster import Cluster
from tests.store import making

if not fixtures.CHOSEN:
    pytest.skip(fixtures.WHY_NOT, allow_module_level=True)

ROOT = pathlib.Path(__file__).parents[2]
LATEST = len(schema.migrations())
APPENDED = protocol.Appended()


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[str]:
    """A database with nothing in it; its name."""
    name = cluster.database("template0")
    yield name
    cluster.drop(name)


@pytest.fixture
def migrated(cluster: Cluster) -> Iterator[str]:
    name = cluster.database()
    yield name
    cluster.drop(name)


def migrate(url: str) -> subprocess.Popen[str]:
    """From a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "majlis", "migrate", "--store", url],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


async def test_a_database_that_was_not_migrated_is_not_served_from(cluster: Cluster, empty: str) -> None:
    shown = f"postgresql://majlis@127.0.0.1:{cluster.port}/{empty}"
    with pytest.raises(protocol.Foreign) as refused:
        PostgresStore(cluster.url(empty))
    assert str(refused.value) == f"{shown}: empty: run `majlis migrate` first"
    assert cluster.sql("SELECT count(*) FROM pg_class WHERE relname = 'matches'", empty) == "0"
    for text in schema.migrations()[:1]:
        cluster.sql(f"{text}; UPDATE majlis SET version = 1", empty)
    with pytest.raises(protocol.Foreign, match=f"at schema 1, and this program needs {LATEST}: run `majlis migrate`"):
        PostgresStore(cluster.url(empty))


def test_migrations_from_several_places_at_once_and_once_more_are_applied_once(cluster: Cluster, empty: str) -> None:
    url = cluster.url(empty)
    children = [migrate(url) for _ in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as others:
        assert set(others.map(opening.migrate, [url] * 4)) == {LATEST}
    for child in children:
        said, _ = child.communicate()
        assert (child.returncode, said) == (0, f"{url}: schema {LATEST}\n")
    assert opening.migrate(url) == LATEST
    assert cluster.sql("SELECT version, min_program, write_version FROM majlis", empty) == f"{LATEST}|1|1"


def test_a_migration_that_fails_leaves_nothing_behind_and_can_be_repeated(
    cluster: Cluster, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = schema.migrations()
    with monkeypatch.context() as broken:
        broken.setattr(schema, "migrations", lambda: (texts[0], "CREATE TABLE half (x text); SELECT 1 / 0"))
        with pytest.raises(protocol.Unavailable, match="division by zero"):
            opening.migrate(cluster.url(empty))
    assert cluster.sql("SELECT version FROM majlis", empty) == "1"
    assert cluster.sql("SELECT count(*) FROM pg_class WHERE relname = 'half'", empty) == "0"
    assert opening.migrate(cluster.url(empty)) == LATEST


async def test_a_newer_schema_is_worked_on_unless_it_needs_a_newer_program(cluster: Cluster, migrated: str) -> None:
    url = cluster.url(migrated)
    cluster.sql(f"UPDATE majlis SET version = {LATEST + 3}, write_version = 2", migrated)
    store = PostgresStore(url)
    assert await store.append(making.founding("m")) == APPENDED
    await store.close()
    assert await asyncio.to_thread(opening.migrate, url) == LATEST + 3
    cluster.sql(f"UPDATE majlis SET min_program = {LATEST + 1}", migrated)
    for use in (PostgresStore, opening.migrate):
        with pytest.raises(protocol.Foreign, match=f"needs a program that knows schema {LATEST + 1}"):
            await asyncio.to_thread(use, url)


def test_a_database_of_another_program_is_left_alone(cluster: Cluster, empty: str) -> None:
    cluster.sql("CREATE TABLE matches (lit text)", empty)
    with pytest.raises(protocol.Foreign, match="of another program"):
        opening.migrate(cluster.url(empty))
    cluster.sql("CREATE TABLE majlis (guests text)", empty)
    with pytest.raises(protocol.Foreign, match="another program"):
        opening.migrate(cluster.url(empty))
    assert cluster.sql("SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = 'public'", empty) == (
        "matches majlis"
    )


def test_no_password_is_in_what_is_told(cluster: Cluster) -> None:
    for url in (
        f"postgresql://majlis:secret@127.0.0.1:{cluster.port}/nowhere",
        "postgresql://majlis:secret@127.0.0.1:1/majlis",
        "postgresql://majlis:secret@127.0.0.1:1/majlis?sslmode=secret",
    ):
        child = migrate(url)
        said, _ = child.communicate()
        assert child.returncode == 1
        assert said.count("\n") == 1
        assert said.startswith("majlis: postgresql://majlis@127.0.0.1:")
        assert "secret" not in said


def test_the_month_of_a_founding_is_that_of_its_instant_in_utc() -> None:
    def instant(*parts: int) -> int:
        return int(datetime.datetime(*parts, tzinfo=datetime.UTC).timestamp() * 1000)  # type: ignore[arg-type,misc]

    assert commit.month(instant(2026, 11, 30, 23, 59, 59)) == 202611
    assert commit.month(instant(2026, 12, 1)) == 202612
    assert commit.month(0) == 197001
    for nonsense in (-1, 10**15, 2**62):
        assert commit.month(nonsense) == 0


async def test_a_month_that_has_its_partition_is_dropped_whole(cluster: Cluster, migrated: str) -> None:
    store = PostgresStore(cluster.url(migrated))
    october, november = 1_791_000_000_000, 1_794_000_000_000  # of 2026
    connection = await schema._opened(store._links._address, store._links._patience)
    await months.make(connection, october / 1000, ahead=0)
    await connection.close()
    for match_id, instant_ms in (("old", october), ("new", november), ("odd", 5)):
        assert await store.append(making.founding(match_id, instant_ms=instant_ms, external_id=match_id)) == APPENDED
        following = making.following(match_id, 2, instant_ms=instant_ms, request="r1", over=True)
        assert await store.append(following) == APPENDED
    assert cluster.sql("SELECT tableoid::regclass, match_id FROM log WHERE record = 2 ORDER BY match_id", migrated) == (
        "log_202611|new\nlog_other|odd\nlog_202610|old"
    )
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (pruning,) = re.findall(r"```sql\n(ALTER TABLE log DETACH.*?)```", page, re.DOTALL)
    for statement in filter(None, map(str.strip, pruning.replace("202601", "202610").split(";"))):
        await asyncio.to_thread(cluster.sql, statement, migrated)
    assert await store.payloads("old") == []
    assert await store.head("old") is None
    assert await store.payloads("new") == [b"new 1", b"new 2"]
    assert await store.find_request("new", making.key("r1")) is not None
    assert await store.append(making.founding("next", instant_ms=november)) == APPENDED
    await store.close()


async def test_servers_make_the_next_months(cluster: Cluster, migrated: str) -> None:
    named = "SELECT relname FROM pg_class WHERE relname ~ '^log_[0-9]{6}$' ORDER BY 1"
    for name in cluster.sql(named, migrated).split():
        cluster.sql(f"DROP TABLE {name}", migrated)
    store = PostgresStore(cluster.url(migrated))
    await store.beat(1, 1)
    today = datetime.datetime.now(datetime.UTC)
    made = cluster.sql(named, migrated).split()
    assert made[0] == f"log_{today:%Y%m}"
    assert len(made) == 3
    await store.close()

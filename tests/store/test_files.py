"""Files that are there before the store is: ours, older, newer, damaged, somebody else's, or no files at all."""

import hashlib
import os
import pathlib
from collections.abc import Iterator

import apsw
import pytest

from majlis.store import protocol
from majlis.store.sqlite import schema
from majlis.store.sqlite import store as sqlite
from tests.store import making

APPENDED = protocol.Appended()


async def made(path: pathlib.Path, matches: int = 1) -> None:
    store = sqlite.SqliteStore(path)
    for n in range(matches):
        await store.append(making.founding(f"m{n}", payload=bytes(3000)))
    await store.close()


def contents(folder: pathlib.Path) -> dict[str, str]:
    """Every file but the lock, and SQLite's shared memory, which holds nothing that lasts."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.iterdir()
        if not file.name.endswith((".lock", "-shm"))
    }


def names(folder: pathlib.Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def modes(folder: pathlib.Path) -> dict[str, str]:
    return {file.name: f"{file.stat().st_mode & 0o777:o}" for file in folder.iterdir()}


def refused(path: pathlib.Path, text: str) -> None:
    """As foreign, in one line that names the file, and with every byte left as it was."""
    before = contents(path.parent)
    with pytest.raises(protocol.Foreign) as caught:
        sqlite.SqliteStore(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert text in message
    assert "\n" not in message
    assert contents(path.parent) == before


async def test_a_new_file_is_whole_at_once_and_its_owners_alone(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    store = sqlite.SqliteStore(path)
    header = path.read_bytes()[:100]
    assert header[68:72] == b"Mjls"
    assert int.from_bytes(header[60:64], "big") == len(schema.migrations())
    await store.append(making.founding("m"))
    assert modes(tmp_path) == {
        "majlis.db": "600",
        "majlis.db-wal": "600",
        "majlis.db-shm": "600",
        "majlis.db.lock": "600",
    }
    await store.close()
    assert names(tmp_path) == ["majlis.db", "majlis.db.lock"]


async def test_everything_is_there_after_reopening(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    await made(path, 3)
    store = sqlite.SqliteStore(path)
    assert await store.head("m2") == protocol.Head("m2", 1, 1, making.ACTIVE, None)
    assert await store.append(making.following("m2", 2)) == APPENDED
    await store.close()


async def test_an_empty_file_is_taken_over(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    path.touch()
    await made(path)


async def test_a_making_that_was_broken_off_is_begun_anew(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    path.with_name(".majlis.db.new").write_bytes(b"half")
    path.with_name(".majlis.db.new-journal").write_bytes(b"half")
    await made(path)
    assert names(tmp_path) == ["majlis.db", "majlis.db.lock"]


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0", os.urandom(10_000)])
async def test_what_is_no_database_is_refused(tmp_path: pathlib.Path, content: bytes) -> None:
    path = tmp_path / "majlis.db"
    path.write_bytes(content)
    refused(path, "not an SQLite database")


@pytest.mark.parametrize("mode", ["delete", "wal"])
async def test_another_programs_database_is_refused(tmp_path: pathlib.Path, mode: str) -> None:
    path = tmp_path / "majlis.db"
    theirs = apsw.Connection(str(path))
    assert theirs.pragma("journal_mode", mode) == mode
    theirs.execute("CREATE TABLE matches (a); INSERT INTO matches VALUES (1)")
    refused(path, "another program")
    assert theirs.execute("SELECT a FROM matches").fetchall() == [(1,)]
    theirs.close()


async def test_a_damaged_schema_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    await made(path)
    content = bytearray(path.read_bytes())
    content[100:4096] = os.urandom(3996)
    path.write_bytes(content)
    refused(path, "damaged")


@pytest.mark.parametrize("table", ["log", "matches", "seats", "outbox", "alive", "names", "consumers"])
async def test_a_database_that_lacks_a_table_is_refused(tmp_path: pathlib.Path, table: str) -> None:
    path = tmp_path / "majlis.db"
    await made(path)
    ours = apsw.Connection(str(path))
    ours.execute(f"DROP TABLE {table}")
    ours.close()
    refused(path, "damaged")


async def test_a_database_cut_short_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    await made(path, 20)
    os.truncate(path, path.stat().st_size // 2)
    refused(path, "damaged")


async def test_a_damaged_database_with_a_log_beside_it_is_refused(tmp_path: pathlib.Path) -> None:
    path, copy = tmp_path / "majlis.db", tmp_path / "copy" / "majlis.db"
    copy.parent.mkdir()
    store = sqlite.SqliteStore(path)
    await store.append(making.founding("m"))
    content = bytearray(path.read_bytes())
    content[100:4096] = os.urandom(3996)
    copy.write_bytes(content)
    wal = bytearray((tmp_path / "majlis.db-wal").read_bytes())
    wal[100:] = bytes(len(wal) - 100)  # a log that covers nothing
    (copy.parent / "majlis.db-wal").write_bytes(wal)
    refused(copy, "damaged")
    await store.close()


@pytest.mark.parametrize("side", ["-wal", "-journal"])
async def test_a_log_without_its_database_is_refused(tmp_path: pathlib.Path, side: str) -> None:
    (tmp_path / f"majlis.db{side}").write_bytes(b"the last moves of somebody's match")
    refused(tmp_path / "majlis.db", f"majlis.db{side} is there")


async def test_a_schema_that_needs_a_newer_program_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    await made(path)
    known = len(schema.migrations())
    newer = apsw.Connection(str(path))
    newer.execute(f"UPDATE meta SET min_program = {known + 1}; PRAGMA user_version = {known + 1}")
    newer.close()
    refused(path, f"needs a program that knows schema {known + 1}; this one knows {known}")


async def test_a_newer_schema_that_only_added_is_worked_on(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    await made(path)
    known = len(schema.migrations())
    newer = apsw.Connection(str(path))
    newer.execute(f"CREATE TABLE leases (since_ms INTEGER); PRAGMA user_version = {known + 1}")
    newer.close()
    await made(path)
    assert apsw.Connection(str(path)).pragma("user_version") == known + 1


async def test_a_migration_that_fails_leaves_nothing_behind(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "majlis.db"
    await made(path)
    texts = schema.migrations()
    monkeypatch.setattr(schema, "migrations", lambda: (*texts, "CREATE TABLE a (b) STRICT"))
    with pytest.raises(protocol.Unavailable, match=r"majlis\.db: .*missing datatype"):
        sqlite.SqliteStore(path)
    monkeypatch.setattr(schema, "migrations", lambda: (*texts, "CREATE TABLE a (b TEXT) STRICT"))
    await made(path)
    assert apsw.Connection(str(path)).pragma("user_version") == len(texts) + 1


@pytest.mark.parametrize("another", [False, True])
async def test_nothing_is_taken_into_a_file_that_was_moved_away(tmp_path: pathlib.Path, another: bool) -> None:
    path, aside = tmp_path / "majlis.db", tmp_path / "aside.db"
    store = sqlite.SqliteStore(path)
    await store.append(making.founding("m"))
    path.rename(aside)
    if another:
        await made(tmp_path / "restored.db")
        (tmp_path / "restored.db").rename(path)
    before = contents(tmp_path)
    for call in (store.append(making.following("m", 2)), store.beat(1, 1)):
        with pytest.raises(protocol.Unavailable, match=r"majlis\.db: "):
            await call
    assert contents(tmp_path) == before
    aside.rename(path)
    assert await store.append(making.following("m", 2)) == protocol.Appended()
    await store.close()


async def test_a_loop_of_links_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    path.symlink_to(path)
    with pytest.raises(protocol.Unavailable, match="symbolic links"):
        sqlite.SqliteStore(path)


async def test_a_directory_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    path.mkdir()
    with pytest.raises(protocol.Foreign, match=f"{path}: not a regular file"):
        sqlite.SqliteStore(path)


async def test_a_directory_that_is_not_there_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(protocol.Unavailable, match=f"{tmp_path}/data: no such directory"):
        sqlite.SqliteStore(tmp_path / "data" / "majlis.db")


@pytest.fixture
def unwritable(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A directory that may not be written; root may write everywhere and becomes somebody else meanwhile."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o555)
    for parent in tmp_path.parents[:3] if os.geteuid() == 0 else ():
        if parent.stat().st_mode & 0o001 == 0:
            parent.chmod(0o711)
    tmp_path.chmod(0o711)
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    yield folder
    os.seteuid(was)


async def test_a_directory_that_may_not_be_written_is_named(unwritable: pathlib.Path) -> None:
    path = unwritable / "majlis.db"
    with pytest.raises(protocol.Unavailable, match=f"{path}.*: Permission denied"):
        sqlite.SqliteStore(path)


async def test_results_wait_for_a_publisher_in_the_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    store = sqlite.SqliteStore(path)
    await store.append(making.founding("m", outbox=("seated", "started")))
    assert await store.append(making.following("m", 5, outbox=("ended",))) == protocol.Lost()
    ending = making.following("m", 2, over=True, outbox=("ended",))
    assert [await store.append(ending) for _ in range(2)] == [APPENDED, APPENDED]
    await store.close()
    rows = apsw.Connection(str(path)).execute("SELECT * FROM outbox ORDER BY record, ordinal").fetchall()
    assert rows == [
        ("m", 1, 0, "seated", making.FOUNDED_MS, None),
        ("m", 1, 1, "started", making.FOUNDED_MS, None),
        ("m", 2, 0, "ended", making.FOUNDED_MS + 2, None),
    ]

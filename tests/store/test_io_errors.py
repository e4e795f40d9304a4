"""Disks that fail while appends wait: nobody is told what is not certain, and the store recovers by itself."""

import asyncio
import pathlib
import subprocess
from collections.abc import AsyncIterator, Iterator

import apsw
import pytest

from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from tests.store import faulty, making
from tests.store.faulty import faults

__all__ = ["faults"]

APPENDED = protocol.Appended()


@pytest.fixture
async def store(tmp_path: pathlib.Path, faults: faulty.Faults) -> AsyncIterator[sqlite.SqliteStore]:
    opened = sqlite.SqliteStore(tmp_path / "majlis.db", vfs=faulty.NAME)
    await asyncio.gather(*(opened.append(making.founding(f"m{n}")) for n in range(3)))
    yield opened
    faults.heal()
    await opened.close()


async def heads(store: sqlite.SqliteStore) -> list[int]:
    found = [await store.head(f"m{n}") for n in range(3)]
    return [head.record for head in found if head]


async def test_every_commit_is_synced_before_it_is_acknowledged(
    store: sqlite.SqliteStore, faults: faulty.Faults
) -> None:
    for record in range(2, 7):
        before = faults.calls["sync -wal"]
        assert await store.append(making.following("m0", record)) == APPENDED
        assert faults.calls["sync -wal"] == before + 1


async def test_a_failed_sync_leaves_appends_in_doubt_until_they_are_read_back(
    store: sqlite.SqliteStore, faults: faulty.Faults, tmp_path: pathlib.Path
) -> None:
    """The sync of the commit fails, and that of closing the file. Opening it anew finds the commit in the log."""
    story: list[str] = []
    store.on_reopen = lambda: story.append("reopened")
    faults.fail("sync", "-wal", times=2)
    appends = [making.following(f"m{n}", 2) for n in range(3)]

    async def doubted(append: protocol.Append) -> None:
        with pytest.raises(protocol.InDoubt):
            await store.append(append)
        story.append("in doubt")

    await asyncio.gather(*map(doubted, appends))
    assert story == ["reopened", "in doubt", "in doubt", "in doubt"]
    assert wal_bytes(tmp_path) == 0, "what was found is in the file itself"
    assert [await store.find_append(append.match_id, append.append_id) for append in appends] == [2, 2, 2]
    assert await store.append(appends[0]) == APPENDED
    assert await store.append(making.following("m0", 3)) == APPENDED
    assert await heads(store) == [3, 2, 2]


async def test_a_failed_sync_and_a_clean_close_leave_nothing(store: sqlite.SqliteStore, faults: faulty.Faults) -> None:
    """SQLite closes the file as it was before the commit, and removes the log that held it."""
    reopened: list[bool] = []
    store.on_reopen = lambda: reopened.append(True)
    faults.fail("sync", "-wal", times=1)
    append = making.following("m0", 2)
    with pytest.raises(protocol.Unavailable):
        await store.append(append)
    assert reopened == [True]
    assert await store.find_append("m0", append.append_id) is None
    assert await store.append(append) == APPENDED
    assert await heads(store) == [2, 1, 1]


@pytest.mark.parametrize("error", [apsw.IOError, apsw.CorruptError])
async def test_a_failed_write_certainly_leaves_nothing(
    store: sqlite.SqliteStore, faults: faulty.Faults, error: type[apsw.Error]
) -> None:
    reopened: list[bool] = []
    store.on_reopen = lambda: reopened.append(True)
    faults.fail("write", "-wal", error, times=1)
    append = making.following("m0", 2)
    with pytest.raises(protocol.Unavailable):
        await store.append(append)
    assert reopened == [True]
    assert await store.find_append("m0", append.append_id) is None
    assert await heads(store) == [1, 1, 1]
    assert await store.append(append) == APPENDED


async def test_a_full_disk_takes_nothing_and_answers_questions(
    store: sqlite.SqliteStore, faults: faulty.Faults
) -> None:
    reopened: list[bool] = []
    store.on_reopen = lambda: reopened.append(True)
    faults.fail("write", "-wal", apsw.FullError)
    for _ in range(3):
        outcomes = await asyncio.gather(
            *(store.append(making.following(f"m{n}", 2)) for n in range(3)), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes] == [protocol.Unavailable] * 3
        assert {type(outcome.__cause__) for outcome in outcomes if isinstance(outcome, Exception)} == {apsw.FullError}
        assert await heads(store) == [1, 1, 1]
    assert reopened == []
    faults.heal()
    assert await store.append(making.following("m0", 2)) == APPENDED
    assert await heads(store) == [2, 1, 1]


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
async def test_a_store_that_takes_nothing_shows_no_sign_of_life(
    store: sqlite.SqliteStore, faults: faulty.Faults, error: type[apsw.Error]
) -> None:
    assert await store.beat(1_000, 100) == []
    faults.fail("write", "-wal", error)
    for now_ms in (1_050, 1_100):
        with pytest.raises(protocol.Unavailable):
            await store.beat(now_ms, 100)
    faults.heal()
    assert await store.beat(1_150, 100) == [protocol.Outage(1_000, 1_150)]
    assert await store.append(making.following("m0", 2)) == APPENDED


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
async def test_a_store_that_takes_nothing_places_and_acknowledges_nothing(
    store: sqlite.SqliteStore, faults: faulty.Faults, error: type[apsw.Error]
) -> None:
    await store.append(making.following("m0", 2, outbox=("started", "ended")))
    faults.fail("write", "-wal", error)
    for _ in range(2):
        for call in (store.publish(9), store.acknowledge("wallet", 1)):
            with pytest.raises(protocol.Unavailable) as caught:
                await call
            assert isinstance(caught.value.__cause__, error)
    faults.heal()
    assert await store.results(0, 9) == []
    assert await store.acknowledged("wallet") == 0
    assert await store.publish(9) == 2
    await store.acknowledge("wallet", 1)
    assert [one.position for one in await store.results(0, 9)] == [1, 2]
    assert await store.acknowledged("wallet") == 1


async def test_a_failed_write_leaves_a_name_free(store: sqlite.SqliteStore, faults: faulty.Faults) -> None:
    faults.fail("write", "-wal", times=1)
    append = making.following("m0", 2, claims=(making.claim("t1"),))
    with pytest.raises(protocol.Unavailable):
        await store.append(append)
    assert await store.find_name("table", "t1", 0) is None
    assert await store.append(making.following("m1", 2, claims=(making.claim("t1"),))) == APPENDED
    assert await store.append(append) == making.held("t1", "m1")


async def test_acknowledging_again_costs_no_sync(store: sqlite.SqliteStore, faults: faulty.Faults) -> None:
    await store.acknowledge("wallet", 4)
    before = faults.calls["sync -wal"]
    await store.acknowledge("wallet", 4)
    assert await store.publish(9) == 0
    assert faults.calls["sync -wal"] == before
    await store.acknowledge("wallet", 5)
    assert faults.calls["sync -wal"] == before + 1


async def test_a_disk_that_is_gone_and_comes_back(store: sqlite.SqliteStore, faults: faulty.Faults) -> None:
    reopened: list[bool] = []
    store.on_reopen = lambda: reopened.append(True)
    faults.fail("sync", "-wal")
    faults.fail("open", "majlis.db")
    append = making.following("m0", 2)
    with pytest.raises(protocol.InDoubt):
        await store.append(append)
    with pytest.raises(protocol.Unavailable):
        await store.find_append("m0", append.append_id)
    with pytest.raises(protocol.Unavailable):
        await store.append(making.following("m1", 2))
    assert reopened == []
    faults.heal()
    landed = await store.find_append("m0", append.append_id)
    assert reopened == [True]
    assert await store.head("m0") == protocol.Head("m0", landed or 1, (landed or 0) * 3 or 1, making.ACTIVE, None)
    assert await store.append(making.following("m1", 2)) == APPENDED


async def test_an_append_in_doubt_stays_what_it_was_read_back_as(
    store: sqlite.SqliteStore, faults: faulty.Faults, tmp_path: pathlib.Path
) -> None:
    """The sync of the commit fails, that of closing, and the first of opening again."""
    faults.fail("sync", "-wal", times=3)
    append = making.following("m0", 2)
    with pytest.raises(protocol.InDoubt):
        await store.append(append)
    assert faults.hits == {"sync": 3}
    assert await store.find_append("m0", append.append_id) == 2
    assert wal_bytes(tmp_path) == 0, "what was read back is in the file itself"
    (copy := tmp_path / "copy.db").write_bytes((tmp_path / "majlis.db").read_bytes())
    again = sqlite.SqliteStore(copy)
    assert await again.find_append("m0", append.append_id) == 2
    await again.close()


def wal_bytes(folder: pathlib.Path) -> int:
    return (folder / "majlis.db-wal").stat().st_size


async def test_an_append_that_cannot_be_stored_fails_alone(store: sqlite.SqliteStore) -> None:
    outcomes = await asyncio.gather(
        store.append(making.following("m0", 2)),
        store.append(making.following("m1", 2, deadline_ms=2**70)),
        store.append(making.following("m2", 2)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [protocol.Appended, ValueError, protocol.Appended]
    assert await heads(store) == [2, 1, 2]


async def test_another_program_that_writes_makes_appends_unavailable(
    store: sqlite.SqliteStore, tmp_path: pathlib.Path
) -> None:
    operator = apsw.Connection(str(tmp_path / "majlis.db"))
    operator.execute("BEGIN IMMEDIATE")
    with pytest.raises(protocol.Unavailable):
        await store.append(making.following("m0", 2))
    operator.execute("ROLLBACK")
    operator.close()
    assert await store.append(making.following("m0", 2)) == APPENDED


@pytest.fixture
def small_disk(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def enlarge(disk: pathlib.Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=9m", str(disk)], check=True)


async def test_a_disk_that_really_fills_up(small_disk: pathlib.Path) -> None:
    store = sqlite.SqliteStore(small_disk / "majlis.db")
    await store.append(making.founding("m"))
    await store.append(making.following("m", 2))
    record = 2
    with pytest.raises(protocol.Unavailable, match="full"):  # noqa: PT012 -- which one fails is the disk's choice
        while record < 1000:
            await store.append(making.following("m", record + 1, payload=bytes(8000)))
            record += 1
    assert record > 10
    assert await store.head("m") == protocol.Head("m", record, record * 3, making.ACTIVE, None)
    await store.close()
    with pytest.raises(protocol.Unavailable, match=r"majlis\.db: .*full"):
        sqlite.SqliteStore(small_disk / "majlis.db")
    enlarge(small_disk)
    again = sqlite.SqliteStore(small_disk / "majlis.db")
    assert len(await again.payloads("m")) == record
    assert await again.append(making.following("m", record + 1)) == APPENDED
    await again.close()

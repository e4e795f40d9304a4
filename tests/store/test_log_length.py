"""The write-ahead log is carried into the file while the server runs, and does not grow without bound."""

import asyncio
import pathlib

import pytest

from majlis.store.sqlite import database
from majlis.store.sqlite import store as sqlite
from tests.store import making

PAGE = 4096


def size(path: pathlib.Path) -> int:
    return path.stat().st_size


async def append(store: sqlite.SqliteStore, first: int, last: int) -> None:
    for record in range(first, last + 1):
        await store.append(making.following("m", record, payload=bytes(4 * PAGE)))


async def test_a_long_log_is_carried_over_beside_the_commits(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_LONG_LOG_PAGES", 200)
    store = sqlite.SqliteStore(tmp_path / "majlis.db")
    await store.append(making.founding("m"))
    fresh = size(tmp_path / "majlis.db")
    await append(store, 2, 20)
    assert size(tmp_path / "majlis.db") == fresh, "nothing is carried over while the log is short"
    await append(store, 21, 60)
    for _ in range(500):
        if size(tmp_path / "majlis.db") > 200 * PAGE:
            break
        await asyncio.sleep(0.01)
    assert size(tmp_path / "majlis.db") > 200 * PAGE
    assert len(await store.payloads("m")) == 60
    await store.close()


async def test_without_a_moment_of_rest_a_commit_sees_to_it(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_LONG_LOG_PAGES", 10**9)
    monkeypatch.setattr(database, "_OVERLONG_LOG_PAGES", 100)
    store = sqlite.SqliteStore(tmp_path / "majlis.db")
    await store.append(making.founding("m"))
    await append(store, 2, 120)
    assert size(tmp_path / "majlis.db") > 400 * PAGE
    assert size(tmp_path / "majlis.db-wal") < 150 * PAGE
    await store.close()

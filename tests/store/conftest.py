"""A store of each kind, opened for a test and closed after it."""

import pathlib
from collections.abc import AsyncIterator, Callable

import pytest

from majlis.store import memory, protocol
from majlis.store import open as opening
from majlis.store.sqlite import store as sqlite
from tests.services.fixtures import POSTGRES, cluster, database, database_url, only_database

__all__ = ["cluster", "database", "database_url", "only_database"]

KINDS = ["memory", "sqlite", *POSTGRES]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store_url(kind: str, request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> str:
    if kind == "postgres":
        return str(request.getfixturevalue("database_url"))
    return "memory:" if kind == "memory" else f"sqlite:///{tmp_path}/majlis.db"


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[protocol.Store]:
    opened = opening.open_store(store_url)
    yield opened
    await opened.close()


@pytest.fixture
async def replica(kind: str, store_url: str) -> AsyncIterator[Callable[[], protocol.Store]]:
    """Opens doors of several servers to the same logs. SQLite has one process, hence one store."""
    logs, opened = memory.Logs(), list[protocol.Store]()

    def another() -> protocol.Store:
        if kind == "sqlite" and opened:
            return opened[0]
        opened.append(memory.MemoryStore(logs) if kind == "memory" else opening.open_store(store_url))
        assert opened[-1].shared != isinstance(opened[-1], sqlite.SqliteStore)
        return opened[-1]

    yield another
    for one in opened:
        await one.close()

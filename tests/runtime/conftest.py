"""Stores, clocks and runtimes for these tests."""

import pathlib
from collections.abc import AsyncIterator

import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import open as opening
from majlis.store import protocol
from tests.runtime import room, tonj
from tests.runtime.room import Clock, Match
from tests.services.fixtures import POSTGRES, cluster, database, database_url, only_database

__all__ = ["cluster", "database", "database_url", "only_database"]


@pytest.fixture(params=["memory", "sqlite", *POSTGRES])
def store_url(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("database_url"))
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/majlis.db"


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[protocol.Store]:
    opened = opening.open_store(store_url)
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def runtime(store: protocol.Store, clock: Clock) -> AsyncIterator[Runtime]:
    async with room.running(store, clock) as running:
        yield running


@pytest.fixture
async def match(runtime: Runtime, clock: Clock) -> Match:
    return await tonj.found(runtime, clock)

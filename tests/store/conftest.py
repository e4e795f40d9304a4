"""A store of each kind, opened for a test and closed after it."""

import pathlib
from collections.abc import AsyncIterator

import pytest

from majlis.store import open as opening
from majlis.store import protocol


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> AsyncIterator[protocol.Store]:
    opened = opening.open_store("memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/majlis.db")
    yield opened
    await opened.close()

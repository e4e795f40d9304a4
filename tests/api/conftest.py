"""What the tests are given: a server, or the means to make one; and a match that was played once for many tests."""

import functools
import pathlib
from collections.abc import AsyncIterator

import pytest

from tests.api import recording as recorded
from tests.api.serving import Serve, Served, serving


@pytest.fixture
def serve(tmp_path: pathlib.Path) -> Serve:
    """Makes servers with settings of one's own, on the same directory."""
    return functools.partial(serving, tmp_path)


@pytest.fixture
async def served(serve: Serve) -> AsyncIterator[Served]:
    """A server with the default settings."""
    async with serve() as server:
        yield server


@pytest.fixture
async def prompt(serve: Serve) -> AsyncIterator[Served]:
    """A server that shows at once who has gone."""
    async with serve(presence_grace_seconds=0) as server:
        yield server


@pytest.fixture(scope="session", params=[(), (0, 1, 4)], ids=["streams", "sessions"])
def recording(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> recorded.Recording:
    """A whole match of Trix, played once for all tests that look at it; and another in which some have sessions."""
    return recorded.played(tmp_path_factory.mktemp("recording"), request.param)

"""PostgreSQL for tests that ask for it: one server a run, and a database that is empty for each test.

Only with MAJLIS_TEST_POSTGRES set, as `make check-services` does; otherwise nothing is run over it, and
`test_chosen` says so.
"""

import os
from collections.abc import Iterator

import pytest

from tests.services.cluster import Cluster

CHOSEN = bool(os.environ.get("MAJLIS_TEST_POSTGRES"))
WHY_NOT = "over PostgreSQL: make check-services"
POSTGRES = ["postgres"] if CHOSEN else []
"""A kind of store, for those who run over several."""

EMPTY = """
    TRUNCATE matches, log, seats, names, outbox, consumers, outages, servers;
    UPDATE publisher SET position = 0;
    UPDATE alive SET at_ms = NULL
"""


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    running = Cluster()
    yield running
    running.remove()


@pytest.fixture(scope="session")
def only_database(cluster: Cluster) -> str:
    return cluster.database()


@pytest.fixture
def database(cluster: Cluster, only_database: str) -> str:
    """The name of a migrated database with nothing in it, which nobody else uses."""
    cluster.sql(EMPTY, only_database)
    return only_database


@pytest.fixture
def database_url(cluster: Cluster, database: str) -> str:
    return cluster.url(database)

"""Whether this run holds the stores to PostgreSQL, too."""

import pytest

from tests.services import fixtures
from tests.services.cluster import Cluster
from tests.services.fixtures import cluster

__all__ = ["cluster"]


@pytest.mark.skipif(not fixtures.CHOSEN, reason=fixtures.WHY_NOT)
def test_this_run_goes_over_postgresql(cluster: Cluster) -> None:
    assert int(cluster.sql("SHOW server_version_num")) >= 150_000

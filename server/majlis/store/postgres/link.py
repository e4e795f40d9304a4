"""One connection to the database: how it is opened, and which backend of the server is at its other end."""

import dataclasses
import datetime
from typing import TypeAlias

import asyncpg
from asyncpg import connect_utils

from majlis.store import protocol
from majlis.store.postgres.address import Address
from majlis.store.postgres.patience import Patience

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_SETTINGS = {
    "default_transaction_isolation": "read committed",
    "synchronous_commit": "on",
    # Every statement finds few rows by an index, whatever the statistics of a young table say.
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
    # So that the server notices when this process, or the way to it, is gone.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "idle_in_transaction_session_timeout": "10s",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Backend:
    """A session of the server, told apart from every later one."""

    pid: int
    began: datetime.datetime


@dataclasses.dataclass(frozen=True, slots=True)
class Link:
    """A connection that knows its other end."""

    connection: Connection
    backend: Backend
    server_began: datetime.datetime
    """When the server was started: after a restart, or on another server, it differs."""


async def opened(address: Address, patience: Patience, name: str) -> Connection:
    """A connection, with limits on everything.

    Args:
        address: of the database.
        patience: the limits.
        name: what operators see in `pg_stat_activity`.

    Raises:
        asyncpg.PostgresError, OSError, TimeoutError: there is none to be had.
        Unavailable: the URL is of no use, or of no server that can be written to.
    """
    settings = _SETTINGS | {
        "application_name": f"majlis {name}",
        "statement_timeout": f"{int(patience.statement * 1000)}ms",
        "lock_timeout": f"{int(patience.lock * 1000)}ms",
    }
    try:
        connection: Connection = await asyncpg.connect(
            address.url,
            timeout=patience.connect,
            server_settings=settings,
            target_session_attrs=connect_utils.SessionAttribute.read_write,
        )
    except (ValueError, asyncpg.InterfaceError):
        # The driver's own words would quote the URL.
        raise protocol.Unavailable(f"{address.shown}: the driver cannot make use of this URL") from None
    except asyncpg.exceptions.TargetServerAttributeNotMatched:
        raise protocol.Unavailable(f"{address.shown}: a standby, which takes nothing") from None
    return connection


async def known(connection: Connection) -> Link:
    """The same, with its other end."""
    row = await connection.fetchrow(
        """
        SELECT pg_backend_pid() AS pid, backend_start, pg_postmaster_start_time() AS server_began
        FROM pg_stat_activity WHERE pid = pg_backend_pid()
        """
    )
    if row is None:
        raise protocol.Unavailable("the server does not tell which backend this is")
    return Link(connection, Backend(row["pid"], row["backend_start"]), row["server_began"])


async def gone(connection: Connection, backend: Backend, wait: float) -> bool:
    """Ends a session of before, if it is still there; whether it is over, so that nothing more can come from it."""
    row = await connection.fetchrow(
        "SELECT pg_terminate_backend(pid, $3) AS gone FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2",
        *(backend.pid, backend.began, int(wait * 1000)),
    )
    return row is None or bool(row["gone"])

"""The log's partitions, one for the matches that were founded in a month: made ahead of time, dropped by operators."""

import contextlib
import datetime

import asyncpg

from majlis.store.postgres.link import Connection

LOCK = 0x4D6A6C73
"""Whoever changes the schema holds this advisory lock: `Mjls`."""

# By itself, then attached: `CREATE TABLE … PARTITION OF` would hold up everybody who reads or writes the log.
_MAKE = """
    CREATE TABLE log_{month} (LIKE log INCLUDING ALL);
    ALTER TABLE log ATTACH PARTITION log_{month} FOR VALUES IN ({month});
"""
# What `to_regclass` has once not found it may go on not finding while others make it.
_IS_THERE = "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1)"


async def has_table(connection: Connection, name: str) -> bool:
    """Whether there is a table of this name by now."""
    return bool(await connection.fetchval(_IS_THERE, name))


async def make(connection: Connection, now_s: float, ahead: int) -> None:
    """Makes those that are missing, from the month of an instant on; and so many more.

    A month of which there are records already, in the partition for all others, stays there.

    Raises:
        asyncpg.PostgresError: they could not be made now.
    """
    for month in _following(now_s, ahead):
        if await has_table(connection, f"log_{month}"):
            continue
        with contextlib.suppress(asyncpg.CheckViolationError):
            async with connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
                if not await has_table(connection, f"log_{month}"):
                    await connection.execute(_MAKE.format(month=month))


def _following(now_s: float, ahead: int) -> list[int]:
    today = datetime.datetime.fromtimestamp(now_s, datetime.UTC)
    first = today.year * 12 + today.month - 1
    return [number // 12 * 100 + number % 12 + 1 for number in range(first, first + ahead + 1)]

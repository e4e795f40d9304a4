"""The log's partitions, one for the matches that were founded in a month: made ahead of time, dropped by operators."""

import datetime

import asyncpg

from majlis.store.postgres.link import Connection

# By itself, then attached: `CREATE TABLE … PARTITION OF` would hold up everybody who reads or writes the log.
_MAKE = """
    CREATE TABLE log_{month} (LIKE log INCLUDING ALL);
    ALTER TABLE log ATTACH PARTITION log_{month} FOR VALUES IN ({month});
"""


async def make(connection: Connection, now_s: float, ahead: int) -> None:
    """Makes those that are missing, from the month of an instant on; and so many more.

    A month of which there are records already, in the partition for all others, stays there.

    Raises:
        asyncpg.PostgresError: they could not be made now.
    """
    for month in _following(now_s, ahead):
        if await connection.fetchval("SELECT to_regclass($1)", f"log_{month}") is None:
            try:
                async with connection.transaction():
                    await connection.execute(_MAKE.format(month=month))
            except (asyncpg.DuplicateTableError, asyncpg.CheckViolationError):
                continue  # another server was quicker; or there are records


def _following(now_s: float, ahead: int) -> list[int]:
    today = datetime.datetime.fromtimestamp(now_s, datetime.UTC)
    first = today.year * 12 + today.month - 1
    return [number // 12 * 100 + number % 12 + 1 for number in range(first, first + ahead + 1)]

"""The schema's numbered files, and the versions by which a database and a program know whether they fit.

The one row of the table `majlis` has them. A database with more files than ours is still ours to work on as long as its
`min_program` is not above what we know: migrations add first and take away releases later. Servers only check;
operators migrate, from as many places at once as they like.
"""

import asyncio
import functools
import importlib.resources
import time

import asyncpg

from majlis.store import protocol
from majlis.store.postgres import faults, link, links, months
from majlis.store.postgres.address import Address
from majlis.store.postgres.link import Connection
from majlis.store.postgres.patience import Patience

_UNHURRIED = Patience(connect=10, lock=60, statement=600, answer=700)


@functools.cache
def migrations() -> tuple[str, ...]:
    """The SQL texts in order; the first is number 1."""
    folder = importlib.resources.files("majlis.store.postgres") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple((folder / name).read_text(encoding="utf-8") for name in names)


async def check(address: Address, patience: Patience) -> None:
    """Reads only.

    Raises:
        Foreign: the database lacks what this program needs, or needs a newer program, or is of another one.
        Unavailable: it cannot be read now.
    """
    connection = await _opened(address, patience)
    try:
        applied = await _applied(connection)
    except asyncpg.PostgresError as error:
        raise protocol.Unavailable(f"{address.shown}: {faults.text(error)}") from error
    except protocol.Foreign as error:
        raise protocol.Foreign(f"{address.shown}: {error}") from None
    finally:
        await links.shut(connection)
    if applied < len(migrations()):
        state = f"at schema {applied}, and this program needs {len(migrations())}" if applied else "empty"
        raise protocol.Foreign(f"{address.shown}: {state}: run `majlis migrate` first")


async def migrate(address: Address) -> int:
    """Applies the files that are missing, each in a transaction of its own, and makes partitions for a year.

    Returns:
        The schema's number after it.

    Raises:
        Foreign: it needs a newer program, or is of another one.
        Unavailable: it could not be done; what failed has left nothing behind.
    """
    connection = await _opened(address, _UNHURRIED)
    try:
        if (encoding := await connection.fetchval("SHOW server_encoding")) != "UTF8":
            raise protocol.Foreign(f"its encoding is {encoding}, and has to be UTF8")
        for number, text in enumerate(migrations(), start=1):
            async with connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1)", months.LOCK)
                if await _applied(connection) < number:
                    await connection.execute(text)
                    await connection.execute("UPDATE majlis SET version = $1", number)
        await months.make(connection, time.time(), ahead=12)
        return await _applied(connection)
    except protocol.Foreign as error:
        raise protocol.Foreign(f"{address.shown}: {error}") from None
    except asyncpg.DuplicateTableError as error:
        raise protocol.Foreign(f"{address.shown}: a database of another program: {faults.text(error)}") from error
    except (asyncpg.PostgresError, OSError, TimeoutError) as error:
        raise protocol.Unavailable(f"{address.shown}: {faults.text(error)}") from error
    finally:
        await links.shut(connection)


def check_now(address: Address, patience: Patience) -> None:
    """The same as `check` for whoever cannot await; the loop stands still meanwhile."""
    with asyncio.Runner() as runner:
        runner.run(check(address, patience))


async def _opened(address: Address, patience: Patience) -> Connection:
    try:
        return await link.opened(address, patience, "schema")
    except (asyncpg.PostgresError, OSError, TimeoutError) as error:
        raise protocol.Unavailable(f"{address.shown}: {faults.text(error)}") from error


async def _applied(connection: Connection) -> int:
    """Number of the last file that was applied; 0 for a database without any of ours.

    Raises:
        Foreign: it is not ours to work on.
    """
    if not await months.has_table(connection, "majlis"):
        return 0
    try:
        rows = await connection.fetch("SELECT version, min_program FROM majlis")
    except (asyncpg.UndefinedColumnError, asyncpg.WrongObjectTypeError) as error:
        raise protocol.Foreign(f"its table majlis is another program's: {faults.text(error)}") from error
    if len(rows) != 1:
        raise protocol.Foreign("damaged: it does not say which programs may work on it")
    version, needed = rows[0]
    if needed > len(migrations()):
        raise protocol.Foreign(f"needs a program that knows schema {needed}; this one knows {len(migrations())}")
    return int(version)

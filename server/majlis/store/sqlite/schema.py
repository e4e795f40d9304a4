"""The schema's numbered files, and the versions by which a database and a program know whether they fit.

`PRAGMA user_version` is the number of the last file that was applied. A file whose number is above ours is still ours
to work on as long as its `min_program` is not: migrations add first and take away releases later.
"""

import functools
import importlib.resources

import apsw

from majlis.store import protocol

APPLICATION_ID = 0x4D6A6C73
"""`Mjls`, bytes 68 to 71 of every file of ours."""
_TABLES = {
    1: ("matches", "log", "seats", "outbox"),
    2: ("alive", "outages"),
    4: ("names", "consumers"),
}
"""By the schema that brought them; none that this program may work on takes them away."""


@functools.cache
def migrations() -> tuple[str, ...]:
    """The SQL texts in order; the first is number 1."""
    folder = importlib.resources.files("majlis.store.sqlite") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple((folder / name).read_text(encoding="utf-8") for name in names)


def check(connection: apsw.Connection) -> None:
    """Reads only.

    Raises:
        Foreign: a newer program has made this file unreadable to this one, or it is damaged.
        Unavailable: it cannot be read now.
    """
    known = len(migrations())
    try:
        needed = [number for (number,) in connection.execute("SELECT min_program FROM meta")]
        if len(needed) != 1:
            raise protocol.Foreign("damaged: it does not say which programs may work on it")
        if needed[0] > known:
            raise protocol.Foreign(f"needs a program that knows schema {needed[0]}; this one knows {known}")
        applied = connection.pragma("user_version")
        for table in (table for number, tables in _TABLES.items() if number <= applied for table in tables):
            connection.execute(f"SELECT 1 FROM {table} LIMIT 0")  # noqa: S608 -- names of our own
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError) as error:
        raise protocol.Foreign(f"damaged: {error}") from error
    except apsw.Error as error:
        raise protocol.Unavailable(str(error)) from error


def migrate(connection: apsw.Connection) -> None:
    """Applies the files that are missing, each in a transaction of its own.

    Raises:
        apsw.Error: the one that failed has left nothing behind.
    """
    applied = connection.pragma("user_version")
    for number, text in enumerate(migrations(), start=1):
        if number > applied:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.execute(text)
                connection.execute(f"PRAGMA user_version = {number}")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

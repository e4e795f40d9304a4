"""The one door to the stores: from what the settings say to an open store."""

import asyncio
import pathlib

from majlis.store import memory, protocol
from majlis.store.postgres import address
from majlis.store.postgres import schema as postgres_schema
from majlis.store.postgres import store as postgres
from majlis.store.sqlite import schema as sqlite_schema
from majlis.store.sqlite import store as sqlite

_SQLITE = "sqlite:///"


def open_store(url_or_path: str, *, linger_ms: float = 1.0) -> protocol.Store:
    """Opens a store; called on the event loop that will use it, before anything is served.

    Args:
        url_or_path: `memory:`, which forgets everything; `sqlite:///relative/path`, `sqlite:////absolute/path`; a path
            alone, which means SQLite too; or `postgresql://user@host/database`, which has to be migrated before.
        linger_ms: how long a busy server lets appends collect before a commit; costs latency, saves processor time.

    Raises:
        Foreign: the file or database is not one of this program's, is damaged, was not migrated, or needs a newer
            program; nothing was changed.
        Unavailable: in use by another process, or not accessible.
        ValueError: a kind of store that there is not.
    """
    if url_or_path == "memory:":
        return memory.MemoryStore()
    if url_or_path.startswith(_SQLITE):
        return sqlite.SqliteStore(pathlib.Path(url_or_path.removeprefix(_SQLITE)), linger_ms=linger_ms)
    scheme, mark, _ = url_or_path.partition("://")
    if mark and scheme in address.SCHEMES:
        return postgres.PostgresStore(url_or_path, linger_ms=linger_ms)
    if mark:
        raise ValueError(f"{scheme}: no such kind of store; there are sqlite:///, postgresql:// and memory:")
    return sqlite.SqliteStore(pathlib.Path(url_or_path), linger_ms=linger_ms)


def migrate(url: str) -> int:
    """Brings a store up to date, without serving from it; no event loop runs.

    Args:
        url: as for `open_store`.

    Returns:
        The schema's number after it.

    Raises:
        Foreign: it is not one of this program's, is damaged, or needs a newer program; nothing was changed.
        Unavailable: in use by another process, or not accessible.
    """
    if url.partition("://")[0] in address.SCHEMES:
        return asyncio.run(postgres_schema.migrate(address.Address.parse(url)))

    async def opened() -> int:
        await open_store(url).close()
        return len(sqlite_schema.migrations())

    return asyncio.run(opened())

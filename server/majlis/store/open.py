"""The one door to the stores: from what the settings say to an open store."""

import pathlib

from majlis.store import memory, protocol
from majlis.store.sqlite import store as sqlite

_SQLITE = "sqlite:///"


def open_store(url_or_path: str, *, linger_ms: float = 1.0) -> protocol.Store:
    """Opens a store; called on the event loop that will use it, before anything is served.

    Args:
        url_or_path: `memory:`, which forgets everything; `sqlite:///relative/path`, `sqlite:////absolute/path`; or a
            path alone, which means SQLite too.
        linger_ms: how long a busy server lets appends collect before a commit; costs latency, saves processor time.

    Raises:
        Foreign: the file is not one of this program's, is damaged, or needs a newer program; nothing was changed.
        Unavailable: in use by another process, or not accessible.
        ValueError: a kind of store that there is not.
    """
    if url_or_path == "memory:":
        return memory.MemoryStore()
    if url_or_path.startswith(_SQLITE):
        return sqlite.SqliteStore(pathlib.Path(url_or_path.removeprefix(_SQLITE)), linger_ms=linger_ms)
    if "://" in url_or_path:
        raise ValueError(f"{url_or_path.partition('://')[0]}: no such kind of store; there are sqlite:/// and memory:")
    return sqlite.SqliteStore(pathlib.Path(url_or_path), linger_ms=linger_ms)

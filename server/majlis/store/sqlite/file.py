"""A database file before it is opened: is it ours, and how is a new one made.

Everything that refuses a file only reads it. A new one is made aside and moved into place, so a file that is there
always has its header whole. The process lock is held meanwhile; it is taken elsewhere.
"""

import os
import pathlib
import urllib.parse

import apsw

from majlis.store import protocol
from majlis.store.sqlite import schema

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100


def make_sure(path: pathlib.Path, vfs: str | None) -> None:
    """Leaves a file of ours at this path: the one that is there, or a new one.

    Raises:
        Foreign: what is there is not ours to work on; nothing was changed.
        Unavailable, apsw.Error, OSError: it is not accessible, or cannot be made.
    """
    sides = [side for side in _sides(path) if side.exists() and side.stat().st_size > 0]
    header = _header(path)
    if not header:
        if sides:
            raise protocol.Foreign(f"{path}: missing or empty, but {sides[0].name} is there: an incomplete copy?")
        _create(path)
        return
    if not header.startswith(_MAGIC) or len(header) < _HEADER_BYTES:
        raise protocol.Foreign(f"{path}: not an SQLite database")
    if int.from_bytes(header[68:72], "big") != schema.APPLICATION_ID:
        raise protocol.Foreign(f"{path}: a database of another program")
    try:
        _probe(path, immutable=not sides, vfs=vfs)
    except protocol.Foreign as error:
        raise protocol.Foreign(f"{path}: {error}") from error


def _sides(path: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-journal")


def _header(path: pathlib.Path) -> bytes:
    if path.exists() and not path.is_file():
        raise protocol.Foreign(f"{path}: not a regular file")
    try:
        with path.open("rb") as file:
            return file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _probe(path: pathlib.Path, *, immutable: bool, vfs: str | None) -> None:
    """Reads the schema.

    With nothing beside the file it is read as it stands, without locks and side files. Otherwise what is beside it
    belongs to it, has to be read too, and is left as it is.
    """
    query = "immutable=1" if immutable else ""
    uri = f"file:{urllib.parse.quote(str(path))}?{query}"
    flags = apsw.SQLITE_OPEN_READONLY if immutable else apsw.SQLITE_OPEN_READWRITE
    connection = apsw.Connection(uri, flags=flags | apsw.SQLITE_OPEN_URI, vfs=vfs)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        schema.check(connection)
    finally:
        connection.close(True)


def _create(path: pathlib.Path) -> None:
    aside = path.with_name(f".{path.name}.new")
    for left_over in (aside, *_sides(aside)):
        left_over.unlink(missing_ok=True)
    # Without an operator's key the seeds of running matches lie open in it.
    aside.touch(mode=0o600)
    connection = apsw.Connection(str(aside))
    try:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        schema.migrate(connection)
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close(True)
    aside.replace(path)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)

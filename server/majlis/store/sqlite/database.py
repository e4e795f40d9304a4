"""The two connections to the file: one that writes, one that reads.

After an I/O error both are closed and opened again, which settles what became of the last transaction: whatever the
write-ahead log still holds then is read afresh, copied into the file, and the log emptied, so a commit that half
succeeded can neither vanish nor come up later. Whose turn it is to use a connection is told here; what for is not.
"""

import contextlib
import os
import pathlib
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

import apsw

from majlis.store import protocol
from majlis.store.sqlite import file, lock, schema

_BUSY_MS = 1000
_CACHE_KIB = 32 * 1024
_LONG_LOG_PAGES = 4_000
_OVERLONG_LOG_PAGES = 16_000
_LOG_KEPT_BYTES = 64 * 1024 * 1024


class _Connections(NamedTuple):
    writer: apsw.Connection
    reader: apsw.Connection


class Database:
    """An open file, locked against other processes."""

    def __init__(self, path: pathlib.Path, on_reopen: Callable[[], None], vfs: str | None = None) -> None:
        """Opens the file, makes it if it is missing or empty, and brings its schema up to date.

        Args:
            path: of the database; its directory must be there.
            on_reopen: called, on the thread that noticed, whenever the connections were opened again.
            vfs: SQLite's name for the file system to go through; None for the operating system's.

        Raises:
            Foreign: not ours, damaged, or made for a newer program; nothing was changed.
            Unavailable: in use by another process, or not accessible.
        """
        # Not `Path.resolve`, to which a loop of links is a fault of the program.
        self._path = pathlib.Path(os.path.realpath(path))
        self._vfs = vfs
        self._on_reopen = on_reopen
        self._connections: _Connections | None = None
        self._file: tuple[int, int] | None = None  # which one is open
        self._using_reader = threading.Lock()
        self._checkpointing = threading.Lock()
        self.log_is_long = threading.Event()
        """Set when it is time for a checkpoint."""
        self._lock = lock.ProcessLock(self._path)
        try:
            file.make_sure(self._path, vfs)
            self._connections = self._connect()
        except (apsw.Error, OSError) as error:
            self.close()
            raise protocol.Unavailable(f"{self._path}: {error}") from error
        except BaseException:
            self.close()
            raise

    def writer(self) -> apsw.Connection:
        """The writing connection, for one thread only.

        Raises:
            apsw.Error: it had to be given up, and cannot be opened again yet.
        """
        connections = self._connections
        if connections is None:
            with self._using_reader:
                connections = self._opened()
        self._make_sure_it_is_in_place()
        return connections.writer

    @contextlib.contextmanager
    def reader(self) -> Iterator[apsw.Connection]:
        """The reading connection, for one user at a time.

        Raises:
            apsw.Error: it had to be given up, and cannot be opened again yet.
        """
        with self._using_reader:
            yield self._opened().reader

    def reopen(self) -> apsw.Connection:
        """For the writer's thread: gives up both connections, and opens them again.

        Raises:
            apsw.Error: they cannot be opened again yet; each later use tries.
        """
        with self._checkpointing, self._using_reader:
            self._disconnect()
            return self._opened().writer

    def checkpoint(self) -> None:
        """Carries over what the log holds, beside commits and reads; for a thread of its own.

        Raises:
            apsw.Error: some of it is still in the log only, where it is as safe.
        """
        with self._checkpointing:
            if self._connections is not None:
                self._make_sure_it_is_in_place()
                connection = self._open()
                try:
                    connection.execute("PRAGMA synchronous = FULL")
                    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
                finally:
                    connection.close(True)

    def close(self) -> None:
        """Lets go of the file. Nobody uses a connection any more. Safe to call twice."""
        self._disconnect()
        self._lock.release()

    def _make_sure_it_is_in_place(self) -> None:
        """What is written into a file that was moved away or deleted, nobody will find again.

        Raises:
            apsw.CantOpenError: another file is in its place, or none.
        """
        try:
            found = self._path.stat()
        except OSError as error:
            raise apsw.CantOpenError(f"{self._path}: {error.strerror}") from error
        if (found.st_dev, found.st_ino) != self._file:
            raise apsw.CantOpenError(f"{self._path}: another file than the one that was opened")

    def _opened(self) -> _Connections:
        if self._connections is None:
            self._connections = self._connect()
            self._on_reopen()
        return self._connections

    def _connect(self) -> _Connections:
        writer = self._open()
        try:
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("PRAGMA synchronous = FULL")
            writer.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            writer.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT_BYTES}")
            schema.migrate(writer)
            # What a failed sync has left in the system's cache only is written anew by this, or it fails.
            if writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0] != 0:
                raise apsw.BusyError("another program is reading the database")
            writer.set_wal_hook(self._after_commit)
            reader = self._open()
            reader.execute("PRAGMA query_only = ON")
            opened = self._path.stat()
            self._file = opened.st_dev, opened.st_ino
        except BaseException:
            writer.close(True)
            raise
        return _Connections(writer, reader)

    def _after_commit(self, writer: apsw.Connection, _name: str, pages: int) -> int:
        if pages >= _LONG_LOG_PAGES:
            self.log_is_long.set()
        if pages >= _OVERLONG_LOG_PAGES:
            # The log starts over only when a commit finds all of it carried over. Under unbroken load that moment may
            # never come by itself, so this commit waits for the rest.
            with contextlib.suppress(apsw.Error):
                writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        return apsw.SQLITE_OK

    def _open(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=self._vfs)
        connection.set_busy_timeout(_BUSY_MS)
        return connection

    def _disconnect(self) -> None:
        for connection in self._connections or ():
            # A connection that failed may fail to close as well; it is gone either way.
            with contextlib.suppress(apsw.Error):
                connection.close(True)
        self._connections = None

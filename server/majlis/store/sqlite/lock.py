"""One process per database file.

The lock lies on a file beside the database and not on the database itself: SQLite's exclusive locking mode would shut
out our own reading connection, and an operator who looks at or backs up the file while the server runs. The kernel
drops the lock with the process, however that ends. Nothing here opens the database.
"""

import fcntl
import os
import pathlib

from majlis.store import protocol


class ProcessLock:
    """The right to work on a database file, held from construction to `release`."""

    def __init__(self, database: pathlib.Path) -> None:
        """Takes the lock.

        Raises:
            Unavailable: another process, or another store of this one, has it, or the lock file cannot be made.
        """
        beside = database.with_name(database.name + ".lock")
        try:
            self._descriptor: int | None = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except FileNotFoundError as error:
            raise protocol.Unavailable(f"{database.parent}: no such directory") from error
        except OSError as error:
            raise protocol.Unavailable(f"{beside}: {error.strerror}") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.release()
            raise protocol.Unavailable(f"{database}: in use by another server process") from error

    def release(self) -> None:
        """Lets the next one in. The file stays: deleting it could leave two processes with a lock each."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

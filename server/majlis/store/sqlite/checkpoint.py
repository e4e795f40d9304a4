"""The thread that carries the write-ahead log into the database file, so that no commit has to wait for it.

A checkpoint takes some ten milliseconds of disk; SQLite would have it done by whichever commit comes when the log is
long. Checkpoints that settle something, at opening and closing, belong to `database`.
"""

import contextlib
import threading

import apsw

from majlis.store.sqlite import database


class Checkpointer:
    """Checkpoints whenever the log has become long."""

    def __init__(self, opened: database.Database) -> None:
        """Starts the thread."""
        self._database = opened
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="store-checkpointer", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Returns when no checkpoint is under way. Safe to call twice."""
        self._stopping = True
        self._database.log_is_long.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._database.log_is_long.wait()
            self._database.log_is_long.clear()
            if self._stopping:
                return
            # What could not be carried over stays in the log, and the next commit asks again.
            with contextlib.suppress(apsw.Error):
                self._database.checkpoint()

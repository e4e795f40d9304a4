"""The thread that commits, and what it makes of I/O errors: batches of appends, whose SQL is in `commit`, and jobs.

A job is a small piece of other writing in a transaction of its own, such as those in `upkeep`. An error of a batch is
passed on as `Unavailable` only when nothing of the batch is in the file and nothing can come up later.
"""

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import apsw

from majlis.store import gather, protocol
from majlis.store.sqlite import commit, database, queries

_T = TypeVar("_T")
_E = TypeVar("_E", bound=Exception)

# Errors after which a rollback is the whole story: a commit record that was not wholly written is none.
_ROLLED_BACK = (apsw.FullError, apsw.BusyError)

# Errors by which one append spoils its batch: the others are tried again without it.
_ITS_OWN = (apsw.ConstraintError, apsw.MismatchError, apsw.TooBigError, TypeError, ValueError, OverflowError)


def _because(error: Exception, told: _E) -> _E:
    """What is told, with its cause: the log knows a full disk by it."""
    told.__cause__ = error
    return told


class Writer:
    """Commits one batch after another."""

    def __init__(self, opened: database.Database) -> None:
        """Starts the thread."""
        self._database = opened
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, appends: Sequence[protocol.Append], deliver: gather.Deliver) -> None:
        """Queues a batch. `deliver` gets a result per append, in order, on the writer's thread."""
        self._work.put(lambda: deliver(self._commit(appends)))

    def do(self, job: Callable[[apsw.Connection], _T], deliver: Callable[[_T | Exception], None]) -> None:
        """Queues a job. `deliver` gets what it returned, or why not, on the writer's thread."""
        self._work.put(lambda: deliver(self._done(job)))

    def stop(self) -> None:
        """Returns when everything that was queued is done. Safe to call twice."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    def _done(self, job: Callable[[apsw.Connection], _T]) -> _T | Exception:
        try:
            connection = self._database.writer()
        except apsw.Error as error:
            return _because(error, protocol.Unavailable(f"the database cannot be opened again: {error}"))
        try:
            connection.execute("BEGIN IMMEDIATE")
            result = job(connection)
            connection.execute("COMMIT")
        except Exception as error:
            _, text = self._undo(connection, (), error)
            if isinstance(error, _ITS_OWN):
                return _because(error, ValueError(f"cannot be stored: {error}"))
            return _because(error, protocol.Unavailable(text))
        return result

    def _commit(self, appends: Sequence[protocol.Append]) -> Sequence[gather.Result]:
        try:
            connection = self._database.writer()
        except apsw.Error as error:
            text = f"the database cannot be opened again: {error}"
            return [_because(error, protocol.Unavailable(text)) for _ in appends]
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = commit.write(connection, appends)
            connection.execute("COMMIT")
        except Exception as error:
            kind, text = self._undo(connection, appends, error)
            if kind is protocol.Unavailable and isinstance(error, _ITS_OWN):
                if len(appends) > 1:
                    return [result for append in appends for result in self._commit([append])]
                kind, text = ValueError, f"cannot be stored: {error}"
            return [_because(error, kind(text)) for _ in appends]
        return outcomes

    def _undo(
        self, connection: apsw.Connection, appends: Sequence[protocol.Append], error: Exception
    ) -> tuple[type[Exception], str]:
        """What every append of a failed batch is told."""
        try:
            if connection.in_transaction:
                with contextlib.suppress(apsw.Error):
                    connection.execute("ROLLBACK")
            if connection.in_transaction or not isinstance(error, _ROLLED_BACK + _ITS_OWN):
                connection = self._database.reopen()
            landed = any(
                queries.has_append(connection, append.match_id, append.record, append.append_id) for append in appends
            )
        except apsw.Error as worse:
            return protocol.InDoubt, f"{error}; then {worse}"
        return (protocol.InDoubt if landed else protocol.Unavailable), str(error)

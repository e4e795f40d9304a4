"""The thread that answers questions to the database, so that the event loop never waits for a disk.

Questions that wait together are answered together, by one call to the loop. What is asked is in `queries`.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

import apsw

from majlis.store import protocol
from majlis.store.sqlite import database

_AT_ONCE = 64

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Question = tuple[Callable[[apsw.Connection], Any], asyncio.Future[Any]]
_Answer = tuple[asyncio.Future[Any], Any, Exception | None]


class Reader:
    """Answers one question after another."""

    def __init__(self, loop: asyncio.AbstractEventLoop, opened: database.Database) -> None:
        """Starts the thread."""
        self._loop = loop
        self._database = opened
        self._questions: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-reader", daemon=True)
        self._thread.start()

    async def ask(
        self, question: Callable[Concatenate[apsw.Connection, _P], _T], *args: _P.args, **kwargs: _P.kwargs
    ) -> _T:
        """Asks on the reader's thread.

        Raises:
            Unavailable: the database could not be read.
        """
        future: asyncio.Future[_T] = self._loop.create_future()
        self._questions.put((lambda connection: question(connection, *args, **kwargs), future))
        return await future

    def stop(self) -> None:
        """Returns when everything that was asked is answered. Safe to call twice."""
        self._questions.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._questions.get()) is not None:
            answers = [self._answer(first)]
            stopping = False
            while len(answers) < _AT_ONCE and not self._questions.empty():
                following = self._questions.get()
                if following is None:
                    stopping = True
                    break
                answers.append(self._answer(following))
            self._loop.call_soon_threadsafe(_settle, answers)
            if stopping:
                return

    def _answer(self, asked: _Question) -> _Answer:
        question, future = asked
        try:
            with self._database.reader() as connection:
                return future, question(connection), None
        except apsw.Error as error:
            unavailable = protocol.Unavailable(str(error))
            unavailable.__cause__ = error
            return future, None, unavailable
        except Exception as error:
            return future, None, error


def _settle(answers: list[_Answer]) -> None:
    for future, answer, error in answers:
        if future.done():
            continue
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)

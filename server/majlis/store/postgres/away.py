"""Whether the database can be reached. While it cannot, everybody is told so at once and one at a time tries again."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from majlis.store import protocol
from majlis.store.postgres import faults

_FIRST_PAUSE = 0.05

_T = TypeVar("_T")


class Away:
    """Of one store, for all of its connections."""

    def __init__(self, longest_pause: float) -> None:
        """Nothing was tried yet.

        Args:
            longest_pause: between attempts, in seconds; the first are closer together.
        """
        self._longest_pause = longest_pause
        self._pause = 0.0
        self._until = 0.0
        self._trying = False
        self._error: Exception | None = None

    async def opened(self, opening: Callable[[], Awaitable[_T]]) -> _T:
        """What opens a connection is tried, unless it is too early for that.

        Raises:
            Unavailable: it failed now, or a moment ago.
        """
        if self._error is not None and (self._trying or time.monotonic() < self._until):
            raise faults.because(self._error, protocol.Unavailable(faults.text(self._error)))
        self._trying = True
        try:
            link = await opening()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._error = error
            self._pause = min(2 * self._pause or _FIRST_PAUSE, self._longest_pause)
            self._until = time.monotonic() + self._pause * random.uniform(0.5, 1)  # noqa: S311 -- no secret
            if isinstance(error, protocol.Unavailable):
                raise
            raise faults.because(error, protocol.Unavailable(faults.text(error))) from error
        finally:
            self._trying = False
        self._error, self._pause = None, 0.0
        return link

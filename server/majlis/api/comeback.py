"""When those may come back who were turned away: one after the other, as fast as they can be turned away again.

To say no costs the server nearly half of what a move costs. If all who were turned away came back at their own pace,
a crowd that waits would take the time in which it could be served.
"""

import random
import time
from collections.abc import Callable

A_SECOND = 200
"""So many may come back in a second: some tenth of a processor, if all of them are turned away again."""
SOONEST_MS, LATEST_MS = 250, 10_000
STEP_MS = 10
"""Between two times that are told: few enough that a status can be kept made for each."""


class Comeback:
    """One queue of those who were turned away, without their names."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nobody was turned away yet.

        Args:
            clock: seconds that never run back.
        """
        self._clock = clock
        self._last = 0.0
        """When the last of them comes."""

    def after_ms(self) -> int:
        """The turn of one more, in milliseconds from now."""
        now = self._clock()
        self._last = max(self._last, now + SOONEST_MS / 1000) + 1 / A_SECOND
        wait_ms = (self._last - now) * 1000
        if wait_ms > LATEST_MS:
            # Nobody waits for longer; spread, so that those of one moment do not come in one moment again.
            self._last = now + LATEST_MS / 1000
            wait_ms = random.uniform(LATEST_MS / 2, LATEST_MS)  # noqa: S311 — no secret
        return round(wait_ms / STEP_MS) * STEP_MS

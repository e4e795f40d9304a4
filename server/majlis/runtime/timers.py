"""When clocks run out: one heap for all loaded matches.

A match has at most one alarm that counts; a deadline that moved away is found out when its old instant comes. Whether a
clock has really run out is decided inside the match's section (`sitting`); matches that are not loaded are found by the
runtime's sweep over the store.
"""

import asyncio
import dataclasses
import heapq
import itertools
from collections.abc import Callable

from majlis.runtime.sitting import Sitting

LONGEST_WAIT = 1.0
"""Seconds after which the instants are compared again, in case the wall clock was set."""
DISARMED = 256
"""Alarms that may lie about without their matches before the heap is cleared of them."""


@dataclasses.dataclass(slots=True)
class Alarm:
    """When to look at a match; without the match once that is no longer wanted."""

    due_ms: int
    sitting: Sitting | None


class Timers:
    """The deadlines of the loaded matches."""

    def __init__(self, now: Callable[[], int], fire: Callable[[Sitting], None]) -> None:
        """No deadline yet. `fire` is called with each match whose deadline has passed."""
        self._now = now
        self._fire = fire
        self._heap: list[tuple[int, int, Alarm]] = []
        self._alarms: dict[Sitting, Alarm] = {}
        self._order = itertools.count()
        self._disarmed = 0
        self._handle: asyncio.TimerHandle | None = None
        self._stopped = False

    def __len__(self) -> int:
        return len(self._heap)

    def arm(self, sitting: Sitting) -> None:
        """Sees to it that the match is looked at when its clock has run out."""
        if sitting.deadline_ms is None or sitting.gone or self._stopped:
            return
        due_ms = sitting.deadline_ms + 1  # the deadline itself is still in time
        alarm = self._alarms.get(sitting)
        if alarm is not None:
            if alarm.due_ms <= due_ms:
                return
            self.disarm(sitting)
        alarm = self._alarms[sitting] = Alarm(due_ms, sitting)
        heapq.heappush(self._heap, (due_ms, next(self._order), alarm))
        if self._heap[0][2] is alarm:
            self._wait()

    def disarm(self, sitting: Sitting) -> None:
        """Forgets a match."""
        alarm = self._alarms.pop(sitting, None)
        if alarm is not None:
            alarm.sitting = None
            self._disarmed += 1
            if self._disarmed > DISARMED + len(self._heap) // 2:
                self._heap = [entry for entry in self._heap if entry[2].sitting is not None]
                heapq.heapify(self._heap)
                self._disarmed = 0

    def check(self) -> None:
        """Fires what is due, and waits for the next."""
        now_ms = self._now()
        while self._heap and self._heap[0][0] <= now_ms:
            sitting = heapq.heappop(self._heap)[2].sitting
            if sitting is None:
                self._disarmed -= 1
                continue
            del self._alarms[sitting]
            if sitting.deadline_ms is not None and sitting.deadline_ms < now_ms:
                self._fire(sitting)
            else:
                self.arm(sitting)
        self._wait()

    def stop(self) -> None:
        """Fires nothing any more."""
        self._stopped = True
        self._heap.clear()
        self._alarms.clear()
        self._wait()

    def _wait(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self._heap:
            wait = min(max(self._heap[0][0] - self._now(), 0) / 1000, LONGEST_WAIT)
            self._handle = asyncio.get_running_loop().call_later(wait, self.check)

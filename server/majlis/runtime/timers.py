"""When clocks run out: one heap for all loaded matches.

A match has at most one alarm that counts; a deadline that moved away is found out when its old instant comes. Whether a
clock has really run out is decided inside the match's section (`sitting`); matches that are not loaded are found by the
runtime's sweep over the store.
"""

import asyncio
import contextvars
import dataclasses
import heapq
import itertools
from collections.abc import Callable

from majlis.runtime.ledger import Ledger

LONGEST_WAIT = 1.0
"""Seconds after which the instants are compared again, in case the wall clock was set."""
DISARMED = 256
"""Alarms that may lie about without their matches before the heap is cleared of them."""


@dataclasses.dataclass(slots=True)
class Alarm:
    """When to look at a match; without the match once that is no longer wanted."""

    due_ms: int
    match: Ledger | None


class Timers:
    """The deadlines of the loaded matches."""

    def __init__(self, now: Callable[[], int], fire: Callable[[Ledger], None]) -> None:
        """No deadline yet. `fire` is called with each match whose deadline has passed."""
        self._now = now
        self._fire = fire
        self._heap: list[tuple[int, int, Alarm]] = []
        self._alarms: dict[Ledger, Alarm] = {}
        self._order = itertools.count()
        self._disarmed = 0
        self._handle: asyncio.TimerHandle | None = None
        # What a clock does is not the doing of the call that happened to arm it, and must not be logged as such.
        self._context = contextvars.copy_context()
        self._stopped = False

    def __len__(self) -> int:
        return len(self._heap)

    def arm(self, match: Ledger) -> None:
        """Sees to it that the match is looked at when its clock has run out."""
        if match.deadline_ms is None or match.gone or self._stopped:
            return
        due_ms = match.deadline_ms + 1  # the deadline itself is still in time
        alarm = self._alarms.get(match)
        if alarm is not None:
            if alarm.due_ms <= due_ms:
                return
            self.disarm(match)
        alarm = self._alarms[match] = Alarm(due_ms, match)
        heapq.heappush(self._heap, (due_ms, next(self._order), alarm))
        if self._heap[0][2] is alarm:
            self._wait()

    def disarm(self, match: Ledger) -> None:
        """Forgets a match."""
        alarm = self._alarms.pop(match, None)
        if alarm is not None:
            alarm.match = None
            self._disarmed += 1
            if self._disarmed > DISARMED + len(self._heap) // 2:
                self._heap = [entry for entry in self._heap if entry[2].match is not None]
                heapq.heapify(self._heap)
                self._disarmed = 0

    def check(self) -> None:
        """Fires what is due, and waits for the next."""
        now_ms = self._now()
        while self._heap and self._heap[0][0] <= now_ms:
            match = heapq.heappop(self._heap)[2].match
            if match is None:
                self._disarmed -= 1
                continue
            del self._alarms[match]
            if match.deadline_ms is not None and match.deadline_ms < now_ms:
                self._fire(match)
            else:
                self.arm(match)
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
            self._handle = asyncio.get_running_loop().call_later(wait, self.check, context=self._context)

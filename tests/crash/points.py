"""Where a server dies: each point is reached by wrapping a function of the program, from outside."""

import asyncio
import functools
import threading
from collections.abc import Callable
from typing import Any

from majlis.runtime.ledger import Ledger
from majlis.runtime.lobby import Lobby
from majlis.runtime.runtime import Runtime
from majlis.store.sqlite import commit, upkeep
from majlis.store.sqlite.database import Database
from majlis.store.sqlite.writer import Writer
from tests.crash.disk import Disk
from tests.crash.plan import Plan

Call = Callable[..., Any]
WELCOMES = ("join_table", "create_room", "join_room", "leave", "rematch", "confirm_stake")
WIRE_SECONDS = 0.02
"""How long updates take to be on the wire."""


def wrap(owner: Any, name: str, make: Callable[[Call], Call]) -> None:
    """Puts what `make` makes of a function in its place."""
    call = getattr(owner, name)
    setattr(owner, name, functools.wraps(call)(make(call)))


class Points:
    """Counts the passes of one point."""

    def __init__(self, plan: Plan, disk: Disk) -> None:
        self._point = plan.point
        self._left = plan.hit
        self._disk = disk
        self._lock = threading.Lock()

    def arm(self) -> None:
        wrap(commit, "write", self._after("before-commit"))
        wrap(Writer, "_commit", self._after("after-commit"))
        wrap(Ledger, "take_over", self._before("before-publish"))
        wrap(Ledger, "take_over", self._after("after-publish"))
        wrap(Runtime, "submit", self._before_answer("before-answer"))
        for name in WELCOMES:
            wrap(Lobby, name, self._before_answer("before-welcome"))
        wrap(upkeep, "beat", self._after("in-beat"))
        wrap(upkeep, "publish", self._after("in-results"))
        wrap(Database, "_connect", self._after("while-opening"))
        self._disk.before_sync = lambda name: self._die_at("before-sync") if name.endswith("-wal") else None
        self._disk.tears = lambda name: self._reached("torn-log" if name.endswith("-wal") else "torn-file")

    def _reached(self, point: str) -> bool:
        if point != self._point:
            return False
        with self._lock:
            self._left -= 1
            return self._left == 0

    def _die_at(self, point: str) -> None:
        if self._reached(point):
            self._disk.die()

    def _before(self, point: str) -> Callable[[Call], Call]:
        def make(call: Call) -> Call:
            def called(*args: Any, **kwargs: Any) -> Any:
                self._die_at(point)
                return call(*args, **kwargs)

            return called

        return make

    def _after(self, point: str) -> Callable[[Call], Call]:
        def make(call: Call) -> Call:
            def called(*args: Any, **kwargs: Any) -> Any:
                result = call(*args, **kwargs)
                self._die_at(point)
                return result

            return called

        return make

    def _before_answer(self, point: str) -> Callable[[Call], Call]:
        def make(call: Call) -> Call:
            async def called(*args: Any, **kwargs: Any) -> Any:
                answer = await call(*args, **kwargs)
                if self._reached(point):
                    await asyncio.sleep(WIRE_SECONDS)
                    self._disk.die()
                return answer

            return called

        return make

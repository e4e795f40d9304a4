"""What goes wrong, one thing after another, by seeded chance; after each the server has to come back by itself."""

import asyncio
import functools
import math
import random
import time
from collections.abc import Awaitable, Callable

from tests.api.clients import PATIENCE
from tests.crash.asking import Broken
from tests.crash.plan import POINTS, Plan
from tests.crash.server import Server

OFTEN = 19
PASSES = {"in-beat": 1, "in-results": 1, "while-opening": 1, "before-welcome": 4}
"""Among how many of a point's passes one is chosen to die at: few where it is passed seldom; OFTEN everywhere else."""
Fault = Callable[[], Awaitable[None]]

PASS_SECONDS = 20.0
"""How long a point may take to be passed often enough."""
TROUBLES = ("full", "sync", "wall")


class Storm:
    """Over one server."""

    def __init__(self, server: Server, chance: random.Random, acknowledged: Callable[[], int]) -> None:
        """Nothing is broken yet.

        Args:
            server: that runs.
            chance: what comes when.
            acknowledged: how many actions were, so far.
        """
        self.story: list[str] = []
        """What was done, in order."""
        self.missed: list[str] = []
        """Points at which the server was to die and never came to."""
        self.server = server
        self._chance = chance
        self._acknowledged = acknowledged

    async def calm(self, actions: int = 4) -> None:
        """Waits until play goes on.

        Raises:
            Broken: it does not.
        """
        aim = self._acknowledged() + actions
        await self.until(lambda: self._acknowledged() >= aim, "nobody can play on")

    async def until(self, condition: Callable[[], bool], missed: str) -> None:
        """Waits for something to become true.

        Raises:
            Broken: it does not, or the server ends meanwhile.
        """
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise Broken(missed)
            if not self.server.runs:
                raise Broken("the server has ended by itself")
            await asyncio.sleep(0.02)

    @property
    def sabotage(self) -> str:
        """What is wrong with the server."""
        return self.server.sabotage

    async def rage(self, seconds: float) -> None:
        """For about so long; the server runs in the end, without a plan."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await self.everything(end, parts=4)

    async def everything(self, end: float = math.inf, parts: int = 1) -> None:
        """Each once: death at every point, kills at no point, a stop, bad disks.

        Args:
            end: instant at which it stops early.
            parts: in how many the deaths are divided, so that other things happen between them.
        """
        plans = [self._plan(point) for point in (*POINTS, *[""] * parts)]
        self._chance.shuffle(plans)
        faults: list[Fault] = [functools.partial(self.die_at, *plans[part::parts]) for part in range(parts)]
        faults += [functools.partial(self.spoil, kind) for kind in TROUBLES]
        faults.append(functools.partial(self.freeze, self._chance.uniform(3.5, 6)))
        self._chance.shuffle(faults)
        for fault in faults:
            if time.monotonic() < end:
                await fault()
                await self.calm()

    def _plan(self, point: str) -> Plan:
        hit = self._chance.randint(1, PASSES.get(point, OFTEN))
        return Plan(point, hit, power_cut=self._chance.random() < 0.5, sabotage=self.sabotage)

    async def die_at(self, *plans: Plan) -> None:
        """Kills the server and starts it by the first plan; what dies of that is started by the next, and so on."""
        await self.server.kill()
        for plan in plans:
            if plan.point:
                self.story.append(f"die at {plan}")
                if await self.server.start_by(plan):
                    await self.fall()
            else:
                await self.restart()
                await self.kill()
        await self.restart()

    async def fall(self) -> None:
        """Waits for the server to die of its plan."""
        try:
            await asyncio.wait_for(self.server.process.wait(), PASS_SECONDS)
        except TimeoutError:
            self.missed.append(self.story[-1])
        await self.server.kill()

    async def kill(self) -> None:
        """At no point in particular."""
        self.story.append("kill")
        await asyncio.sleep(self._chance.uniform(0.1, 1.0))
        await self.server.kill()

    async def freeze(self, seconds: float) -> None:
        self.story.append(f"stop for {seconds:.1f} s")
        await self.server.freeze(seconds)

    async def spoil(self, kind: str, seconds: float = 1.0) -> None:
        """A bad disk for a while, out of which the server finds by itself, or in which it dies."""
        dies = self._chance.random() < 0.3
        self.story.append(f"disk: {kind}{', and kill' if dies else ''}")
        refused = self.server.told["STORE_UNAVAILABLE"]
        self.server.trouble(kind)
        try:
            await asyncio.sleep(seconds)
            # With the others nobody knows what became of an append: who asked waits until that is known.
            if kind == "full":
                await self.until(lambda: self.server.told["STORE_UNAVAILABLE"] > refused, "nobody is told of it")
            if dies:
                await self.server.kill()
        finally:
            self.server.heal()
        if dies:
            await self.restart()

    async def restart(self) -> None:
        """Raises Broken if it does not start."""
        if not await self.server.start_by(Plan(sabotage=self.sabotage)):
            raise Broken(f"the server does not start any more: {self.server.log[-1:]}")

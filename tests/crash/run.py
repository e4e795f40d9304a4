"""One run: a server, tables, a lounge and a wallet at it, a storm over it, and the judgement in the end."""

import asyncio
import contextlib
import pathlib
import random
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator

from tests.api.clients import PATIENCE
from tests.crash.asking import Broken
from tests.crash.audit import audit
from tests.crash.judge import judge_file, judge_log, judge_results, must
from tests.crash.lounge import Lounge
from tests.crash.plan import Plan
from tests.crash.server import Server
from tests.crash.storm import Storm
from tests.crash.table import Table
from tests.crash.wallet import Wallet


class Run:
    """What its seed makes of it, and of the machine's speed."""

    def __init__(
        self,
        data: pathlib.Path,
        seed: int,
        *,
        tables: int = 6,
        guests: int = 8,
        pause: float = 0.05,
        first: Plan | None = None,
    ) -> None:
        """Nothing is started yet.

        Args:
            data: the server's directory, empty.
            seed: of all chance in it.
            tables: how many matches there are at once, of the games in turn.
            guests: who come by the lobby, to matches of their own.
            pause: seconds that players think, at the most.
            first: what the server is started by; its sabotage stays with it.
        """
        self.seed = seed
        self.first = first or Plan()
        self.server = Server(data, self.first.sabotage)
        self.tables = [Table(self.server, number, seed, pause) for number in range(tables)]
        self.lounge = Lounge(self.server, guests, seed, pause)
        self.wallet = Wallet(self.server, random.Random(seed * 1_000 + 498))
        self._places: list[Table | Lounge] = [*self.tables, self.lounge]
        self.storm = Storm(self.server, random.Random(seed), self.acknowledged)

    def acknowledged(self) -> int:
        now = sum(len(player.kept) for table in self.tables for player in table.players)
        return now + sum(table.acknowledged for table in self.tables) + self.lounge.acknowledged

    async def through(self, rage: Callable[[Storm], Awaitable[None]]) -> None:
        """Plays while `rage` does what it likes, to the end of every match.

        Raises:
            Broken: the server has not kept what it promises; the seed and what was done before are told.
        """
        self.storm.story.append(f"start by {self.first}")
        try:
            await self._through(rage)
        except (Broken, BaseExceptionGroup) as error:
            first = next(_broken(error), None)
            if first is None:
                raise
            story = "\n  ".join(self.storm.story[-12:])
            raise Broken(f"{first}\nseed {self.seed}, after:\n  {story}") from error
        finally:
            if self.server.runs:
                await self.server.kill()

    async def _through(self, rage: Callable[[Storm], Awaitable[None]]) -> None:
        must(await self.server.start_by(self.first), "the server does not start")
        async with asyncio.TaskGroup() as there:
            paying = there.create_task(self.wallet.live())
            async with asyncio.TaskGroup() as playing:
                for place in self._places:
                    playing.create_task(place.live())
                await rage(self.storm)
                for place in self._places:
                    place.close()
            await self._all_results_seen()
            paying.cancel()
        await judge_results(self.server, self.wallet.seen)
        self.server.process.send_signal(signal.SIGTERM)
        must(await self.server.ended() == 0, "it does not stop in order")
        judge_file(self.server)
        audit(self.server.data, self.lounge.guests, self.wallet)
        judge_log(self.server)

    async def _all_results_seen(self) -> None:
        """Waits until the wallet has seen as many results as there are.

        Raises:
            Broken: it does not.
        """
        end = time.monotonic() + PATIENCE
        with contextlib.closing(sqlite3.connect(self.server.data / "majlis.db")) as database:
            while True:
                ((count,),) = database.execute("SELECT count(*) FROM outbox")
                if len(self.wallet.seen) >= count:
                    return
                must(time.monotonic() < end, f"of {count} results the wallet was told {len(self.wallet.seen)}")
                await asyncio.sleep(0.05)

    def summary(self) -> str:
        """What it came to, in a line."""
        told = ", ".join(f"{reason or 'broken'} {count}" for reason, count in sorted(self.server.told.items()))
        matches = sum(len(table.ended) for table in self.tables)
        seats = sum(len(guest.seats) for guest in self.lounge.guests)
        left = sum(len(guest.left) for guest in self.lounge.guests)
        return (
            f"seed {self.seed}: {matches} matches made and {len(self.lounge.ended)} by the lobby, "
            f"{seats} seats taken, {left} left, {len(self.wallet.confirmed)} fees, {len(self.wallet.seen)} results, "
            f"{self.acknowledged()} acknowledged, {len(self.storm.story)} faults; told: {told}"
        )


def _broken(error: BaseException) -> Iterator[Broken]:
    """What is broken, in whatever it is wrapped."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _broken(inner)
    elif isinstance(error, Broken):
        yield error

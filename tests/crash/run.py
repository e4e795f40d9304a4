"""One run: a server, tables on which is played, a storm over it, and the judgement in the end."""

import asyncio
import pathlib
import random
import signal
from collections.abc import Awaitable, Callable, Iterator

from tests.crash.asking import Broken
from tests.crash.judge import judge_file, judge_log, judge_results, must
from tests.crash.plan import Plan
from tests.crash.server import Server
from tests.crash.storm import Storm
from tests.crash.table import Table


class Run:
    """What its seed makes of it, and of the machine's speed."""

    def __init__(
        self, data: pathlib.Path, seed: int, *, tables: int = 6, pause: float = 0.05, first: Plan | None = None
    ) -> None:
        """Nothing is started yet.

        Args:
            data: the server's directory, empty.
            seed: of all chance in it.
            tables: how many matches there are at once, of the games in turn.
            pause: seconds that players think, at the most.
            first: what the server is started by; its sabotage stays with it.
        """
        self.seed = seed
        self.first = first or Plan()
        self.server = Server(data, self.first.sabotage)
        self.tables = [Table(self.server, number, seed, pause) for number in range(tables)]
        self.storm = Storm(self.server, random.Random(seed), self.acknowledged)

    def acknowledged(self) -> int:
        now = sum(len(player.kept) for table in self.tables for player in table.players)
        return now + sum(table.acknowledged for table in self.tables)

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
        async with asyncio.TaskGroup() as playing:
            for table in self.tables:
                playing.create_task(table.live())
            await rage(self.storm)
            for table in self.tables:
                table.close()
        await judge_results(self.server, [match for table in self.tables for match in table.ended])
        self.server.process.send_signal(signal.SIGTERM)
        must(await self.server.ended() == 0, "it does not stop in order")
        judge_file(self.server)
        judge_log(self.server)

    def summary(self) -> str:
        """What it came to, in a line."""
        told = ", ".join(f"{reason or 'broken'} {count}" for reason, count in sorted(self.server.told.items()))
        matches = sum(len(table.ended) for table in self.tables)
        return (
            f"seed {self.seed}: {matches} matches, {self.acknowledged()} actions acknowledged, "
            f"{len(self.storm.story)} faults; told: {told}"
        )


def _broken(error: BaseException) -> Iterator[Broken]:
    """What is broken, in whatever it is wrapped."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _broken(inner)
    elif isinstance(error, Broken):
        yield error

"""Overload: players want to make twice as many moves as a server sustains, by a timetable that does not wait for it.

It has room for few calls at once and refuses the rest, typed and with a time to wait, and they wait for so long, as the
contract has it. What it lets in it does as fast as ever, and whoever watches is told. One process of callers could not
offer so much beside the server, so there are two; the peak is what both of them get done, and what a second of the
server's processor is good for is told as well, since all share the machine.
"""

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator, Sequence
from typing import Any

from bench import programs
from soak.findings import Finding, least, most
from soak.load import tables
from soak.load.pushing import Slice
from soak.load.site import Site

MATCHES = 400
CALLS = 32
FLAGS = ("--max-calls", str(CALLS))
PROCESSES = 2
LADDER = (0.5, 0.75, 1.0, 1.25)
"""Parts of a closed loop's rate at which the most is looked for."""
TIMES = 2.0
LEAST_GOODPUT = 0.80
LEAST_OF_CPU = 0.5
"""What may be left of the moves that a second of the server's processor is good for: the rest is spent on refusals."""
LEAST_WANTED = 1.9
"""What must really have been wanted, in times of the peak: these clients have to keep up as well."""
PEAK_TABLES = 16
"""Fewer than calls that the server has room for."""


@dataclasses.dataclass(frozen=True, slots=True)
class Done:
    """What so many seconds came to at all processes."""

    slice: Slice
    rate: float
    """Moves done, a second."""
    of_a_cpu_second: float
    """Moves done in a second of the server's processor."""


async def overload(site: Site, scale: float, seconds: float) -> list[Finding]:
    """With so much of the matches; each of the slices lasts so long."""
    count = max(PEAK_TABLES, round(MATCHES * scale))
    async with _callers(site, count) as callers:
        paces = await _all(callers, do="flat_out", tables=PEAK_TABLES // PROCESSES, seconds=seconds)
        rate = sum(pace["counted"] for pace in paces) / seconds
        ladder = [await _offered(site, callers, rate * part, seconds) for part in LADDER]
        peak = max(ladder, key=lambda done: done.rate)
        over = await _offered(site, callers, TIMES * peak.rate, seconds)
        still = await site.counts()
    wanted, done = over.slice.wanted / seconds / peak.rate, over.rate / peak.rate
    of_cpu = over.of_a_cpu_second / peak.of_a_cpu_second
    return [
        least("wanted, in times of the peak", wanted, LEAST_WANTED, " ×", 2, is_figure=True),
        least(f"moves done, of a peak of {peak.rate:,.0f}/s", done, LEAST_GOODPUT, " ×", 2, is_figure=True),
        least(f"of {peak.of_a_cpu_second:,.0f} in a second of its CPU", of_cpu, LEAST_OF_CPU, " ×", 2, is_figure=True),
        least("refused", over.slice.refused, 1),
        most("of those not OVERLOADED with a time to wait", len(over.slice.amiss), 0),
        least("streams still open", still.streams, 2 * count),
    ]


@contextlib.asynccontextmanager
async def _callers(site: Site, count: int) -> AsyncIterator[Sequence[programs.Program]]:
    """Processes that have sat down to so many matches together."""
    with contextlib.ExitStack() as stack:
        callers = [stack.enter_context(programs.started("soak.load.pushing")) for _ in range(PROCESSES)]
        where = {"address": site.address, "metrics": site.metrics, "data": str(site.data)}
        for number, caller in enumerate(callers):
            part = (count + number) // PROCESSES
            caller.tell(do="sit_down", group=f"over{number}", count=part, at_once=tables.AT_ONCE // PROCESSES, **where)
        for caller in callers:
            await asyncio.to_thread(caller.hear)
        yield callers


async def _all(callers: Sequence[programs.Program], **command: Any) -> list[dict[str, Any]]:
    """The same command to all at once; their answers."""
    return await asyncio.to_thread(programs.ask_all, callers, **command)


async def _offered(site: Site, callers: Sequence[programs.Program], rate: float, seconds: float) -> Done:
    """Moves at a rate, half of them by each process.

    Raises:
        EOFError: a process has ended, since what the server let in was not seen by both players in good time.
    """
    before = site.cpu_seconds()
    parts = await _all(callers, do="offer", rate=rate / len(callers), seconds=seconds)
    spent = site.cpu_seconds() - before
    whole = Slice(
        wanted=sum(part["wanted"] for part in parts),
        accepted=sum(part["accepted"] for part in parts),
        refused=sum(part["refused"] for part in parts),
        amiss=[told for part in parts for told in part["amiss"]],
    )
    return Done(whole, whole.accepted / seconds, whole.accepted / spent)

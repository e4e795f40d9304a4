"""The server under a storm of its own, briefly; and that the checks see a server that is at fault."""

import asyncio
import dataclasses
import pathlib
from collections.abc import Awaitable, Callable

import pytest

from tests.crash.asking import Broken
from tests.crash.plan import POINTS, SABOTAGES, Plan
from tests.crash.run import Run


async def everything_and_some_fees(run: Run) -> None:
    await run.storm.everything()
    await run.storm.until(lambda: len(run.wallet.confirmed) > 3, "no fees are confirmed")


async def test_every_fault_once(tmp_path: pathlib.Path) -> None:
    run = Run(tmp_path, seed=1, tables=3, pause=0.02)
    await run.through(lambda _: everything_and_some_fees(run))
    print(run.summary())
    assert not run.storm.missed
    assert len(run.storm.story) > len(POINTS)
    assert run.server.told["STORE_UNAVAILABLE"]
    assert run.server.told[""]
    assert run.lounge.ended


async def death(run: Run) -> None:
    await run.storm.fall()
    await run.storm.restart()
    await run.storm.calm()


async def a_full_disk_and_death(run: Run) -> None:
    await run.storm.calm()
    run.server.trouble("full")
    await asyncio.sleep(0.5)
    run.server.heal()
    await run.server.kill()
    await run.storm.restart()
    await run.storm.calm()


async def calm(run: Run) -> None:
    await run.storm.until(lambda: bool(run.lounge.ended), "no match was played")


async def a_fee_and_death(run: Run) -> None:
    await run.storm.until(lambda: bool(run.wallet.confirmed), "no fee was confirmed")
    await run.server.kill()
    await run.storm.restart()
    await run.storm.calm(20)


Rage = Callable[[Run], Awaitable[None]]
SHOWN_BY: dict[str, tuple[Plan, Rage]] = {
    "early-answer": (Plan("before-commit", 14), death),
    "early-publish": (Plan("before-commit", 14), death),
    "forgotten-requests": (Plan("before-answer", 6), death),
    "unsynced": (Plan("before-answer", 10, power_cut=True), death),
    "ignored-refusal": (Plan(), a_full_disk_and_death),
    "forgotten-claims": (Plan(), calm),
    "forgotten-fee": (Plan(), a_fee_and_death),
    "ignored-leave": (Plan(), calm),
    "lost-result": (Plan(), calm),
    "doubled-result": (Plan(), calm),
}
IN_THE_LOBBY = ("forgotten-claims", "forgotten-fee", "ignored-leave", "lost-result", "doubled-result")
"""Faults that guests and the wallet have to see by themselves; the others are seen by those who play."""


@pytest.mark.parametrize("sabotage", SABOTAGES)
async def test_a_server_at_fault_is_found_out(tmp_path: pathlib.Path, sabotage: str) -> None:
    plan, rage = SHOWN_BY[sabotage]
    there = {"tables": 0, "guests": 5} if sabotage in IN_THE_LOBBY else {"tables": 2, "guests": 0}
    run = Run(tmp_path, seed=2, **there, pause=0.02, first=dataclasses.replace(plan, sabotage=sabotage))
    with pytest.raises(Broken) as caught:
        await run.through(lambda _: rage(run))
    print(caught.value)

"""The server under a storm of its own, briefly; and that the checks see a server that is at fault."""

import asyncio
import dataclasses
import pathlib
from collections.abc import Awaitable, Callable

import pytest

from tests.crash.asking import Broken
from tests.crash.plan import POINTS, SABOTAGES, Plan
from tests.crash.run import Run
from tests.crash.storm import Storm


async def test_every_fault_once(tmp_path: pathlib.Path) -> None:
    run = Run(tmp_path, seed=1, tables=3, pause=0.02)
    await run.through(lambda storm: storm.everything())
    print(run.summary())
    assert not run.storm.missed
    assert len(run.storm.story) > len(POINTS)
    assert run.server.told["STORE_UNAVAILABLE"]
    assert run.server.told[""]


async def death(storm: Storm) -> None:
    await storm.fall()
    await storm.restart()
    await storm.calm()


async def a_full_disk_and_death(storm: Storm) -> None:
    await storm.calm()
    storm.server.trouble("full")
    await asyncio.sleep(0.5)
    storm.server.heal()
    await storm.server.kill()
    await storm.restart()
    await storm.calm()


Rage = Callable[[Storm], Awaitable[None]]
SHOWN_BY: dict[str, tuple[Plan, Rage]] = {
    "early-answer": (Plan("before-commit", 14), death),
    "early-publish": (Plan("before-commit", 14), death),
    "forgotten-requests": (Plan("before-answer", 6), death),
    "unsynced": (Plan("before-answer", 10, power_cut=True), death),
    "ignored-refusal": (Plan(), a_full_disk_and_death),
}


@pytest.mark.parametrize("sabotage", SABOTAGES)
async def test_a_server_at_fault_is_found_out(tmp_path: pathlib.Path, sabotage: str) -> None:
    plan, rage = SHOWN_BY[sabotage]
    run = Run(tmp_path, seed=2, tables=2, first=dataclasses.replace(plan, sabotage=sabotage))
    with pytest.raises(Broken) as caught:
        await run.through(rage)
    print(caught.value)

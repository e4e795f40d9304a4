"""The server under a storm of its own, briefly; and that the checks see a server that is at fault."""

import asyncio
import pathlib
from collections.abc import Awaitable, Callable

import pytest

from tests.crash.asking import Broken
from tests.crash.plan import SABOTAGES, Plan
from tests.crash.run import Run
from tests.crash.storm import Storm


async def test_every_fault_once(tmp_path: pathlib.Path) -> None:
    run = Run(tmp_path, seed=1)
    await run.through(lambda storm: storm.everything())
    print(run.summary())
    assert len(run.storm.story) > 15
    assert run.told("STORE_UNAVAILABLE")
    assert run.told("")


async def a_power_cut(storm: Storm) -> None:
    await storm.die_at(Plan("before-answer", 10, power_cut=True, sabotage=storm.sabotage))
    await storm.calm()


async def a_death_before_a_commit(storm: Storm) -> None:
    for hit in (12, 17, 23):
        await storm.die_at(Plan("before-commit", hit, sabotage=storm.sabotage))
        await storm.calm()


async def a_death_before_an_answer(storm: Storm) -> None:
    for hit in (4, 7):
        await storm.die_at(Plan("before-answer", hit, sabotage=storm.sabotage))
        await storm.calm()


async def a_full_disk(storm: Storm) -> None:
    storm.server.trouble("full")
    await asyncio.sleep(1.0)
    storm.server.heal()
    await storm.die_at(Plan("before-answer", 4, sabotage=storm.sabotage))
    await storm.calm()


SHOWN_BY = {
    "early-answer": a_death_before_a_commit,
    "early-publish": a_death_before_a_commit,
    "forgotten-requests": a_death_before_an_answer,
    "unsynced": a_power_cut,
    "ignored-refusal": a_full_disk,
}


@pytest.mark.parametrize("sabotage", SABOTAGES)
async def test_a_server_at_fault_is_found_out(tmp_path: pathlib.Path, sabotage: str) -> None:
    rage: Callable[[Storm], Awaitable[None]] = SHOWN_BY[sabotage]
    with pytest.raises(Broken) as caught:
        await Run(tmp_path, seed=2, tables=2, sabotage=sabotage).through(rage)
    print(caught.value)


@pytest.mark.parametrize("rage", [a_power_cut, a_death_before_a_commit, a_death_before_an_answer, a_full_disk])
async def test_the_same_finds_nothing_in_a_sound_one(
    tmp_path: pathlib.Path, rage: Callable[[Storm], Awaitable[None]]
) -> None:
    await Run(tmp_path, seed=2, tables=2).through(rage)

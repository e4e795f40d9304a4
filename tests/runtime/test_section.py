"""The serial queue: one at a time, in the order of receipt, timers behind their deadline, and never wedged."""

import asyncio
import random

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime.section import Section, behind, received


class Visits:
    """People who go in one after another, and write down who was in."""

    def __init__(self, length: int = 64) -> None:
        self.section = Section(length)
        self.inside = 0
        self.done: list[str] = []

    async def visit(self, name: str, rank: int, hops: int = 0) -> None:
        await self.section.wait(rank)
        try:
            self.inside += 1
            assert self.inside == 1
            for _ in range(hops):
                await asyncio.sleep(0)
            self.done.append(name)
        finally:
            self.inside -= 1
            self.section.leave()

    async def begun(self, name: str, rank: int, hops: int = 0) -> asyncio.Task[None]:
        task = asyncio.ensure_future(self.visit(name, rank, hops))
        await asyncio.sleep(0)
        return task


async def test_they_go_in_by_receipt_and_a_timer_behind_everything_up_to_its_deadline() -> None:
    visits = Visits()
    assert visits.section.take()
    tasks = [
        await visits.begun(name, rank)
        for name, rank in [
            ("timer of 10", behind(10)),
            ("at 11", received(11)),
            ("at 10", received(10)),
            ("at 10 again", received(10)),
            ("at 9", received(9)),
        ]
    ]
    assert visits.section.waiting == 5
    visits.section.leave()
    await asyncio.gather(*tasks)
    assert visits.done == ["at 9", "at 10", "at 10 again", "timer of 10", "at 11"]
    assert not visits.section.held


async def test_one_more_than_fit_is_refused_but_a_timer_is_not() -> None:
    visits = Visits(length=1)
    visits.section.take()
    waiting = await visits.begun("first", 1)
    with pytest.raises(Refusal, match="OVERLOADED"):
        await visits.section.wait(2)
    timer = asyncio.ensure_future(visits.section.wait(behind(1), always=True))
    await asyncio.sleep(0)
    assert visits.section.waiting == 2
    visits.section.leave()
    await waiting
    await timer
    visits.section.leave()
    assert not visits.section.held


async def test_who_gives_up_waiting_makes_room() -> None:
    visits = Visits(length=1)
    visits.section.take()
    first = await visits.begun("first", 1)
    first.cancel()
    await asyncio.wait([first])
    second = await visits.begun("second", 2)
    visits.section.leave()
    await second
    assert visits.done == ["second"]
    assert not visits.section.held


async def test_who_gives_up_at_the_very_moment_of_his_turn_hands_it_on() -> None:
    visits = Visits()
    visits.section.take()
    first, second = await visits.begun("first", 1), await visits.begun("second", 2)
    visits.section.leave()
    first.cancel()
    await asyncio.wait([first, second])
    assert first.cancelled()
    assert visits.done == ["second"]
    assert not visits.section.held


async def test_who_waits_at_a_section_that_is_shut_is_turned_away_and_may_come_back() -> None:
    visits = Visits()
    visits.section.take()
    first = await visits.begun("first", 1)
    given_up = await visits.begun("given up", 1)
    given_up.cancel()
    visits.section.shut(lambda: Refusal("STORE_UNAVAILABLE"))
    with pytest.raises(Refusal, match="STORE_UNAVAILABLE"):
        await first
    with pytest.raises(Refusal, match="STORE_UNAVAILABLE"):
        await visits.section.wait(2)
    visits.section.leave()
    assert not visits.section.take()
    visits.section.reopen()
    await visits.visit("later", 3)
    assert visits.done == ["later"]


@pytest.mark.parametrize("seed", range(20))
async def test_a_storm_of_cancellations_never_wedges_it(seed: int) -> None:
    chance, visits = random.Random(seed), Visits()
    tasks = []
    for number in range(200):
        tasks.append(asyncio.ensure_future(visits.visit(f"{number}", chance.randrange(50), chance.randrange(3))))
        if chance.random() < 0.5:
            chance.choice(tasks).cancel()
        if chance.random() < 0.3:
            await asyncio.sleep(0)
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    refused = sum(isinstance(end, Refusal) for end in ended)
    cancelled = sum(isinstance(end, asyncio.CancelledError) for end in ended)
    assert len(visits.done) + refused + cancelled == 200
    assert not visits.section.held
    assert not visits.section.waiting

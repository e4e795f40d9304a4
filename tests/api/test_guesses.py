"""The bound on wrong codes: by player, by address, in a moving window, in bounded memory."""

import asyncio
import threading
import time
from collections.abc import Sequence

import pytest

from majlis.api import guesses
from majlis.api.guesses import Guesses, address_of
from majlis.match.refusal import Refusal

HERE = "192.0.2.7"


class Clock:
    """The time of day, which tests turn on."""

    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    return clock


async def wait_ms(bound: Guesses, player: str, address: str = HERE) -> int:
    """When the next guess may be made; 0 for now."""
    try:
        async with bound.turn(player, address):
            return 0
    except Refusal as no:
        return no.retry_after_ms or 0


async def test_a_players_guesses_end_and_come_back_one_by_one(clock: Clock) -> None:
    bound = Guesses(3, 0)
    for _ in range(3):
        assert await wait_ms(bound, "alice") == 0
        await bound.wrong("alice", HERE)
        clock.now += 100
    assert await wait_ms(bound, "alice") == 300_000
    assert await wait_ms(bound, "badr") == 0
    clock.now += 299.5
    assert await wait_ms(bound, "alice") == 500
    clock.now += 0.5
    assert await wait_ms(bound, "alice") == 0
    await bound.wrong("alice", HERE)
    assert await wait_ms(bound, "alice") == 100_000


async def test_right_codes_do_not_count(clock: Clock) -> None:
    bound = Guesses(1, 1)
    for _ in range(10):
        assert await wait_ms(bound, "alice") == 0


async def test_an_address_has_a_bound_of_its_own(clock: Clock) -> None:
    bound = Guesses(10, 2)
    await bound.wrong("alice", HERE)
    await bound.wrong("badr", HERE)
    assert await wait_ms(bound, "carim") == 600_000
    assert await wait_ms(bound, "carim", "192.0.2.8") == 0
    assert await wait_ms(bound, "carim", "") == 0


async def test_a_player_and_an_address_of_one_name_are_two(clock: Clock) -> None:
    bound = Guesses(1, 1)
    await bound.wrong("alice", "badr")
    assert await wait_ms(bound, "badr", "alice") == 0


async def test_an_address_may_have_no_bound(clock: Clock) -> None:
    bound = Guesses(1, 0)
    for number in range(1_000):
        await bound.wrong(f"p{number}", HERE)
    assert await wait_ms(bound, "alice") == 0


async def guess(bound: Guesses, player: str, looked_up: list[str], right: bool = False) -> None:
    async with bound.turn(player, HERE):
        looked_up.append(player)
        await asyncio.sleep(0.001)
        if not right:
            await bound.wrong(player, HERE)


def refusals(told: Sequence[BaseException | None]) -> list[str]:
    return [one.reason for one in told if isinstance(one, Refusal)]


@pytest.mark.parametrize(("per_player", "per_address", "most"), [(10, 0, 10), (10, 200, 10), (300, 7, 7)])
async def test_of_many_at_once_only_so_many_are_looked_up(per_player: int, per_address: int, most: int) -> None:
    bound, looked_up = Guesses(per_player, per_address), list[str]()
    guesses = (guess(bound, "alice", looked_up) for _ in range(200))
    told = await asyncio.gather(*guesses, return_exceptions=True)
    assert len(looked_up) == told.count(None) == most
    assert refusals(told) == ["TOO_MANY_GUESSES"] * (200 - most)
    assert not bound._queues


async def test_many_players_of_one_address_find_out_no_more_together() -> None:
    bound, looked_up = Guesses(3, 20), list[str]()
    guesses = (guess(bound, f"p{number % 50}", looked_up) for number in range(500))
    told = await asyncio.gather(*guesses, return_exceptions=True)
    assert len(looked_up) == told.count(None) == 20
    assert len(refusals(told)) == 480
    assert not bound._queues


async def test_right_codes_at_once_are_all_looked_up() -> None:
    bound, looked_up = Guesses(2, 3), list[str]()
    await asyncio.gather(*(guess(bound, f"p{number % 7}", looked_up, right=True) for number in range(100)))
    assert len(looked_up) == 100
    assert not bound._queues


async def test_whoever_gives_up_waiting_keeps_nobody_out() -> None:
    bound, looked_up = Guesses(1, 1), list[str]()
    waiting = [asyncio.create_task(guess(bound, "alice", looked_up, right=True)) for _ in range(6)]
    await asyncio.sleep(0)
    for task in (waiting[0], waiting[1], waiting[3]):
        task.cancel()  # the first is inside, the others wait
    await asyncio.sleep(0)
    waiting[2].cancel()  # it was just let to look again
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert [one is None for one in done] == [False, False, False, False, True, True]
    assert not bound._queues


async def test_what_is_over_is_forgotten(clock: Clock) -> None:
    bound = Guesses(10, 10)
    for number in range(100):
        await bound.wrong(f"p{number}", f"a{number}")
    clock.now += 601
    await bound.wrong("alice", HERE)
    assert len(bound._wrongs.events) == 2


async def test_memory_is_bounded_and_keeps_those_who_guess_on(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "REMEMBERED", 5)
    bound = Guesses(2, 0)
    for number in range(50):
        if number % 4 == 0:
            clock.now += 1
        if await wait_ms(bound, "alice") == 0:
            await bound.wrong("alice", HERE)
        await bound.wrong(f"p{number % 3}-{number}", HERE)
        assert len(bound._wrongs.events) <= 5
    assert all(len(entries) <= 2 for entries in bound._wrongs.events.values())


async def test_nothing_runs_beside(clock: Clock) -> None:
    threads, tasks = threading.active_count(), asyncio.all_tasks()
    bound = Guesses(3, 3)
    await bound.wrong("alice", HERE)
    assert await wait_ms(bound, "alice") == 0
    assert (threading.active_count(), asyncio.all_tasks()) == (threads, tasks)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:1.2.3.4:555", "1.2.3.4"),
        ("ipv6:[::1]:555", "::1"),
        ("ipv6:%5B::1%5D:555", "::1"),
        ("ipv6:%5B2001:db8::7%5D:50051", "2001:db8::7"),
        ("ipv6:%5Bfe80::1%25eth0%5D:555", "fe80::1%eth0"),
        ("unix:", ""),
        ("unix:/run/majlis.sock", ""),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_an_address_is_the_peers_host(peer: str, address: str) -> None:
    assert address_of(peer) == address

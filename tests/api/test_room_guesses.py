"""How often codes may be guessed, over the wire: by player and by address, however many guesses come at once.

The windows themselves are in test_guesses.py.
"""

import asyncio
import contextlib
from collections.abc import Iterator

import grpc
import pytest

from majlis.match import catalogue
from majlis.runtime.asked import Asked
from majlis.runtime.lobby import Lobby
from tests.api import lobby
from tests.api.clients import Client
from tests.api.refused import refused
from tests.api.serving import Serve, Served

WRONG = "222-222-222"


@contextlib.contextmanager
def wrong() -> Iterator[None]:
    with refused("ROOM_NOT_FOUND"):
        yield


async def guess(client: Client, count: int) -> None:
    """So many wrong ones, some looked up, some joined."""
    for number in range(count):
        with wrong():
            await (client.join_room(WRONG) if number % 2 else client.look_up_room(WRONG))


async def refused_in_both(client: Client, code: str) -> None:
    entry = catalogue.CATALOGUE["TOO_MANY_GUESSES"]
    for language, sentence in (("en", entry.english), ("ar", entry.arabic)):
        speaking = client.with_metadata(("accept-language", language))
        for asking in (speaking.join_room(code), speaking.look_up_room(code)):
            with refused("TOO_MANY_GUESSES") as told:
                await asking
            assert told.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert told.localized.message == sentence
            assert 0 < told.refusal.retry_after_ms <= 600_000


async def test_after_ten_wrong_ones_a_player_waits_even_with_the_right_one(served: Served) -> None:
    _, code = await lobby.room(served.player("alice"))
    badr = served.player("badr")
    await guess(badr, 10)
    await refused_in_both(badr, code)
    # Whoever else is at the same address has guessed nothing.
    assert (await served.player("carim").join_room(code)).status == lobby.ACTIVE


async def test_a_repeat_of_what_was_answered_guesses_nothing(served: Served) -> None:
    room, code = await lobby.room(served.player("alice"))
    badr = served.player("badr")
    await badr.join_room(code, request_id="mine")
    await guess(badr, 10)
    assert (await badr.join_room(code, request_id="mine")).match_id == room.match_id


async def test_right_ones_do_not_count(serve: Serve) -> None:
    async with serve(rooms_guesses=2, rooms_guesses_address=3) as served:
        _, code = await lobby.room(served.player("alice"), lobby.STAKED)
        badr = served.player("badr")
        for _ in range(10):
            await badr.look_up_room(code)
        await badr.join_room(code)
        for _ in range(5):
            with refused("OWN_ROOM"):
                await badr.join_room(code)
            with refused("ROOM_FULL"):
                await served.player("carim").join_room(code)
        await guess(badr, 2)
        with refused("TOO_MANY_GUESSES"):
            await badr.look_up_room(code)


async def test_an_address_has_a_bound_for_all_its_players(serve: Serve) -> None:
    async with serve(rooms_guesses_address=12) as served:
        _, code = await lobby.room(served.player("alice"))
        for number in range(4):
            await guess(served.player(f"p{number}"), 3)
        await refused_in_both(served.player("badr"), code)


async def test_an_address_may_have_no_bound(serve: Serve) -> None:
    async with serve(rooms_guesses=1, rooms_guesses_address=0) as served:
        _, code = await lobby.room(served.player("alice"))
        for number in range(210):
            await guess(served.player(f"p{number}"), 1)
        assert (await served.player("badr").join_room(code)).status == lobby.ACTIVE


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes that the lobby is asked for."""
    codes: list[str] = []
    look_up, join_room = Lobby.look_up, Lobby.join_room

    async def looking(self: Lobby, typed: str, now_ms: int) -> tuple[bytes, int]:
        codes.append(typed)
        return await look_up(self, typed, now_ms)

    async def joining(self: Lobby, asked: Asked, typed: str) -> bytes:
        codes.append(typed)
        return await join_room(self, asked, typed)

    monkeypatch.setattr(Lobby, "look_up", looking)
    monkeypatch.setattr(Lobby, "join_room", joining)
    return codes


async def reasons(*asking: object) -> list[str]:
    """Why each of them was refused, asked at once."""

    async def one(call: object) -> str:
        with refused() as told:
            await call  # type: ignore[misc]
        return told.reason

    return await asyncio.gather(*(one(call) for call in asking))


async def test_of_two_hundred_at_once_ten_are_looked_up(served: Served, looked_up: list[str]) -> None:
    badr = served.player("badr")
    calls = [badr.look_up_room(WRONG) if number % 2 else badr.join_room(WRONG) for number in range(200)]
    told = await reasons(*calls)
    assert len(looked_up) == told.count("ROOM_NOT_FOUND") == 10
    assert told.count("TOO_MANY_GUESSES") == 190


async def test_many_players_at_once_do_not_get_round_the_address(serve: Serve, looked_up: list[str]) -> None:
    async with serve(rooms_guesses_address=25) as served:
        players = [served.player(f"p{number}") for number in range(40)]
        told = await reasons(*(player.look_up_room(WRONG) for player in players for _ in range(5)))
        assert len(looked_up) == told.count("ROOM_NOT_FOUND") == 25
        assert told.count("TOO_MANY_GUESSES") == 175


async def test_right_ones_at_once_are_all_answered(serve: Serve) -> None:
    async with serve(rooms_guesses=2, rooms_guesses_address=3) as served:
        match, code = await lobby.room(served.player("alice"))
        found = await asyncio.gather(*(served.player(f"p{number % 5}").look_up_room(code) for number in range(100)))
        assert {one.match.match_id for one in found} == {match.match_id}


async def test_who_breaks_his_calls_off_has_guessed_all_the_same(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def forever(self: Lobby, typed: str, now_ms: int) -> tuple[bytes, int]:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    badr = served.player("badr")
    with monkeypatch.context() as patch:
        patch.setattr(Lobby, "look_up", forever)
        for _ in range(10):
            begun.clear()
            call = asyncio.create_task(badr.look_up_room(WRONG))
            await begun.wait()
            call.cancel()
            await asyncio.wait([call])
            await asyncio.sleep(0.05)  # until the server hears of it
    with refused("TOO_MANY_GUESSES"):
        await badr.look_up_room(WRONG)

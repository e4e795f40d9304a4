"""Results for consumers: when they get their place, in which order, and how far who has come."""

import asyncio
import pathlib

import pytest

from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from tests.store import making
from tests.store.making import at_once

APPENDED = protocol.Appended()
LOST = protocol.Lost()
AT = making.FOUNDED_MS
MANY = 10**9


def places(results: list[protocol.Result]) -> list[tuple[int, str, int, str]]:
    return [(one.position, one.match_id, one.record, one.kind) for one in results]


async def test_a_result_is_read_once_it_has_its_place(store: protocol.Store) -> None:
    assert await store.publish(9) == 0
    await store.append(making.founding("m", outbox=("seated", "started")))
    assert await store.results(0, 9) == []
    assert await store.publish(9) == 2
    first = [protocol.Result(1, "m", 1, "seated"), protocol.Result(2, "m", 1, "started")]
    assert await store.results(0, 9) == first
    await store.append(making.following("m", 2))
    assert await store.publish(9) == 0
    await store.append(making.following("m", 3, over=True, outbox=("ended",)))
    assert await store.results(0, 9) == first
    assert await store.publish(9) == 1
    assert await store.results(0, 9) == [*first, protocol.Result(3, "m", 3, "ended")]


async def test_results_are_read_from_a_place_on(store: protocol.Store) -> None:
    await store.append(making.founding("m", outbox=("seated", "started", "ended")))
    await store.publish(9)
    assert [one.position for one in await store.results(0, 2)] == [1, 2]
    assert [one.position for one in await store.results(-2, 2)] == [1, 2]
    assert [one.position for one in await store.results(2, 2)] == [3]
    assert await store.results(3, 2) == []
    assert await store.results(MANY, 2) == []


async def test_an_append_given_again_tells_nothing_twice_and_a_lost_one_nothing(store: protocol.Store) -> None:
    append = making.founding("m", outbox=("seated",))
    assert await at_once(store, [append, making.founding("m", outbox=("seated",)), append]) == [
        *(APPENDED, LOST, APPENDED)
    ]
    assert await store.publish(9) == 1
    assert await store.append(append) == APPENDED
    assert await store.append(making.following("m", 4, outbox=("ended",))) == LOST
    assert await store.publish(9) == 0
    assert await store.results(0, 9) == [protocol.Result(1, "m", 1, "seated")]


async def test_places_go_by_instant_then_match_then_record_then_ordinal(store: protocol.Store) -> None:
    await store.append(making.founding("c", instant_ms=AT + 5, outbox=("seated",)))
    await store.append(making.founding("b", instant_ms=AT + 9, outbox=("started", "seated")))
    await store.append(making.founding("a", instant_ms=AT + 9, outbox=("seated",)))
    await store.append(making.following("c", 2, instant_ms=AT + 9, outbox=("void",)))
    await store.append(making.following("b", 2, instant_ms=AT + 9, outbox=("ended",)))
    assert await store.publish(9) == 6
    assert places(await store.results(0, 9)) == [
        (1, "c", 1, "seated"),
        (2, "a", 1, "seated"),
        (3, "b", 1, "started"),
        (4, "b", 1, "seated"),
        (5, "b", 2, "ended"),
        (6, "c", 2, "void"),
    ]


@pytest.mark.parametrize("limit", [1, 2, 4, 100])
async def test_the_results_of_a_match_come_in_its_order_however_few_are_placed_at_once(
    store: protocol.Store, limit: int
) -> None:
    matches = [f"m{n}" for n in range(5)]
    for record in range(1, 6):
        appends = [
            making.following(match_id, record, outbox=("started", "ended"))
            if record > 1
            else making.founding(match_id, outbox=("seated",))
            for match_id in matches
        ]
        assert await at_once(store, appends) == [APPENDED] * 5
        if record % 2:
            assert 0 < await store.publish(limit) <= limit
    while placed := await store.publish(limit):
        assert placed <= limit
    results = await store.results(0, MANY)
    assert [one.position for one in results] == list(range(1, 46))
    for match_id in matches:
        told = [(one.record, one.kind) for one in results if one.match_id == match_id]
        assert told == [(1, "seated"), *((n, kind) for n in range(2, 6) for kind in ("started", "ended"))]


async def test_what_is_committed_later_never_comes_before_a_place_that_was_given(store: protocol.Store) -> None:
    await store.append(making.founding("m", instant_ms=AT + 100, outbox=("seated",)))
    assert await store.publish(9) == 1
    await store.append(making.founding("a", instant_ms=AT, outbox=("seated",)))
    await store.append(making.founding("b", instant_ms=AT - 5, outbox=("seated",)))
    assert await store.publish(9) == 2
    assert places(await store.results(0, 9)) == [(1, "m", 1, "seated"), (2, "b", 1, "seated"), (3, "a", 1, "seated")]


async def test_a_reader_that_follows_sees_every_result_once_and_in_order(store: protocol.Store) -> None:
    """Appends, a publisher and a reader at the same time."""
    done = asyncio.Event()
    seen: list[protocol.Result] = []

    async def play(match_id: str) -> None:
        await store.append(making.founding(match_id, instant_ms=AT - int(match_id), outbox=("seated",)))
        for record in range(2, 12):
            await store.append(making.following(match_id, record, outbox=("started",)))

    async def publish() -> None:
        while await store.publish(7) or not done.is_set():  # noqa: ASYNC110 -- it publishes at every turn
            await asyncio.sleep(0)

    async def read() -> None:
        publishing = asyncio.ensure_future(publish())
        while True:
            last = publishing.done()
            seen.extend(await store.results(seen[-1].position if seen else 0, 5))
            if last and len(await store.results(0, MANY)) == len(seen):
                return
            await asyncio.sleep(0)

    reading = asyncio.ensure_future(read())
    await asyncio.gather(*(play(str(n)) for n in range(8)))
    done.set()
    await reading
    assert [one.position for one in seen] == list(range(1, 89))
    for n in range(8):
        assert [one.record for one in seen if one.match_id == str(n)] == list(range(1, 12))


async def test_a_consumer_never_goes_back(store: protocol.Store) -> None:
    assert await store.acknowledged("wallet") == 0
    for position, expected in ((-3, 0), (0, 0), (7, 7), (5, 7), (7, 7), (0, 7), (8, 8)):
        await store.acknowledge("wallet", position)
        assert await store.acknowledged("wallet") == expected
    assert await store.acknowledged("matchmaker") == 0
    await store.acknowledge("matchmaker", 2)
    assert [await store.acknowledged(name) for name in ("wallet", "matchmaker")] == [8, 2]


async def test_what_was_acknowledged_may_be_read_again(store: protocol.Store) -> None:
    await store.append(making.founding("m", outbox=("seated",)))
    await store.publish(9)
    await store.acknowledge("wallet", 1)
    assert await store.results(0, 9) == [protocol.Result(1, "m", 1, "seated")]


async def test_places_and_acknowledgements_are_there_after_reopening(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    store = sqlite.SqliteStore(path)
    await store.append(making.founding("m", outbox=("seated", "started")))
    await store.publish(1)
    await store.acknowledge("wallet", 1)
    await store.close()
    again = sqlite.SqliteStore(path)
    assert places(await again.results(0, 9)) == [(1, "m", 1, "seated")]
    assert await again.acknowledged("wallet") == 1
    await again.append(making.founding("a", instant_ms=AT - 5, outbox=("seated",)))
    assert await again.publish(9) == 2
    assert places(await again.results(1, 9)) == [(2, "a", 1, "seated"), (3, "m", 1, "started")]
    await again.close()


async def test_a_place_that_cannot_be_stored_is_refused_and_nothing_else_suffers(tmp_path: pathlib.Path) -> None:
    store = sqlite.SqliteStore(tmp_path / "majlis.db")
    with pytest.raises(ValueError, match="cannot be stored"):
        await store.acknowledge("wallet", 2**70)
    await store.acknowledge("wallet", 4)
    assert await store.acknowledged("wallet") == 4
    assert await store.append(making.founding("m")) == APPENDED
    await store.close()

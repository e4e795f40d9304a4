"""What every store promises of logs and how they are found, whatever it is made of.

Of names, of seats and of results: `test_names`, `test_seats`, `test_results`.
"""

import asyncio
import collections
import dataclasses
import itertools
from collections.abc import Callable

import pytest

from majlis.store import memory, protocol
from tests.store import making
from tests.store.making import at_once

APPENDED = protocol.Appended()
LOST = protocol.Lost()


async def test_a_match_is_unknown_until_it_is_founded(store: protocol.Store) -> None:
    assert await store.head("m") is None
    assert await store.payloads("m") == []
    assert await store.append(making.following("m", 2)) == LOST
    assert await store.head("m") is None


async def test_an_append_moves_the_head_and_is_read_back(store: protocol.Store) -> None:
    assert await store.append(making.founding("m", deadline_ms=500)) == APPENDED
    assert await store.head("m") == protocol.Head("m", 1, 1, making.ACTIVE, 500)
    assert await store.append(making.following("m", 2, deadline_ms=900)) == APPENDED
    assert await store.append(making.following("m", 3, over=True)) == APPENDED
    assert await store.head("m") == protocol.Head("m", 3, 9, making.ENDED, None)
    assert await store.payloads("m") == [b"m 1", b"m 2", b"m 3"]
    assert await store.payloads("m", 1) == [b"m 2", b"m 3"]
    assert await store.payloads("m", 1, 2) == [b"m 2"]
    assert await store.payloads("m", 3) == []
    assert await store.payloads("m", 0, 0) == []


async def test_several_heads_are_read_at_once(store: protocol.Store) -> None:
    for match_id in "abc":
        await store.append(making.founding(match_id, deadline_ms=5))
    await store.append(making.following("b", 2))
    expected = {protocol.Head("a", 1, 1, making.ACTIVE, 5), protocol.Head("b", 2, 6, making.ACTIVE, None)}
    assert set(await store.heads(["b", "unknown", "a"])) == expected
    assert list(await store.heads([])) == []


async def test_a_founding_comes_with_record_1_only() -> None:
    with pytest.raises(ValueError, match="founding"):
        making.following("m", 1)
    founding = making.founding("m").founding
    with pytest.raises(ValueError, match="founding"):
        dataclasses.replace(making.following("m", 2), founding=founding)


@pytest.mark.parametrize("record", [2, 3, 5])
async def test_only_the_record_after_the_head_is_appended(store: protocol.Store, record: int) -> None:
    for append in (making.founding("m"), making.following("m", 2), making.following("m", 3)):
        await store.append(append)
    assert await store.append(making.following("m", record, payload=b"late", deadline_ms=7)) == LOST
    assert await store.payloads("m") == [b"m 1", b"m 2", b"m 3"]
    assert list(await store.due(10**15, 1)) == []


async def test_a_loser_does_not_spoil_the_batch(store: protocol.Store) -> None:
    await at_once(store, [making.founding(f"m{n}") for n in range(4)])
    await store.append(making.following("m2", 2, request="amal r1", body="throw"))
    batch = [
        making.following("m0", 2),
        making.following("m1", 7),
        making.following("m2", 3, request="amal r1", body="other"),
        making.following("m3", 2),
        making.founding("m4", external_id="x"),
        making.founding("m0"),
    ]
    repeated = protocol.Repeated(2, making.digest("throw"))
    assert await at_once(store, batch) == [APPENDED, LOST, repeated, APPENDED, APPENDED, LOST]
    heads = [await store.head(f"m{n}") for n in range(5)]
    assert [head and head.record for head in heads] == [2, 1, 2, 2, 1]


async def test_a_request_is_answered_once(store: protocol.Store) -> None:
    await store.append(making.founding("m"))
    await store.append(making.founding("n"))
    assert await store.append(making.following("m", 2, request="amal r1", body="throw")) == APPENDED
    repeated = protocol.Repeated(2, making.digest("throw"))
    assert await store.append(making.following("m", 3, request="amal r1", body="pass")) == repeated
    assert await store.append(making.following("m", 2, request="amal r1", body="throw")) == repeated
    assert await store.find_request("m", making.key("amal r1")) == repeated
    assert await store.append(making.following("m", 3, request="basim r1")) == APPENDED
    assert await store.append(making.following("n", 2, request="amal r1")) == APPENDED
    assert await store.find_request("m", making.key("amal r2")) is None
    assert await store.find_request("o", making.key("amal r1")) is None
    assert await store.payloads("m") == [b"m 1", b"m 2", b"m 3"]


async def test_the_same_request_twice_in_one_batch_is_answered_once(store: protocol.Store) -> None:
    await store.append(making.founding("m"))
    outcomes = await at_once(store, [making.following("m", 2, request="amal r1", body="throw") for _ in range(5)])
    assert outcomes == [APPENDED] + [protocol.Repeated(2, making.digest("throw"))] * 4


async def test_an_append_is_found_by_its_id(store: protocol.Store) -> None:
    await store.append(making.founding("m"))
    landed, lost = making.following("m", 2), making.following("m", 2)
    assert await at_once(store, [landed, lost]) == [APPENDED, LOST]
    await store.append(making.following("m", 3))
    assert await store.find_append("m", landed.append_id) == 2
    assert await store.find_append("m", lost.append_id) is None
    assert await store.find_append("n", landed.append_id) is None


async def test_the_same_append_given_again_is_still_appended(store: protocol.Store) -> None:
    first, second = making.founding("m", external_id="x"), making.following("m", 2, request="amal r1")
    third = making.following("m", 3, deadline_ms=5)
    for append in (first, second, third):
        assert await store.append(append) == APPENDED
    for append in (first, second):
        assert await store.append(append) == APPENDED
    assert await store.head("m") == protocol.Head("m", 3, 9, making.ACTIVE, 5)
    assert await store.payloads("m") == [b"m 1", b"m 2", b"m 3"]


async def test_an_external_id_names_one_match(store: protocol.Store) -> None:
    assert await store.append(making.founding("m", external_id="x", body="two players")) == APPENDED
    founded = protocol.Founded("m", making.digest("two players"))
    assert await store.append(making.founding("n", external_id="x", body="three players")) == founded
    assert await store.append(making.founding("m", external_id="x", body="two players")) == founded
    assert await store.find_external("x") == founded
    assert await store.head("n") is None
    assert await store.matches_of("amal", None, 9) == [(making.FOUNDED_MS, "m")]


async def test_no_external_id_names_no_match(store: protocol.Store) -> None:
    assert await store.append(making.founding("m")) == APPENDED
    assert await store.append(making.founding("n")) == APPENDED
    assert await store.find_external("") is None
    assert await store.find_external("x") is None


async def test_of_fifty_foundings_one_wins(store: protocol.Store) -> None:
    foundings = [making.founding(f"m{n}", external_id="x") for n in range(50)]
    outcomes = await at_once(store, foundings)
    (winner,) = [append.match_id for append, outcome in zip(foundings, outcomes, strict=True) if outcome == APPENDED]
    assert [outcome for outcome in outcomes if outcome != APPENDED] == [
        protocol.Founded(winner, making.digest(""))
    ] * 49
    assert [match_id for _, match_id in await store.matches_of("amal", None, 99)] == [winner]


async def test_a_match_id_is_founded_once(store: protocol.Store) -> None:
    outcomes = await at_once(store, [making.founding("m", external_id=str(n)) for n in range(5)])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Appended"] + ["Lost"] * 4


async def test_of_two_replicas_that_act_at_once_one_wins(replica: Callable[[], protocol.Store]) -> None:
    replicas = [replica(), replica()]
    await replicas[0].append(making.founding("m"))
    for record in range(2, 50):
        appends = [making.following("m", record, payload=f"{record} {name}".encode()) for name in "ab"]
        outcomes = await asyncio.gather(*(one.append(append) for one, append in zip(replicas, appends, strict=True)))
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Appended", "Lost"]
        winner = appends[outcomes.index(APPENDED)]
        assert [await one.payloads("m", record - 1) for one in replicas] == [[winner.payload]] * 2


async def test_a_thousand_appends_from_many_tasks_leave_dense_logs(store: protocol.Store) -> None:
    """Fifty tasks add to ten matches; each catches up and tries again when it has lost."""
    await at_once(store, [making.founding(f"m{n}") for n in range(10)])
    lost = collections.Counter[str]()

    async def player(number: int) -> None:
        match_id = f"m{number % 10}"
        for turn in range(20):
            while True:
                head = await store.head(match_id)
                assert head is not None
                append = making.following(match_id, head.record + 1, request=f"p{number} r{turn}")
                outcome = await store.append(append)
                if outcome == APPENDED:
                    break
                assert outcome == LOST
                lost[match_id] += 1

    await asyncio.gather(*(player(number) for number in range(50)))
    for n in range(10):
        assert await store.payloads(f"m{n}") == [f"m{n} {record}".encode() for record in range(1, 102)]
        assert (await store.head(f"m{n}")) == protocol.Head(f"m{n}", 101, 303, making.ACTIVE, None)
    if not isinstance(store, memory.MemoryStore):
        assert lost, "nobody ever met anybody: this test has tested nothing"


async def test_deadlines_come_due_earliest_first(store: protocol.Store) -> None:
    assert list(await store.due(10**15, 1)) == []
    for match_id, deadline_ms in (("a", 300), ("b", 100), ("c", None), ("d", 200), ("e", 200)):
        await store.append(making.founding(match_id, deadline_ms=deadline_ms))
    assert [head.match_id for head in await store.due(200, 9)] == ["b", "d", "e"]
    assert [head.match_id for head in await store.due(200, 2)] == ["b", "d"]
    assert list(await store.due(99, 9)) == []
    await store.append(making.following("b", 2))
    await store.append(making.following("d", 2, deadline_ms=400))
    assert list(await store.due(500, 1)) == [protocol.Head("e", 1, 1, making.ACTIVE, 200)]
    assert [head.match_id for head in await store.due(500, 9)] == ["e", "a", "d"]


async def test_a_players_matches_come_newest_first_in_pages(store: protocol.Store) -> None:
    instants = {"a": 10, "b": 30, "c": 20, "d": 30, "e": 40}
    for match_id, instant_ms in instants.items():
        players = ("amal", "basim") if match_id != "e" else ("basim", "chadia")
        await store.append(making.founding(match_id, players=players, instant_ms=instant_ms))
    assert await store.matches_of("amal", None, 2) == [(30, "d"), (30, "b")]
    assert await store.matches_of("amal", (30, "b"), 2) == [(20, "c"), (10, "a")]
    assert await store.matches_of("amal", (10, "a"), 2) == []
    assert await store.matches_of("chadia", None, 9) == [(40, "e")]
    assert await store.matches_of("dalal", None, 9) == []
    await store.append(making.following("b", 2, over=True))
    assert await store.matches_of("amal", None, 9) == [(30, "d"), (20, "c"), (10, "a")]
    assert await store.matches_of("basim", None, 1) == [(40, "e")]


async def test_a_lost_append_does_not_end_a_match(store: protocol.Store) -> None:
    await store.append(making.founding("m"))
    assert await store.append(making.following("m", 5, over=True)) == LOST
    assert await store.matches_of("amal", None, 9) == [(making.FOUNDED_MS, "m")]


async def test_a_player_in_two_seats_has_one_match(store: protocol.Store) -> None:
    await store.append(making.founding("m", players=("amal", "amal")))
    assert await store.matches_of("amal", None, 9) == [(making.FOUNDED_MS, "m")]


async def test_a_cancelled_caller_takes_nothing_back_and_spoils_nothing(store: protocol.Store) -> None:
    await at_once(store, [making.founding(f"m{n}") for n in range(3)])
    appends = [making.following(f"m{n}", 2) for n in range(3)]
    tasks = [asyncio.ensure_future(store.append(append)) for append in appends]
    await asyncio.sleep(0)
    tasks[1].cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert (outcomes[0], outcomes[2]) == (APPENDED, APPENDED)
    assert await store.append(making.following("m1", 3)) == APPENDED
    assert await store.payloads("m1") == [b"m1 1", b"m1 2", b"m1 3"]


async def test_a_gap_between_signs_of_life_is_an_outage(store: protocol.Store) -> None:
    assert list(await store.beat(1_000, 100)) == []
    assert list(await store.beat(1_100, 100)) == []
    first = protocol.Outage(1_100, 1_201)
    assert list(await store.beat(1_201, 100)) == [first]
    assert list(await store.beat(900, 100)) == [first]  # a clock that was set back
    assert list(await store.beat(1_301, 100)) == [first]
    assert list(await store.beat(9_000, 100)) == [first, protocol.Outage(1_301, 9_000)]
    assert list(await store.beat(9_000, 100)) == [first, protocol.Outage(1_301, 9_000)]


async def test_of_too_many_outages_the_oldest_are_counted_as_one(store: protocol.Store) -> None:
    beats = [1_500 * number + number % 7 for number in range(protocol.OUTAGES_KEPT + 30)]
    for now_ms in beats:
        found = list(await store.beat(now_ms, 100))
        gaps = [protocol.Outage(since, until) for since, until in itertools.pairwise(beats) if until <= now_ms]
        assert found[-protocol.OUTAGES_KEPT + 1 :] == gaps[-protocol.OUTAGES_KEPT + 1 :]
        assert len(found) == min(len(gaps), protocol.OUTAGES_KEPT)
        assert sum(outage.until_ms - outage.since_ms for outage in found) == now_ms - beats[0]


async def test_closing_finishes_what_waits_and_refuses_the_rest(store: protocol.Store) -> None:
    appends = [asyncio.ensure_future(store.append(making.founding(f"m{n}"))) for n in range(20)]
    question = asyncio.ensure_future(store.head("none"))
    await asyncio.sleep(0)
    await asyncio.gather(store.close(), store.close())
    assert await asyncio.gather(*appends) == [APPENDED] * 20
    assert await question is None
    await store.close()
    calls = (
        *(store.append(making.founding("late")), store.head("m0"), store.beat(1, 1), store.publish(1)),
        *(store.find_name("table", "t", 1), store.names_of("m0", "table", 1)),
        *(store.results(0, 1), store.acknowledged("wallet"), store.acknowledge("wallet", 1)),
    )
    for call in calls:
        with pytest.raises(protocol.Unavailable, match="closed"):
            await call

"""What lies in the store in the clear beside the records of a match: nothing that tells who asked for what (X5)."""

import dataclasses
import hashlib
import itertools
import pathlib

import apsw
import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from majlis.v1 import match_service_pb2
from tests.runtime import room, trix
from tests.runtime.room import RESIGN, Clock, Match
from tests.runtime.trix import PLAYERS, QUEENS, double

OPAQUE = ("append_id", "payload", "request_key", "body_hash")
"""Columns that are random, sealed or keyed."""


@pytest.fixture
def stored(store: protocol.Store, monkeypatch: pytest.MonkeyPatch) -> list[protocol.Append]:
    """All that the store is given."""
    given: list[protocol.Append] = []
    append = store.append

    async def keep(one: protocol.Append) -> protocol.Outcome:
        given.append(one)
        return await append(one)

    monkeypatch.setattr(store, "append", keep)
    return given


async def window(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    """A match in which all four are asked whether they double queens."""
    founded = await trix.dealt(trix.queens_at(4), double_seconds=60)
    return await trix.begun(store, runtime, clock, QUEENS, founded)


def asked(given: list[protocol.Append]) -> list[protocol.Request]:
    return [one.request for one in given if one.request is not None]


def differ(requests: list[protocol.Request]) -> bool:
    """Whether no two of all their bytes are the same."""
    told = [part for request in requests for part in (request.key, request.body_hash)]
    return len(set(told)) == len(told) == 2 * len(requests)


async def test_no_row_tells_a_player_beside_a_record(tmp_path: pathlib.Path, clock: Clock) -> None:
    path = tmp_path / "majlis.db"
    store = sqlite.SqliteStore(path)
    async with room.running(store, clock) as runtime:
        match = await window(store, runtime, clock)
        await match.submit(PLAYERS[2], RESIGN)
        await trix.answer_all(match)
        await match.move()
    await store.close()
    file = apsw.Connection(str(path))
    names = [name for (name,) in file.execute("SELECT name FROM pragma_table_info('log')")]
    found = file.execute("SELECT * FROM log WHERE record > 1 ORDER BY record").fetchall()
    rows = [dict(zip(names, row, strict=True)) for row in found]
    assert len(rows) == 7
    for row in rows:
        told = b" ".join(value if isinstance(value, bytes) else str(value).encode() for value in row.values())
        assert not any(player.encode() in told for player in PLAYERS)
    # The first three answers differ in nothing else than their place.
    answers = [{name: row[name] for name in row if name not in OPAQUE} for row in rows[2:5]]
    assert answers == [answers[0] | {"record": record} for record in (4, 5, 6)]
    assert {len(row[name]) for row in rows[2:5] for name in ("request_key", "body_hash")} == {32}
    assert len({len(row["payload"]) for row in rows[2:5]}) == 1


async def test_equal_answers_of_two_players_have_nothing_in_common(
    store: protocol.Store, runtime: Runtime, clock: Clock, stored: list[protocol.Append]
) -> None:
    match = await window(store, runtime, clock)
    stored.clear()
    for player in PLAYERS:
        await match.submit(player, double(), request_id="the same")
    assert len(asked(stored)) == 4
    assert differ(asked(stored))


async def test_two_requests_of_one_player_have_nothing_in_common(
    store: protocol.Store, runtime: Runtime, clock: Clock, stored: list[protocol.Append]
) -> None:
    match = await trix.begun(store, runtime, clock, trix.DIAMONDS, await trix.dealt())
    mover = await match.mover()
    stored.clear()
    await match.submit(mover, RESIGN)
    await match.submit(mover, await match.choice(mover))
    await match.submit(mover, RESIGN)
    assert len(asked(stored)) == 3
    assert differ(asked(stored))


async def test_the_same_request_in_two_matches_has_nothing_in_common(
    runtime: Runtime, clock: Clock, stored: list[protocol.Append]
) -> None:
    for external_id in ("first", "second"):
        match = await room.seated(runtime, clock, trix.asked_match(external_id))
        await match.submit(PLAYERS[0], RESIGN, request_id="the same")
    assert len(asked(stored)) == 2
    assert differ(asked(stored))


async def test_no_answer_is_found_by_hashing_all_there_are(
    store: protocol.Store, runtime: Runtime, clock: Clock, stored: list[protocol.Append]
) -> None:
    match = await window(store, runtime, clock)
    queens = [card for hand in await trix.hands_of(match) for card in trix.queens(hand)]
    stored.clear()
    await trix.answer_all(match)
    requests = asked(stored)
    assert len(requests) == 4
    named = [cards for size in range(5) for cards in itertools.permutations(queens, size)]
    guesses = [match_service_pb2.SubmitActionRequest(trix=double(*cards)).SerializeToString() for cards in named]
    guessed = {hashlib.sha256(guess).digest() for guess in guesses}
    assert not guessed & {request.body_hash for request in requests}


async def test_a_repeat_is_known_again_after_a_restart_and_by_nothing_but_its_key(
    store: protocol.Store, clock: Clock, stored: list[protocol.Append]
) -> None:
    async with room.running(store, clock) as runtime:
        match = await window(store, runtime, clock)
        stored.clear()
        first = await match.submit(PLAYERS[0], double(), request_id="mine")
    (request,) = asked(stored)
    async with room.running(store, clock) as runtime:
        match = match.on(runtime)
        assert await match.submit(PLAYERS[0], double(), request_id="mine") == first
        # What another player calls so is his own.
        await match.submit(PLAYERS[1], double(), request_id="mine")
    assert await store.find_request(match.match_id, request.key) == protocol.Repeated(3, request.body_hash)
    (other,) = asked(stored)[-1:]
    assert await store.find_request(match.match_id, other.key) == protocol.Repeated(4, other.body_hash)
    for strange in (dataclasses.replace(request, key=request.body_hash), dataclasses.replace(request, key=b"")):
        assert await store.find_request(match.match_id, strange.key) is None

"""How appends come together: the SQL of large batches, and when a batch starts."""

import asyncio
import pathlib
import time
from collections.abc import Iterator, Sequence

import apsw
import pytest

from majlis.store import gather, protocol
from majlis.store.sqlite import commit, file, queries, upkeep
from tests.store import making

APPENDED = protocol.Appended()
LOST = protocol.Lost()


@pytest.fixture
def connection(tmp_path: pathlib.Path) -> Iterator[apsw.Connection]:
    file.make_sure(tmp_path / "majlis.db", None)
    opened = apsw.Connection(str(tmp_path / "majlis.db"))
    opened.execute("BEGIN")
    yield opened
    opened.close()


@pytest.mark.parametrize("size", [1, 2, 30, 300])
def test_each_append_of_a_batch_stands_for_itself(connection: apsw.Connection, size: int) -> None:
    matches = [f"m{n}" for n in range(size)]
    assert commit.write(connection, [making.founding(match_id) for match_id in matches]) == [APPENDED] * size
    mixed = [making.following(match_id, 3 if n % 7 == 3 else 2) for n, match_id in enumerate(matches)]
    expected = [LOST if n % 7 == 3 else APPENDED for n in range(size)]
    assert commit.write(connection, mixed) == expected
    heads = [queries.head(connection, match_id) for match_id in matches]
    assert [head and head.record for head in heads] == [1 if n % 7 == 3 else 2 for n in range(size)]


def test_an_append_takes_two_statements(connection: apsw.Connection) -> None:
    commit.write(connection, [making.founding(f"m{n}") for n in range(64)])
    statements: list[str] = []

    def count(_: apsw.Cursor, statement: str, __: object) -> bool:
        statements.append(statement)
        return True

    connection.exec_trace = count
    commit.write(connection, [making.following(f"m{n}", 2) for n in range(64)])
    assert len(statements) == 128


def test_no_name_and_no_result_is_looked_for_among_all(connection: apsw.Connection) -> None:
    claims = (making.claim("a"), making.claim("b", expires_ms=5))
    statements: list[str] = []

    def note(_: apsw.Cursor, statement: str, __: object) -> bool:
        statements.append(statement)
        return True

    connection.exec_trace = note
    commit.write(connection, [making.founding("m", claims=claims, outbox=("seated",))])
    commit.write(connection, [making.following("m", 2, claims=claims, releases=("table",))])
    upkeep.beat(connection, 5, 1)
    upkeep.publish(connection, 9)
    assert queries.names_of(connection, "m", "table", 0) == ["a"]
    assert len(queries.results(connection, 0, 9)) == 1
    connection.exec_trace = None
    told = [one for one in statements if "names" in one or "outbox" in one]
    plans = [
        row[3] for one in told for row in connection.execute(f"EXPLAIN QUERY PLAN {one}", (None,) * one.count("?"))
    ]
    reads = {plan for plan in plans if plan.startswith(("SCAN", "SEARCH", "USE TEMP"))}
    assert reads == {
        "SEARCH names USING PRIMARY KEY (kind=? AND name=?)",
        "SEARCH names USING INDEX names_match (match_id=? AND kind=?)",
        "SEARCH names USING COVERING INDEX names_expiring (expires_ms<?)",
        "SCAN outbox USING INDEX outbox_waiting",  # which holds those without a place only
        "SEARCH outbox USING COVERING INDEX outbox_position (position>?)",
        "SEARCH outbox USING PRIMARY KEY (match_id=? AND record=? AND ordinal=?)",
        "SEARCH outbox USING INDEX outbox_position (position>?)",
    }


def test_a_batch_may_hold_several_records_of_a_match(connection: apsw.Connection) -> None:
    batch = [making.founding("m"), *(making.following("m", record) for record in (2, 2, 3, 5, 4))]
    assert commit.write(connection, batch) == [APPENDED, APPENDED, LOST, APPENDED, LOST, APPENDED]


class Slow:
    """A writer that finishes a batch when it is told to."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.unfinished: list[gather.Deliver] = []

    def submit(self, appends: Sequence[protocol.Append], deliver: gather.Deliver) -> None:
        self.batches.append([append.record for append in appends])
        self.unfinished.append(deliver)

    def finish(self) -> None:
        self.unfinished.pop(0)([APPENDED] * len(self.batches[-1]))


async def turns(number: int = 20) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_one_append_is_committed_at_once_and_the_rest_collects_meanwhile() -> None:
    slow = Slow()
    gathering = gather.Gather(asyncio.get_running_loop(), slow.submit, linger_s=60)
    first = asyncio.ensure_future(gathering.append(making.following("m", 2)))
    await turns()
    rest = []
    for record in (3, 4, 5):
        rest.append(asyncio.ensure_future(gathering.append(making.following("m", record))))
        await turns()
    assert slow.batches == [[2]]
    slow.finish()
    assert await first == APPENDED
    await turns()
    assert slow.batches == [[2], [3, 4, 5]]
    slow.finish()
    assert await asyncio.gather(*rest) == [APPENDED] * 3


async def test_a_busy_loop_lets_a_batch_collect_but_not_for_long() -> None:
    slow = Slow()
    gathering = gather.Gather(asyncio.get_running_loop(), slow.submit, linger_s=0.02)
    appends = []
    begun = time.perf_counter()
    while not slow.batches:
        appends.append(asyncio.ensure_future(gathering.append(making.following("m", 2))))
        time.sleep(0.002)  # noqa: ASYNC251 -- this is the busy loop
        await asyncio.sleep(0)
    assert len(slow.batches[0]) > 3
    assert 0.02 <= time.perf_counter() - begun < 0.2
    slow.finish()
    await turns()
    if len(slow.batches) > 1:
        slow.finish()
    assert await asyncio.gather(*appends) == [APPENDED] * len(appends)


async def test_a_flood_goes_in_batches_of_bounded_size() -> None:
    slow = Slow()
    gathering = gather.Gather(asyncio.get_running_loop(), slow.submit, linger_s=60)
    appends = [asyncio.ensure_future(gathering.append(making.following("m", 2))) for _ in range(1200)]
    while slow.unfinished or not all(append.done() for append in appends):
        await turns()
        if slow.unfinished:
            slow.finish()
    assert [len(batch) for batch in slow.batches] == [512, 512, 176]

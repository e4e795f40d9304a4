"""Several server processes over one database, and kills in the middle of appending."""

import asyncio
import collections
import os
import pathlib
import random
import subprocess
import sys

import pytest

from majlis.store import protocol
from majlis.store.postgres.store import PostgresStore
from tests.services import fixtures
from tests.store import making

if not fixtures.CHOSEN:
    pytest.skip(fixtures.WHY_NOT, allow_module_level=True)

ROOT = pathlib.Path(__file__).parents[2]


def start(url: str, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.rivals", url, name],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        text=True,
    )


def kill(child: subprocess.Popen[str]) -> list[str]:
    """Kills -9; the whole lines that it had said."""
    child.kill()
    said, _ = child.communicate()
    assert child.returncode == -9
    return [line for line in said.splitlines(keepends=True) if line.endswith("\n")]


async def test_two_processes_that_are_killed_answer_each_request_once_and_skip_nothing(database_url: str) -> None:
    chance = random.Random(11)
    store = PostgresStore(database_url)
    followed: list[protocol.Result] = []
    over = asyncio.Event()

    async def follow() -> None:
        """A consumer, from the first result on."""
        while True:
            last = over.is_set()
            page = await store.results(followed[-1].position if followed else 0, 100)
            followed.extend(page)
            if last and not page:
                return
            await asyncio.sleep(0.001)

    following = asyncio.ensure_future(follow())
    children = {name: start(database_url, name) for name in ("amal", "basim")}
    lines: list[str] = []
    for _ in range(4):
        await asyncio.sleep(chance.uniform(1.5, 2.5))
        for name in chance.sample(sorted(children), k=chance.choice([1, 2])):
            lines += await asyncio.to_thread(kill, children[name])
            children[name] = start(database_url, name)
    await asyncio.sleep(2)
    for child in children.values():
        lines += await asyncio.to_thread(kill, child)
    while await store.publish(1000):
        pass
    over.set()
    await following

    answers = collections.defaultdict[tuple[str, str], set[tuple[str, str]]](set)
    for line in lines:
        if line != "open\n":
            match_id, request, record, whose = line.split()
            answers[match_id, request].add((record, whose))
    assert {len(told) for told in answers.values()} == {1}, "two answers to one request"
    assert len({whose for told in answers.values() for _, whose in told}) == 2, "one of them never won"
    for (match_id, request), told in answers.items():
        ((record, whose),) = told
        known = await store.find_request(match_id, making.key(f"r{request}"))
        assert known == protocol.Repeated(int(record), bytes.fromhex(whose))
    assert [one.position for one in followed] == list(range(1, len(followed) + 1))
    records = 0
    for match_id in {match_id for match_id, _ in answers}:
        head = await store.head(match_id)
        assert head is not None
        records += head.record
        assert len(await store.payloads(match_id)) == head.record
        told_of = [one.record for one in followed if one.match_id == match_id]
        assert told_of == list(range(2, head.record + 1))
    assert records > 200
    await store.close()

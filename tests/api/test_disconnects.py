"""Clients that are killed with all their streams, again and again: the server is afterwards as it was (R24)."""

import asyncio
import collections
import gc
import os
import pathlib
import sys

from tests.api.clients import PATIENCE, Watcher, bearer, two_players
from tests.api.serving import Serve, Served
from tests.api.test_metrics import scrape, value

ROOT = pathlib.Path(__file__).parents[2]
STREAMS, SPECTATORS = 1_000, 125
"""In a round; eight streams each."""


async def feeds(served: Served) -> float:
    return value(await scrape(served), "majlis_feeds_open")


async def desert(served: Served, match_id: str, tokens: list[str]) -> None:
    """Opens the streams, from a process of their own, and kills that; returns when the server has noticed."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.api.deserter", str(served.listen), match_id, str(STREAMS)),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write("\n".join(tokens).encode())
    child.stdin.close()
    try:
        async with asyncio.timeout(PATIENCE):
            assert await child.stdout.readline() == b"open\n"
        assert await feeds(served) == STREAMS + 1
    finally:
        child.kill()
        await child.wait()
    async with asyncio.timeout(PATIENCE):
        while await feeds(served) > 1:  # noqa: ASYNC110 -- the server is asked
            await asyncio.sleep(0.05)


def kept() -> collections.Counter[str]:
    """All objects that Python knows of, by type, tasks among them."""
    gc.collect()
    return collections.Counter(type(one).__qualname__ for one in gc.get_objects())


async def test_three_rounds_of_abrupt_disconnects_leave_nothing_behind(serve: Serve, tmp_path: pathlib.Path) -> None:
    tokens = [bearer(tmp_path, f"s{number}")[1].removeprefix("Bearer ") for number in range(SPECTATORS)]
    async with serve() as served:
        match = await served.matchmaker.create_match(**two_players())
        async with Watcher(served.player("alice"), match.match_id).watching() as watcher:
            after = []
            for _ in range(3):
                await desert(served, match.match_id, tokens)
                await asyncio.sleep(0.1)  # what the last of them awaits is let go
                after.append(kept())
            # Who stayed is served as before, and the match goes on.
            await served.player("badr").submit(match.match_id, resign={})
            await watcher.until(lambda: isinstance(watcher.ended, EOFError))
    # One object for each five streams would be found; asyncio keeps up to a hundred timers that were called off.
    assert not {kind: count for kind, count in (after[2] - after[1]).items() if count > STREAMS / 5}
    assert after[2]["Task"] <= after[1]["Task"] + 5

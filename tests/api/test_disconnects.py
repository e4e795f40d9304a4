"""Clients that are killed with all their streams, again and again: the server is afterwards as it was (R24)."""

import asyncio
import os
import pathlib
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

from tests.api.clients import PATIENCE, Watcher, bearer, two_players
from tests.api.process import Process, running

ROOT = pathlib.Path(__file__).parents[2]
STREAMS, SPECTATORS = 1_000, 125
"""In a round; eight streams each."""
GROWTH = 1.02
"""Resident memory after the last round, of that after the one before."""


async def measured(process: Process) -> dict[str, float]:
    def fetch() -> str:
        with urllib.request.urlopen(f"http://{process.metrics}/metrics", timeout=10) as answer:
            return str(answer.read().decode())

    families = text_string_to_metric_families(await asyncio.to_thread(fetch))
    return {sample.name: sample.value for family in families for sample in family.samples if not sample.labels}


async def desert(process: Process, match_id: str, tokens: list[str]) -> None:
    """Opens the streams, from a process of their own, and kills that."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.api.deserter", process.listen, match_id, str(STREAMS)),
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
        assert (await measured(process))["majlis_feeds_open"] == STREAMS + 1
    finally:
        child.kill()
        await child.wait()


async def test_three_rounds_of_abrupt_disconnects_leave_nothing_behind(tmp_path: pathlib.Path) -> None:
    tokens = [bearer(tmp_path, f"s{number}")[1].removeprefix("Bearer ") for number in range(SPECTATORS)]
    async with running(tmp_path) as process, process.clients("alice", "badr") as clients:
        async with process.matchmaker() as matchmaker:
            match = await matchmaker.create_match(**two_players())
        after: list[dict[str, float]] = []
        async with Watcher(clients[0], match.match_id).watching() as watcher:
            for _ in range(3):
                await desert(process, match.match_id, tokens)
                async with asyncio.timeout(PATIENCE):
                    while (await measured(process))["majlis_feeds_open"] > 1:  # noqa: ASYNC110 -- the server is asked
                        await asyncio.sleep(0.05)
                after.append(await measured(process))
            # Who stayed is served as before, and the match goes on.
            await clients[1].submit(match.match_id, resign={})
            await watcher.until(lambda: isinstance(watcher.ended, EOFError))
    memory = [one["process_resident_memory_bytes"] for one in after]
    assert memory[2] <= GROWTH * memory[1], memory
    files = [one["process_open_fds"] for one in after]
    assert max(files) - min(files) <= 2, files

"""What other processes see and suffer: a second server, and a kill in the middle of appending."""

import os
import pathlib
import subprocess
import sys

import pytest

from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from tests.store import making

ROOT = pathlib.Path(__file__).parents[2]


def start(path: pathlib.Path, tasks: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.appender", str(path), str(tasks)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        text=True,
    )


def kill(child: subprocess.Popen[str]) -> str:
    """Kills -9; what it had still said."""
    child.kill()
    rest, _ = child.communicate()
    assert child.returncode == -9
    return rest


async def test_a_second_process_is_told_which_file_is_in_use(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    child = start(path, 0)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n"
        with pytest.raises(protocol.Unavailable) as refused:
            sqlite.SqliteStore(path)
        assert str(refused.value) == f"{path}: in use by another server process"
    finally:
        kill(child)
    await sqlite.SqliteStore(path).close()


async def test_a_second_store_of_one_process_is_refused_and_the_first_goes_on(tmp_path: pathlib.Path) -> None:
    first = sqlite.SqliteStore(tmp_path / "majlis.db")
    with pytest.raises(protocol.Unavailable, match="in use"):
        sqlite.SqliteStore(tmp_path / "majlis.db")
    assert await first.append(making.founding("m")) == protocol.Appended()
    await first.close()


async def test_no_acknowledged_append_is_lost_by_kill_9(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    acknowledged: dict[tuple[str, int], bytes] = {}
    for lines in (1, 40, 333):
        child = start(path, 16)
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(lines + 1)]
        told += kill(child).splitlines(keepends=True)
        for line in told[1:]:
            if line.endswith("\n"):
                match_id, record, append_id = line.split()
                acknowledged[match_id, int(record)] = bytes.fromhex(append_id)
        store = sqlite.SqliteStore(path)
        for (match_id, number), append in acknowledged.items():
            assert await store.find_append(match_id, append) == number
        for match_id in {match_id for match_id, _ in acknowledged}:
            head = await store.head(match_id)
            assert head is not None
            expected = [f"{match_id} {record}".encode() for record in range(1, head.record + 1)]
            assert await store.payloads(match_id) == expected
        await store.close()
    assert len(acknowledged) > 374

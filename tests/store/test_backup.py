"""What docs/operations.md tells operators to do with the file of a running server: copies, and looks into it."""

import asyncio
import pathlib
import re
import shlex
import subprocess
import sys

import apsw

from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from tests.store import making

PAGE = pathlib.Path(__file__).parents[2] / "docs/operations.md"


def shown(language: str) -> list[str]:
    """The blocks of a language on the page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def copy(source: pathlib.Path, target: pathlib.Path) -> None:
    """Runs what the page says, with this interpreter and these files."""
    (block,) = [block for block in shown("sh") if "VACUUM" in block]
    text = block.replace(".venv/bin/python", shlex.quote(sys.executable))
    text = text.replace(" var/majlis.db copy.db", f" {shlex.quote(str(source))} {shlex.quote(str(target))}")
    done = subprocess.run(["sh", "-ec", text], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


async def test_a_copy_that_is_made_while_the_server_writes_is_whole(tmp_path: pathlib.Path) -> None:
    path, target = tmp_path / "majlis.db", tmp_path / "copy.db"
    store = sqlite.SqliteStore(path)
    acknowledged: list[protocol.Append] = []
    done = asyncio.Event()

    async def play(match_id: str) -> None:
        append = making.founding(match_id, payload=bytes(2_000))
        while not done.is_set():
            assert await store.append(append) == protocol.Appended()
            acknowledged.append(append)
            append = making.following(match_id, append.record + 1, payload=bytes(2_000))

    playing = [asyncio.create_task(play(f"m{number}")) for number in range(8)]
    await asyncio.sleep(0.3)
    before, already = list(acknowledged), len(acknowledged)
    await asyncio.to_thread(copy, path, target)
    await asyncio.sleep(0.05)
    done.set()
    await asyncio.gather(*playing)
    await store.close()
    assert already > 8
    assert len(acknowledged) > already, "the server went on meanwhile"

    assert target.stat().st_mode & 0o777 == 0o600
    assert apsw.Connection(str(target)).pragma("integrity_check") == "ok"
    restored = sqlite.SqliteStore(target)
    for append in before:
        assert await restored.find_append(append.match_id, append.append_id) == append.record
    for match_id in {append.match_id for append in before}:
        head = await restored.head(match_id)
        assert head is not None
        assert len(await restored.payloads(match_id)) == head.record
        assert await restored.append(making.following(match_id, head.record + 1)) == protocol.Appended()
    await restored.close()


async def test_a_file_that_is_copied_alone_lacks_what_came_last(tmp_path: pathlib.Path) -> None:
    path, target = tmp_path / "majlis.db", tmp_path / "copy.db"
    store = sqlite.SqliteStore(path)
    await store.append(making.founding("m"))
    target.write_bytes(path.read_bytes())
    await store.close()
    copied = sqlite.SqliteStore(target)
    assert await copied.head("m") is None
    await copied.close()


async def test_an_operator_may_look_while_the_server_writes(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "majlis.db"
    store = sqlite.SqliteStore(path)
    await store.append(making.founding("a", outbox=("seated", "started")))
    await store.append(making.founding("b", outbox=("seated", "started")))
    await store.append(making.following("b", 2, over=True, outbox=("ended",)))
    await store.publish(9)
    await store.acknowledge("wallet pay", 2)
    operator = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    matches, backlog = [block for block in shown("sql") if block.startswith("SELECT")]
    assert operator.execute(matches).fetchall() == [("tonj", 2, 1)]
    assert operator.execute(backlog).fetchall() == [("wallet pay", 3)]
    assert await store.append(making.founding("c")) == protocol.Appended()
    assert operator.execute(matches).fetchall() == [("tonj", 2, 2)]
    operator.close()
    await store.close()

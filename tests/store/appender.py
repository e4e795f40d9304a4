"""A process of its own that opens a store and appends until it is killed, telling each append that was acknowledged.

python -m tests.store.appender PATH [TASKS]
"""

import asyncio
import pathlib
import sys

from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from tests.store import making


async def _append_on(store: sqlite.SqliteStore, match_id: str) -> None:
    head = await store.head(match_id)
    record = head.record if head else 0
    while True:
        record += 1
        append = making.following(match_id, record) if record > 1 else making.founding(match_id)
        if await store.append(append) == protocol.Appended():
            print(match_id, record, append.append_id.hex(), flush=True)


async def _main(path: str, tasks: int) -> None:
    store = sqlite.SqliteStore(pathlib.Path(path))
    print("open", flush=True)
    await asyncio.gather(asyncio.Event().wait(), *(_append_on(store, f"m{n}") for n in range(tasks)))


asyncio.run(_main(sys.argv[1], int(sys.argv[2])))

"""A process that appends to matches which others append to as well, and answers the same requests, until it is killed.

python -m tests.store.rivals URL NAME

Each line that it prints tells what it was told of a request: match, request, record, and whose answer that is.
"""

import asyncio
import sys

from majlis.store import open as opening
from majlis.store import protocol
from tests.store import making

MATCHES = 6


async def _settled(store: protocol.Store, append: protocol.Append) -> protocol.Outcome:
    while True:
        try:
            return await store.append(append)
        except (protocol.InDoubt, protocol.Unavailable):
            await asyncio.sleep(0.02)


async def _answer_on(store: protocol.Store, match_id: str, name: str) -> None:
    await _settled(store, making.founding(match_id, external_id=match_id))
    found = await store.head(match_id)
    assert found is not None
    request = max(0, found.record - 20)  # some that were answered, and on
    while True:
        request += 1
        while True:
            head = await store.head(match_id)
            assert head is not None
            append = making.following(
                match_id, head.record + 1, request=f"r{request}", body=name, outbox=("started",), payload=name.encode()
            )
            outcome = await _settled(store, append)
            if isinstance(outcome, protocol.Appended):
                print(match_id, request, append.record, making.digest(name).hex(), flush=True)
                break
            if isinstance(outcome, protocol.Repeated):
                print(match_id, request, outcome.record, outcome.body_hash.hex(), flush=True)
                break


async def _publish_on(store: protocol.Store) -> None:
    while True:
        await store.publish(7)
        await asyncio.sleep(0.001)


async def _main(url: str, name: str) -> None:
    store = opening.open_store(url)
    print("open", flush=True)
    await asyncio.gather(_publish_on(store), *(_answer_on(store, f"m{n}", name) for n in range(MATCHES)))


asyncio.run(_main(sys.argv[1], sys.argv[2]))

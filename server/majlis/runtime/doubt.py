"""Finding out what became of an append whose outcome is unknown.

The same record is appended again, under the same append id: if the first attempt landed, or lands yet, the store says
so and writes nothing; if it did not, it lands now. Whatever that attempt answers decides for both.
"""

import asyncio
from collections.abc import Callable

from majlis.store import protocol

FIRST_PAUSE = 0.01
LONGEST_PAUSE = 1.0


async def settle(
    store: protocol.Store, append: protocol.Append, trouble: Callable[[Exception], None]
) -> protocol.Outcome:
    """Tries until it is known whether an append has landed.

    Args:
        store: the log.
        append: the one in doubt.
        trouble: called with the error each time that the store did not answer.

    Returns:
        `Appended` when it is durable, otherwise why it never will be.
    """
    pause = FIRST_PAUSE
    while True:
        try:
            return await store.append(append)
        except Exception as error:
            trouble(error)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)

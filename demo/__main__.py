"""`python -m demo`: every game once. Ends with status 0, or with 1 and one line about what was not as it must be."""

import asyncio
import sys
import time

import grpc

from demo import caller, server, tonj
from demo.failure import Failure
from demo.screen import Screen

GAMES = (tonj.demo,)


async def demo(screen: Screen) -> None:
    """Plays every game on one server.

    Raises:
        Failure: something was not as it must be.
    """
    begun = time.monotonic()
    async with server.running() as running:
        screen.say(f"A server of our own listens on {running.listen}; its store is new and will be gone at the end.")
        for game in GAMES:
            try:
                await game(running, screen)
            except grpc.aio.AioRpcError as error:
                raise caller.failed(error) from None
    screen.say(f"The server has stopped in order. All this took {time.monotonic() - begun:.1f} s.")


def main() -> int:
    """Runs the demo; the exit status."""
    try:
        asyncio.run(demo(Screen()))
    except Failure as failure:
        print(f"demo: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

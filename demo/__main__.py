"""`python -m demo`: every game once, and every way to a match.

Ends with status 0, or with 1 and one line about what was not as it must be.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence

import grpc

from demo import caller, lobby, server, tonj, tonj_house, trix
from demo.failure import Failure
from demo.screen import Screen

PARTS = {"tonj": tonj.demo, "tonj_house": tonj_house.demo, "trix": trix.demo, "lobby": lobby.demo}


async def demo(parts: Sequence[str], screen: Screen) -> None:
    """Shows these parts, one after the other, on one server.

    Raises:
        Failure: something was not as it must be.
    """
    begun = time.monotonic()
    async with server.running() as running:
        screen.say(f"A server of our own listens on {running.listen}; its store is new and will be gone at the end.")
        for part in parts:
            try:
                await PARTS[part](running, screen)
            except grpc.aio.AioRpcError as error:
                raise caller.failed(error) from None
    screen.say(f"The server has stopped in order. All this took {time.monotonic() - begun:.1f} s.")


def chosen() -> list[str]:
    """The parts that the command line names; all of them if it names none."""
    parser = argparse.ArgumentParser(
        prog="python -m demo",
        description="Plays a match of each game over gRPC, against a server of its own that is gone afterwards, lets"
        " players meet in its lobby, and checks what came of it all. A record of each part is left in var/demo, for"
        " `majlis verify`.",
        epilog="Ends with status 0 if all was as it must be, and with 1 and one line about it if something was not.",
    )
    parser.add_argument("parts", nargs="*", type=_part, metavar="PART", help=f"of {', '.join(PARTS)}; all if none")
    return parser.parse_args().parts or list(PARTS)


def _part(name: str) -> str:
    if name not in PARTS:
        raise argparse.ArgumentTypeError(f"nothing here is called {name!r}; there are {', '.join(PARTS)}")
    return name


def main() -> int:
    """Runs the demo; the exit status."""
    try:
        asyncio.run(demo(chosen(), Screen()))
    except Failure as failure:
        print(f"demo: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

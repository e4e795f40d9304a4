"""The ways to a match, one after the other."""

from demo.lobby import room, stakes, table
from demo.screen import Screen
from demo.server import Server


async def demo(server: Server, screen: Screen) -> None:
    """Shows all of them, and checks what can be checked.

    Raises:
        Failure: something was not as it must be.
    """
    screen.say("The lobby: players find their own way to a match.")
    await table.demo(server, screen)
    await room.demo(server, screen)
    await stakes.demo(server, screen)

"""The players' process: does what it is told, one JSON line in and one out, and does nothing meanwhile.

It keeps its matches at every target open between two commands, so that the targets can take turns.
"""

import asyncio
import json
import pathlib
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvloop

from bench import load, players, script, sessions
from majlis.api import dev_identity
from majlis.api.caller import Role

AT_ONCE = 32
"""Matches and streams that are opened at the same time."""
STREAMS_A_CONNECTION = 500


class Client:
    """The players of one process."""

    def __init__(self) -> None:
        self._tables: dict[str, list[players.Players]] = {}
        self._made: list[tuple[str, str]] = []
        self._streams: list[players.Stream] = []
        self._channels: list[players.Caller] = []

    async def sit_down(
        self, target: str, address: str, data: str, group: str, matches: int, on_sessions: bool = False
    ) -> dict[str, Any]:
        """Opens so many matches at a target, in place of those that were open there. `group` keeps names apart."""
        for table in self._tables.pop(target, []):
            table.close()
        lobby = _caller(address, data, "lobby", Role.MATCHMAKER)
        seated = sessions.SessionPlayers if on_sessions else players.Players
        tables = [
            seated(
                lobby,
                (_caller(address, data, f"{group}-{number}-a"), _caller(address, data, f"{group}-{number}-b")),
                random.Random(number),
            )
            for number in range(matches)
        ]
        await _in_parallel([table.sit_down for table in tables])
        self._tables[target] = tables
        return {}

    async def flat_out(self, target: str, seconds: float) -> dict[str, Any]:
        """Plays a closed loop."""
        pace = await load.flat_out(self._tables[target], seconds)
        return {"counted": pace.counted, "played": pace.played}

    async def by_timetable(self, target: str, rate: float, seconds: float) -> dict[str, Any]:
        """Plays an open loop."""
        return {"late": await load.by_timetable(self._tables[target], rate, seconds)}

    async def record(self, target: str, path: str) -> dict[str, Any]:
        """Plays every open match to its end and writes down what was sent."""
        scripts = [await _recorded(table) for table in self._tables[target]]
        script.write(pathlib.Path(path), scripts)
        return {"moves": [len(written.steps) for written in scripts]}

    async def make(self, address: str, data: str, group: str, matches: int) -> dict[str, Any]:
        """Makes matches that nobody watches."""
        lobby = _caller(address, data, "lobby", Role.MATCHMAKER)

        async def one(number: int) -> None:
            names = [f"{group}-{number}-a", f"{group}-{number}-b"]
            made = players.match_id(await lobby.create(names))
            self._made.extend((made, name) for name in names)

        await _in_parallel([lambda number=number: one(number) for number in range(matches)])  # type: ignore[misc]
        return {}

    async def watch(self, address: str, data: str, streams: int, own_connections: bool) -> dict[str, Any]:
        """Opens so many streams of players of the matches that were made; each is read up to its snapshot."""
        chosen, self._made = self._made[:streams], self._made[streams:]
        for number, (match_id, name) in enumerate(chosen):
            if own_connections or number % STREAMS_A_CONNECTION == 0:
                self._channels.append(_caller(address, data, name))
            shared = self._channels[-1]
            caller = players.Caller(address, name, _token(data, name, Role.PLAYER), shared.channel)
            stream = caller.watch(match_id)
            await stream.read()
            self._streams.append(stream)
        return {"streams": len(chosen)}


async def _recorded(table: players.Players) -> script.Script:
    steps = []
    while (move := await table.move()) is not None:
        steps.append(script.Step(move.answer, move.updates))
    return script.Script(table.created, table.snapshots, tuple(steps))


async def _in_parallel(works: list[Callable[[], Awaitable[None]]]) -> None:
    waiting = iter(works)

    async def through() -> None:
        for work in waiting:
            await work()

    await asyncio.gather(*(through() for _ in range(AT_ONCE)))


def _caller(address: str, data: str, name: str, role: Role = Role.PLAYER) -> players.Caller:
    return players.Caller(address, name, _token(data, name, role))


def _token(data: str, name: str, role: Role) -> str:
    return dev_identity.token(pathlib.Path(data), name, role, hours=1.0)


async def obey() -> None:
    """Reads commands until there are no more."""
    client = Client()
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        answer = await getattr(client, command.pop("do"))(**command)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(obey())

"""A stop that takes its time, and an operator who does not have it."""

import itertools
import pathlib
import signal

import pytest

from tests.api.clients import Watcher, two_players
from tests.api.process import running
from tests.api.refused import refused

SLOW = ("--grace-seconds", "60", "--drain-seconds", "60")


SIGNALS = (signal.SIGTERM, signal.SIGINT)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(SIGNALS, SIGNALS)))
async def test_a_second_signal_ends_it_at_once(
    tmp_path: pathlib.Path, first: signal.Signals, second: signal.Signals
) -> None:
    async with running(tmp_path, *SLOW) as process, process.clients("alice", "badr") as clients:
        async with process.matchmaker() as matchmaker:
            match, other = [await matchmaker.create_match(**two_players()) for _ in range(2)]
        answer = await clients[1].submit(match.match_id, request_id="first", resign={})
        watcher = Watcher(clients[0], other.match_id)
        async with watcher.watching():
            process.process.send_signal(first)
            await watcher.until(lambda: watcher.drained)
            with refused("DRAINING"):
                await clients[0].get_match(match.match_id)
            process.process.send_signal(second)
            # Whatever is not a line of the log, such as a traceback, fails the reading of it.
            assert await process.ended() == -second
    assert "stopped" not in [event["event"] for event in process.log]
    async with running(tmp_path) as process, process.clients("badr") as (badr,):
        assert await badr.submit(match.match_id, request_id="first", resign={}) == answer

"""The proof of a match's deals: its record is fetched, kept, and held against what was promised before the deal."""

import asyncio
import hashlib
import pathlib
import sys

from google.protobuf import json_format

from demo.caller import Caller
from demo.failure import must
from demo.screen import Screen
from majlis.v1 import match_pb2, match_service_pb2

REPLAYS = pathlib.Path("var/demo")


async def prove(
    calls: Caller, match: match_pb2.Match, name: str, screen: Screen
) -> match_service_pb2.GetReplayResponse:
    """Proves the deals of an ended match; the record.

    Args:
        calls: of somebody who may see the match.
        match: as it was before the deal.
        name: of the file that the record is kept in.
        screen: told of it.

    Raises:
        Failure: the seed or a card is another than was promised.
    """
    replay = await calls.replay(match.match_id)
    seed = replay.deal_seed
    must(
        hashlib.sha256(b"majlis-commit-v1\0" + seed).digest() == match.deal_commitment,
        "the seed is not the one that the server had committed to",
    )
    path = REPLAYS / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json_format.MessageToJson(replay))
    verify = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "majlis", "verify", str(path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said = (await verify.communicate())[0].decode().strip()
    must(verify.returncode == 0, f"majlis verify: {said}")
    screen.say(f"The seed {seed.hex()} fits the commitment.")
    screen.say(f"majlis verify: {said}")
    return replay

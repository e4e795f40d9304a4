"""`majlis verify`: holds a replay against the commitment that was published before its first deal, and the rules."""

import json
from typing import Any, BinaryIO

import click

from majlis.cli.faults import Fault


@click.command(short_help="Check the cards and events of a replay.")
@click.argument("replay", type=click.File("rb"))
def verify(replay: BinaryIO) -> None:
    """Recompute every deal of REPLAY, and say whether the cards were those that were promised and all events follow.

    The seed must be the one that was committed to, and every card the one that it deals there. In Tonj cards, places,
    turns and counts are held against the table. In Trix each contract, card and pass is judged again by the rules, and
    so is what the server did, takers, points and winners; only the answers to the doubling question are in no replay,
    so it cannot be seen whether a card was doubled that its own holder took, at the plain price.

    REPLAY is protobuf JSON of a GetReplayResponse, or a list of its pages in order; - reads standard input. The exit
    status is 1 at the first difference.
    """
    from google.protobuf import json_format

    from majlis import _core
    from majlis.v1 import match_service_pb2

    try:
        given: Any = json.loads(replay.read())
        pages = given if isinstance(given, list) else [given]
        if not pages or not all(isinstance(page, dict) for page in pages):
            raise ValueError("must be a JSON object, or a list of them")
        read = [json_format.ParseDict(page, match_service_pb2.GetReplayResponse()) for page in pages]
        difference = _core.verify([page.SerializeToString() for page in read])
    except (ValueError, RecursionError, json_format.ParseError) as error:
        raise Fault(f"{replay.name}: no replay: {' '.join(str(error).split())}") from None
    except _core.Malformed as error:
        faults = "; ".join(f"{path}: {fault}" for path, fault in error.fields)
        raise Fault(f"{replay.name}: no replay: {faults}") from None
    if difference:
        raise Fault(f"{replay.name}: {difference}")
    click.echo(f"{replay.name}: every deal is as it was promised, and every event follows")

"""The view digest of a position, made from what its game's clauses let a viewer see (tonj_shown.py and its like)."""

from typing import Any

from google.protobuf import json_format

from majlis.client import digest
from majlis.v1 import match_pb2
from tests.rules.games import GAMES


def digest_of(position: dict[str, Any], viewer: int, sequence: int, outcome: dict[str, Any] | None) -> str:
    """In hex, for a match that stands at a position."""
    match = match_pb2.Match(sequence=sequence, status=match_pb2.MATCH_STATUS_ACTIVE)
    if outcome and outcome["match_over"]:
        match.status = match_pb2.MATCH_STATUS_ENDED
        match.outcome.reason = match_pb2.EndReason.Value(outcome["reason"])
        match.outcome.winner_seats.extend(outcome["winner_seats"])
        match.outcome.totals.extend(outcome["totals"])
        if "settlement" in outcome:
            json_format.ParseDict(outcome["settlement"], match.outcome.settlement)
    return digest.view_digest(match, GAMES[position["game"]].view_of(position, viewer)).hex()

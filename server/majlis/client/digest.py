"""The view digest as a client computes it, from the messages that it holds (docs/view-digest.md).

A client compares it with the digest of each batch; another one means that it has drifted, and asks for a snapshot.
Written apart from the server's own builder, so that each checks the other. What the table of a game has to say stands
in a file of its own.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from majlis.client import tonj_digest, tonj_house_digest, trix_digest
from majlis.v1 import match_pb2, match_service_pb2

DIGEST_BYTES = 16
_LINES: dict[str, Callable[[Any], Iterable[str]]] = {
    "tonj": tonj_digest.lines,
    "tonj_house": tonj_house_digest.lines,
    "trix": trix_digest.lines,
}
"""Of each game's table, by the name that the game has in views."""


def view_digest(match: match_pb2.Match, view: match_service_pb2.View | None) -> bytes:
    """The 16 bytes for a match and its table as one viewer sees it.

    Args:
        match: its sequence, status and outcome count.
        view: the table; None before the deal.
    """
    return hashlib.sha256(canonical_text(match, view).encode()).digest()[:DIGEST_BYTES]


def canonical_text(match: match_pb2.Match, view: match_service_pb2.View | None) -> str:
    """The text under the digest, every line ended by a line feed."""
    lines = [
        "majlis-view-v1",
        f"sequence {match.sequence}",
        f"status {match_pb2.MatchStatus.Name(match.status)}",
        *_table(view),
        _outcome(match.outcome) if match.HasField("outcome") else "outcome -",
    ]
    return "".join(f"{line}\n" for line in lines)


def _outcome(outcome: match_pb2.Outcome) -> str:
    reason = match_pb2.EndReason.Name(outcome.reason)
    winners, totals = map(str, outcome.winner_seats), map(str, outcome.totals)
    settled = _settlement(outcome.settlement) if outcome.HasField("settlement") else []
    return " ".join(["outcome", reason, "winners", *winners, "totals", *totals, *settled])


def _settlement(settlement: match_pb2.Settlement) -> list[str]:
    amounts = [settlement.entry_fee_minor, settlement.pot_minor, settlement.rake_minor, *settlement.payout_minor]
    return ["settlement", *map(str, amounts)]


def _table(view: match_service_pb2.View | None) -> Iterable[str]:
    game = view.WhichOneof("game") if view is not None else None
    return _LINES[game](getattr(view, game)) if game is not None else ["table -"]

"""The view digest as a client computes it, from the messages that it holds (docs/view-digest.md).

A client compares it with the digest of each batch; another one means that it has drifted, and asks for a snapshot.
Written apart from the server's own builder, so that each checks the other.
"""

import hashlib
from collections.abc import Iterator

from majlis.v1 import cards_pb2, match_pb2, match_service_pb2, tonj_pb2

DIGEST_BYTES = 16

_RANKS = "A23456789TJQK"
_SUITS = {
    cards_pb2.SUIT_CLUBS: "C",
    cards_pb2.SUIT_DIAMONDS: "D",
    cards_pb2.SUIT_HEARTS: "H",
    cards_pb2.SUIT_SPADES: "S",
}


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
    return " ".join(["outcome", reason, "winners", *winners, "totals", *totals])


def _table(view: match_service_pb2.View | None) -> Iterator[str]:
    if view is not None and view.HasField("tonj"):
        yield "game tonj"
        yield from _tonj(view.tonj)
    else:
        yield "table -"


def _tonj(view: tonj_pb2.TonjView) -> Iterator[str]:
    yield (
        f"hand {view.hand_number} starter {view.starter} turn {view.turn_number} seat {view.turn_seat}"
        f" transfers {view.transfers_left} claims {view.claims_left}"
    )
    for seat, side in enumerate(view.sides):
        reserve_top = _card(side.reserve_top if side.HasField("reserve_top") else None)
        waste_top = _card(side.waste_top if side.HasField("waste_top") else None)
        yield (
            f"side {seat} reserve {side.reserve_count} {reserve_top} hand {side.hand_count}"
            f" waste {side.waste_count} {waste_top} total {side.total}"
        )
    for index, house in enumerate(view.houses):
        yield " ".join([f"house {index}", *map(_card, house.cards)])
    for index, foundation in enumerate(view.foundations):
        yield f"foundation {index} {foundation.count} {_card(foundation.top if foundation.HasField('top') else None)}"
    yield f"pending {_card(view.pending if view.HasField('pending') else None)}"
    if view.HasField("claim"):
        yield f"claim {view.claim.offender} {_attempt(view.claim.attempt)}"
    else:
        yield "claim -"


def _card(card: cards_pb2.Card | None) -> str:
    return "-" if card is None else f"{_RANKS[card.rank - 1]}{_SUITS[card.suit]}{card.pack}"


def _attempt(action: tonj_pb2.TonjAction) -> str:
    kind = action.WhichOneof("kind")
    if kind == "move":
        move = action.move
        return f"move {_pile(getattr(move, 'from'))} {_pile(move.to)} {move.count}"
    return kind or "-"


def _pile(pile: tonj_pb2.Pile) -> str:
    index = pile.index if pile.HasField("index") else "-"
    return f"{tonj_pb2.PileKind.Name(pile.kind)}/{pile.seat}/{index}"

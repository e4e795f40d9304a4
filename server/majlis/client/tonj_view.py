"""What each Tonj event does to the table as it is seen. Nothing is judged: the server has done that."""

from majlis.client import crapette_view
from majlis.v1 import tonj_pb2

PLAYED_ON = False


def apply(view: tonj_pb2.TonjView, event: tonj_pb2.TonjEvent, options: tonj_pb2.TonjOptions) -> None:
    """Changes the view as the event says.

    Args:
        view: the table before it; an empty message before the first deal.
        event: as this viewer was sent it.
        options: of the match, defaults filled in, as a `Match` carries them.
    """
    kind = event.WhichOneof("kind")
    if kind == "dealt":
        _deal(view, event.dealt, options)
    elif kind == "cards_moved":
        _move(view, event.cards_moved)
    elif kind == "card_revealed":
        view.sides[event.card_revealed.seat].hand_count -= 1
        view.pending.CopyFrom(event.card_revealed.card)
    elif kind == "card_discarded":
        crapette_view.throw(view.sides[event.card_discarded.seat], event.card_discarded.card)
        view.ClearField("pending")
    elif kind == "waste_recycled":
        crapette_view.turn_waste(view.sides[event.waste_recycled.seat], event.waste_recycled.count)
    elif kind == "turn_started":
        view.turn_seat = event.turn_started.seat
        view.turn_number = event.turn_started.turn_number
        _renew(view, options)
    elif kind == "claim_opened":
        view.claim.offender = event.claim_opened.offender
        view.claim.attempt.CopyFrom(event.claim_opened.attempt)
        view.claims_left -= 1
    elif kind == "claim_resolved":
        view.ClearField("claim")
    elif kind == "hand_ended":
        for side, total in zip(view.sides, event.hand_ended.totals, strict=True):
            side.total = total


def end(view: tonj_pb2.TonjView) -> None:
    """The match is over: the table stays as it was left, and does not tell."""


def _deal(view: tonj_pb2.TonjView, dealt: tonj_pb2.TonjEvent.Dealt, options: tonj_pb2.TonjOptions) -> None:
    totals = [side.total for side in view.sides] or [0, 0]
    view.Clear()
    view.hand_number = dealt.hand_number
    view.starter = view.turn_seat = dealt.starter
    crapette_view.lay_out(view, dealt.reserve_tops, dealt.houses, totals)
    _renew(view, options)


def _renew(view: tonj_pb2.TonjView, options: tonj_pb2.TonjOptions) -> None:
    """A turn starts with all its transfers and claims (T22, T33)."""
    view.transfers_left = options.max_transfers_per_turn
    view.claims_left = options.max_claims_per_turn


def _move(view: tonj_pb2.TonjView, moved: tonj_pb2.TonjEvent.CardsMoved) -> None:
    source, target = getattr(moved, "from"), moved.to
    if source.kind == tonj_pb2.PILE_KIND_HAND:
        view.ClearField("pending")
    else:
        crapette_view.take(view, source, len(moved.cards), moved.turned_up if moved.HasField("turned_up") else None)
    crapette_view.put(view, target, moved.cards)
    if source.kind == target.kind == tonj_pb2.PILE_KIND_HOUSE:
        view.transfers_left -= 1  # T22

"""What each Tonj event does to the table as it is seen. Nothing is judged: the server has done that."""

from majlis.v1 import tonj_pb2

PLAYED_ON = False
_FIRST_RESERVE, _FIRST_HAND = 13, 35  # T2


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
        side = view.sides[event.card_discarded.seat]
        side.waste_count += 1
        side.waste_top.CopyFrom(event.card_discarded.card)
        view.ClearField("pending")
    elif kind == "waste_recycled":
        side = view.sides[event.waste_recycled.seat]
        side.hand_count = event.waste_recycled.count
        side.waste_count = 0
        side.ClearField("waste_top")
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
    for top, total in zip(dealt.reserve_tops, totals, strict=True):
        view.sides.add(reserve_count=_FIRST_RESERVE, reserve_top=top, hand_count=_FIRST_HAND, total=total)
    for card in dealt.houses:
        view.houses.add(cards=[card])
        view.foundations.add()
    _renew(view, options)


def _renew(view: tonj_pb2.TonjView, options: tonj_pb2.TonjOptions) -> None:
    """A turn starts with all its transfers and claims (T22, T33)."""
    view.transfers_left = options.max_transfers_per_turn
    view.claims_left = options.max_claims_per_turn


def _move(view: tonj_pb2.TonjView, moved: tonj_pb2.TonjEvent.CardsMoved) -> None:
    source, target = getattr(moved, "from"), moved.to
    if source.kind == tonj_pb2.PILE_KIND_RESERVE:
        side = view.sides[source.seat]
        side.reserve_count -= 1
        side.ClearField("reserve_top")
        if moved.HasField("turned_up"):
            side.reserve_top.CopyFrom(moved.turned_up)
    elif source.kind == tonj_pb2.PILE_KIND_HAND:
        view.ClearField("pending")
    else:
        del view.houses[source.index].cards[-len(moved.cards) :]

    if target.kind == tonj_pb2.PILE_KIND_HOUSE:
        view.houses[target.index].cards.extend(moved.cards)
        if source.kind == tonj_pb2.PILE_KIND_HOUSE:
            view.transfers_left -= 1  # T22
        return
    [card] = moved.cards  # T13: a group goes to a house only
    if target.kind == tonj_pb2.PILE_KIND_FOUNDATION:
        foundation = view.foundations[target.index]
        foundation.count += 1
        foundation.top.CopyFrom(card)
    elif target.kind == tonj_pb2.PILE_KIND_RESERVE:
        side = view.sides[target.seat]
        side.reserve_count += 1
        side.reserve_top.CopyFrom(card)
    else:
        side = view.sides[target.seat]
        side.waste_count += 1
        side.waste_top.CopyFrom(card)

"""What each event of the house edition does to the table as it is seen. Nothing is judged: the server has done that."""

from majlis.client import crapette_view
from majlis.v1 import tonj_house_pb2, tonj_pb2

PLAYED_ON = False


def apply(
    view: tonj_house_pb2.TonjHouseView, event: tonj_house_pb2.TonjHouseEvent, options: tonj_house_pb2.TonjHouseOptions
) -> None:
    """Changes the view as the event says.

    Args:
        view: the table before it; an empty message before the deal.
        event: as this viewer was sent it.
        options: of the match, defaults filled in, as a `Match` carries them.
    """
    kind = event.WhichOneof("kind")
    if kind == "dealt":
        _deal(view, event.dealt, options)
    elif kind == "turn_started":
        view.turn_seat = event.turn_started.seat
        view.turn_number = event.turn_started.turn_number
        view.moves_left = options.max_moves_per_turn  # H16
    elif kind == "waste_turned":
        crapette_view.turn_waste(view.sides[event.waste_turned.seat], event.waste_turned.count)
    elif kind == "card_opened":
        view.sides[event.card_opened.seat].hand_count -= 1
        view.opened.CopyFrom(event.card_opened.card)
    elif kind == "card_moved":
        _move(view, event.card_moved)
    elif kind == "foundation_retired":
        view.foundations[event.foundation_retired.index].Clear()
        view.retired[:] = sorted([*view.retired, event.foundation_retired.suit])
    elif kind == "card_discarded":
        crapette_view.throw(view.sides[event.card_discarded.seat], event.card_discarded.card)
        view.ClearField("opened")
    elif kind == "penalised":
        _penalise(view, event.penalised)
    elif kind == "turn_ended":
        by_pass = event.turn_ended.by == tonj_house_pb2.TonjHouseEvent.TURN_END_PASS
        view.passes = view.passes + 1 if by_pass else 0  # H23, H27


def end(view: tonj_house_pb2.TonjHouseView) -> None:
    """The match is over: the table stays as the last action left it (H25)."""


def _deal(
    view: tonj_house_pb2.TonjHouseView,
    dealt: tonj_house_pb2.TonjHouseEvent.Dealt,
    options: tonj_house_pb2.TonjHouseOptions,
) -> None:
    view.Clear()
    view.starter = view.turn_seat = dealt.starter
    view.moves_left = options.max_moves_per_turn
    crapette_view.lay_out(view, dealt.reserve_tops, dealt.houses, totals=[0, 0])


def _move(view: tonj_house_pb2.TonjHouseView, moved: tonj_house_pb2.TonjHouseEvent.CardMoved) -> None:
    source = getattr(moved, "from")
    if source.kind == tonj_pb2.PILE_KIND_HAND:
        view.ClearField("opened")
    else:
        crapette_view.take(view, source, 1, moved.turned_up if moved.HasField("turned_up") else None)
    crapette_view.put(view, moved.to, [moved.card])
    view.moves_left -= 1  # H16


def _penalise(view: tonj_house_pb2.TonjHouseView, penalised: tonj_house_pb2.TonjHouseEvent.Penalised) -> None:
    """The opened card is thrown before the penalty cards are taken, and may be one of them (H21)."""
    offender, source = view.sides[penalised.seat], view.sides[penalised.source]
    if penalised.HasField("returned"):
        crapette_view.throw(offender, penalised.returned)
        view.ClearField("opened")
    source.hand_count -= penalised.from_stock
    source.waste_count -= penalised.from_waste
    if not source.waste_count:
        source.ClearField("waste_top")
    offender.reserve_count += penalised.from_stock + penalised.from_waste
    if penalised.HasField("turned_up"):
        offender.reserve_top.CopyFrom(penalised.turned_up)

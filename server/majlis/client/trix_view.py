"""What each Trix event does to the table as it is seen. Nothing is judged: the server has done that.

What a trick costs stands in trix_points.py.
"""

from majlis.client import trix_points
from majlis.v1 import cards_pb2, trix_pb2

PLAYED_ON = True  # X17
_SEATS = 4
_FULL_HAND = 13  # X2


def apply(view: trix_pb2.TrixView, event: trix_pb2.TrixEvent, options: trix_pb2.TrixOptions) -> None:
    """Changes the view as the event says.

    Args:
        view: the table before it; an empty message before the first deal.
        event: as this viewer was sent it.
        options: of the match, defaults filled in, as a `Match` carries them.
    """
    kind = event.WhichOneof("kind")
    if kind == "dealt":
        _deal(view, event.dealt)
    elif kind == "contract_chosen":
        _choose(view, event.contract_chosen.contract)
    elif kind == "doubles_shown":
        view.doubled.extend(event.doubles_shown.doubled)
        view.phase = trix_pb2.TrixView.PHASE_TRICKS
        view.turn_seat = view.owner  # X6
    elif kind == "card_played":
        _play(view, event.card_played.seat, event.card_played.card)
    elif kind == "passed":
        view.turn_seat = _next_with_cards(view, event.passed.seat)
    elif kind == "trick_taken":
        _take(view, event.trick_taken.seat, options)
    elif kind == "deal_scored":
        view.deal_points[:] = event.deal_scored.points
        view.totals[:] = event.deal_scored.totals


def end(view: trix_pb2.TrixView) -> None:
    """The match is over; the table stays as it was left."""
    view.phase = trix_pb2.TrixView.PHASE_OVER
    view.ClearField("turn_seat")


def _deal(view: trix_pb2.TrixView, dealt: trix_pb2.TrixEvent.Dealt) -> None:
    played = [*view.played_contracts, view.contract] if dealt.kingdom == view.kingdom else []
    totals = list(view.totals) or [0] * _SEATS
    view.CopyFrom(
        trix_pb2.TrixView(
            deal_number=dealt.deal_number,
            kingdom=dealt.kingdom,
            owner=dealt.owner,
            phase=trix_pb2.TrixView.PHASE_CHOOSING,
            played_contracts=played,
            turn_seat=dealt.owner,
            hand=dealt.hand,
            hand_counts=[_FULL_HAND] * _SEATS,
            deal_points=[0] * _SEATS,
            totals=totals,
            tricks_taken=[0] * _SEATS,
            taken=[trix_pb2.TrixView.Taken() for _ in range(_SEATS)],
        )
    )


def _choose(view: trix_pb2.TrixView, contract: trix_pb2.Contract.ValueType) -> None:
    view.contract = contract
    view.turn_seat = view.owner
    if contract == trix_pb2.CONTRACT_TRIX:
        view.phase = trix_pb2.TrixView.PHASE_LAYOUT
    elif contract in (trix_pb2.CONTRACT_KING_OF_HEARTS, trix_pb2.CONTRACT_QUEENS):
        view.phase = trix_pb2.TrixView.PHASE_DOUBLING
        view.ClearField("turn_seat")  # X5
    else:
        view.phase = trix_pb2.TrixView.PHASE_TRICKS


def _play(view: trix_pb2.TrixView, seat: int, card: cards_pb2.Card) -> None:
    if card in view.hand:
        view.hand.remove(card)
    view.hand_counts[seat] -= 1
    if view.phase == trix_pb2.TrixView.PHASE_TRICKS:
        view.trick.add(seat=seat, card=card)
        view.turn_seat = (seat + 1) % _SEATS  # X1
    else:
        _lay(view, card)
        if not view.hand_counts[seat]:
            _finish(view, seat)
        view.turn_seat = _next_with_cards(view, seat)


def _lay(view: trix_pb2.TrixView, card: cards_pb2.Card) -> None:
    """A jack opens its suit's row, another card makes it longer at its own end (X10)."""
    if card.rank == cards_pb2.RANK_JACK:
        view.rows.add(suit=card.suit, low=card.rank, high=card.rank)
        view.rows.sort(key=lambda row: row.suit)
        return
    [row] = (row for row in view.rows if row.suit == card.suit)
    if card.rank > cards_pb2.RANK_JACK or card.rank == cards_pb2.RANK_ACE:
        row.high = card.rank
    else:
        row.low = card.rank


def _finish(view: trix_pb2.TrixView, seat: int) -> None:
    """A hand is empty; once three are, the last player's place is known, too (X10)."""
    view.deal_points[seat] = trix_points.PLACES[len(view.finished)]
    view.finished.append(seat)
    left = set(range(_SEATS)) - set(view.finished)
    if len(left) == 1:
        view.deal_points[left.pop()] = trix_points.PLACES[-1]


def _next_with_cards(view: trix_pb2.TrixView, seat: int) -> int:
    """The seat that follows; empty hands are skipped (X10)."""
    following = ((seat + step) % _SEATS for step in range(1, _SEATS + 1))
    return next(other for other in following if view.hand_counts[other])


def _take(view: trix_pb2.TrixView, taker: int, options: trix_pb2.TrixOptions) -> None:
    for seat, points in enumerate(trix_points.of_trick(view, taker, options)):
        view.deal_points[seat] += points
    view.tricks_taken[taker] += 1
    view.taken[taker].cards.extend(play.card for play in view.trick)
    view.ClearField("last_trick")
    view.last_trick.extend(view.trick)
    view.ClearField("trick")
    view.turn_seat = taker  # X6

"""The part of Trix in the text under a view digest (docs/view-digest.md)."""

from collections.abc import Iterable, Iterator

from majlis.client import faces
from majlis.v1 import trix_pb2


def lines(view: trix_pb2.TrixView) -> Iterator[str]:
    """The lines of a table."""
    yield "game trix"
    yield (
        f"deal {view.deal_number} kingdom {view.kingdom} owner {view.owner}"
        f" phase {trix_pb2.TrixView.Phase.Name(view.phase)} contract {trix_pb2.Contract.Name(view.contract)}"
        f" turn {view.turn_seat if view.HasField('turn_seat') else '-'}"
    )
    yield _line("played", map(trix_pb2.Contract.Name, view.played_contracts))
    yield _line("hand", map(faces.face, view.hand))
    yield _line("counts", view.hand_counts)
    yield _line("doubled", _by_seat(view.doubled))
    yield _line("trick", _by_seat(view.trick))
    yield _line("last_trick", _by_seat(view.last_trick))
    yield _line("rows", (f"{faces.suit(row.suit)} {faces.rank(row.low)} {faces.rank(row.high)}" for row in view.rows))
    yield _line("finished", view.finished)
    yield _line("points", view.deal_points)
    yield _line("totals", view.totals)
    yield _line("tricks", view.tricks_taken)
    for seat, taken in enumerate(view.taken):
        yield _line(f"taken {seat}", map(faces.face, taken.cards))


def _line(name: str, entries: Iterable[str | int]) -> str:
    return " ".join([name, *map(str, entries)])


def _by_seat(cards: Iterable[trix_pb2.TrixView.Play | trix_pb2.TrixView.Doubled]) -> Iterator[str]:
    return (f"{card.seat} {faces.face(card.card)}" for card in cards)

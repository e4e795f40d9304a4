"""The table of Trix as a picture for the terminal, from a view as the server sends it."""

from collections.abc import Sequence

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from demo import cards
from demo.trix import words
from majlis.v1 import cards_pb2, trix_pb2

NOTHING = Text("—", style="dim")


def draw(view: trix_pb2.TrixView, names: Sequence[str], last: str) -> Panel:
    """The whole table; `last` is what happened last, in words."""
    seats = [_seat(view, seat, names) for seat in range(len(names))]
    middle = _rows(view) if view.contract == trix_pb2.CONTRACT_TRIX else _trick(view, names)
    return Panel(
        Group(*seats, Text(), middle, Text.assemble("  ", (last, "italic"))),
        title=f"Trix · deal {view.deal_number} of 20 · {names[view.owner]}'s kingdom · {words.contract(view.contract)}",
        box=box.ROUNDED,
        width=76,
    )


def _seat(view: trix_pb2.TrixView, seat: int, names: Sequence[str]) -> Text:
    on_turn = view.HasField("turn_seat") and view.turn_seat == seat
    doubled = [cards.coloured(one.card) for one in view.doubled if one.seat == seat]
    return Text.assemble(
        (f"{'▶' if on_turn else ' '} {names[seat]:<8}", "bold cyan" if on_turn else ""),
        f"cards {view.hand_counts[seat]:>2}   tricks {view.tricks_taken[seat]:>2}   "
        f"points {view.deal_points[seat]:>+5}   total {view.totals[seat]:>+5}   ",
        Text(" ").join([Text("×2"), *doubled]) if doubled else "",
    )


def _trick(view: trix_pb2.TrixView, names: Sequence[str]) -> Text:
    """The trick that is being played, or the one before as long as nobody leads."""
    plays = view.trick or view.last_trick
    shown = [Text.assemble(f"{names[play.seat]} ", cards.coloured(play.card)) for play in plays]
    return Text.assemble("  trick   ", Text("   ").join(shown) if shown else NOTHING)


def _rows(view: trix_pb2.TrixView) -> Text:
    """Each opened suit from its low end to its high one."""
    shown = [
        Text.assemble(cards.coloured(cards_pb2.Card(suit=row.suit, rank=row.low)), "–", cards.RANKS[row.high])
        for row in view.rows
    ]
    return Text.assemble("  rows    ", Text("   ").join(shown) if shown else NOTHING)

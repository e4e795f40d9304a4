"""The table of Tonj as a picture for the terminal, from a view as the server sends it."""

from collections.abc import Sequence
from itertools import zip_longest

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from demo import cards
from majlis.v1 import tonj_pb2

NOTHING = Text("—", style="dim")


def draw(view: tonj_pb2.TonjView, names: Sequence[str], last: str) -> Panel:
    """The whole table; `last` is what happened last, in words."""
    return Panel(
        Group(_side(view, 1, names), _foundations(view), _houses(view), _side(view, 0, names), _middle(view, last)),
        title=f"Tonj · turn {view.turn_number} · {names[view.turn_seat]} plays",
        box=box.ROUNDED,
        width=76,
    )


def _side(view: tonj_pb2.TonjView, seat: int, names: Sequence[str]) -> Text:
    side = view.sides[seat]
    on_turn = seat == view.turn_seat
    return Text.assemble(
        (f"{'▶' if on_turn else ' '} {names[seat]:<8}", "bold cyan" if on_turn else ""),
        f"reserve {side.reserve_count:>2} ",
        cards.coloured(side.reserve_top) if side.HasField("reserve_top") else NOTHING,
        f"   hand {side.hand_count:>2}   waste {side.waste_count:>2} ",
        cards.coloured(side.waste_top) if side.HasField("waste_top") else NOTHING,
    )


def _foundations(view: tonj_pb2.TonjView) -> Text:
    tops = [cards.coloured(one.top) if one.count else NOTHING for one in view.foundations]
    return Text.assemble("  foundations  ", Text("  ").join(tops))


def _houses(view: tonj_pb2.TonjView) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("houses", width=7)
    for number in range(len(view.houses)):
        table.add_column(str(number), justify="center", width=5)
    # At least four lines, so that the picture seldom changes its height.
    rows = list(zip_longest(*(house.cards for house in view.houses)))
    for row in rows:
        table.add_row("", *(cards.coloured(one) if one is not None else "" for one in row))
    for _ in range(4 - len(rows)):
        table.add_row()
    return table


def _middle(view: tonj_pb2.TonjView, last: str) -> Text:
    pending = cards.coloured(view.pending) if view.HasField("pending") else NOTHING
    claim = Text("   TONJ?", style="bold yellow") if view.HasField("claim") else Text()
    return Text.assemble("  turned up ", pending, claim, "   ", (last, "italic"))

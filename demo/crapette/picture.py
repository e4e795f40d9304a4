"""The piles of a table as a picture for the terminal, from a view as the server sends it."""

from collections.abc import Sequence
from itertools import zip_longest

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from demo import cards
from demo.crapette import View
from demo.crapette.words import Terms

NOTHING = Text("—", style="dim")


def draw(view: View, title: str, terms: Terms, names: Sequence[str], middle: Text) -> Panel:
    """The whole table; `middle` is the edition's own line below it."""
    return Panel(
        Group(_side(view, 1, terms, names), _foundations(view), _houses(view), _side(view, 0, terms, names), middle),
        title=f"{title} · turn {view.turn_number} · {names[view.turn_seat]} plays",
        box=box.ROUNDED,
        width=76,
    )


def _side(view: View, seat: int, terms: Terms, names: Sequence[str]) -> Text:
    side = view.sides[seat]
    on_turn = seat == view.turn_seat
    return Text.assemble(
        (f"{'▶' if on_turn else ' '} {names[seat]:<8}", "bold cyan" if on_turn else ""),
        f"{terms.reserve} {side.reserve_count:>2} ",
        cards.coloured(side.reserve_top) if side.HasField("reserve_top") else NOTHING,
        f"   {terms.hand} {side.hand_count:>2}   waste {side.waste_count:>2} ",
        cards.coloured(side.waste_top) if side.HasField("waste_top") else NOTHING,
    )


def _foundations(view: View) -> Text:
    tops = [cards.coloured(one.top) if one.count else NOTHING for one in view.foundations]
    return Text.assemble("  foundations  ", Text("  ").join(tops))


def _houses(view: View) -> Table:
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

"""The table of the house edition as a picture for the terminal, from a view as the server sends it."""

from collections.abc import Sequence

from rich.panel import Panel
from rich.text import Text

from demo import cards
from demo.crapette import picture
from demo.tonj_house.words import TERMS
from majlis.v1 import tonj_house_pb2


def draw(view: tonj_house_pb2.TonjHouseView, names: Sequence[str], last: str) -> Panel:
    """The whole table; `last` is what happened last, in words."""
    opened = cards.coloured(view.opened) if view.HasField("opened") else picture.NOTHING
    retired = Text(" ").join(Text(cards.SUITS[suit]) for suit in view.retired) if view.retired else picture.NOTHING
    middle = Text.assemble("  opened ", opened, "   complete ", retired, "   ", (last, "italic"))
    return picture.draw(view, "Tonj, house edition", TERMS, names, middle)

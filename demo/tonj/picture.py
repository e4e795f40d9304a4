"""The table of Tonj as a picture for the terminal, from a view as the server sends it."""

from collections.abc import Sequence

from rich.panel import Panel
from rich.text import Text

from demo import cards
from demo.crapette import picture
from demo.tonj.words import TERMS
from majlis.v1 import tonj_pb2


def draw(view: tonj_pb2.TonjView, names: Sequence[str], last: str) -> Panel:
    """The whole table; `last` is what happened last, in words."""
    pending = cards.coloured(view.pending) if view.HasField("pending") else picture.NOTHING
    claim = Text("   TONJ?", style="bold yellow") if view.HasField("claim") else Text()
    middle = Text.assemble("  turned up ", pending, claim, "   ", (last, "italic"))
    return picture.draw(view, "Tonj", TERMS, names, middle)

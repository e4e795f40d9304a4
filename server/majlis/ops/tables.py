"""The operator's tables, as a file tells of them: `[[tables]]`.

What a game's options may be is judged by its rules, when `majlis.api.offers` asks them.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pydantic
from pydantic import AfterValidator, Field

LONGEST = 64


def _fits(text: str) -> str:
    if not 1 <= len(text.encode()) <= LONGEST:
        raise ValueError(f"must have 1 to {LONGEST} bytes")
    return text


Text = Annotated[str, AfterValidator(_fits)]


class Table(pydantic.BaseModel):
    """A standing offer, by which players are seated together."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    id: Text
    """What clients join it by, for ever the same."""
    name: Text
    """What players are shown."""
    name_ar: Text | None = None
    """The same for those who read Arabic; without it they are shown the other."""
    game: Literal["tonj", "tonj_house", "trix"]
    options: Mapping[str, Any] = Field({})
    """By the names of the game's options message, such as `entry_fee_minor`; what is missing has its default."""
    visibility: Literal["public", "link", "seated"] = "public"
    """Who may look at its matches."""


def _told_apart(tables: tuple[Table, ...]) -> tuple[Table, ...]:
    seen: set[str] = set()
    for table in tables:
        if table.id in seen:
            raise ValueError(f"the id {table.id!r} stands twice")
        seen.add(table.id)
    return tables


Tables = Annotated[tuple[Table, ...], AfterValidator(_told_apart)]
"""In the order in which players are shown them."""

FREE: tuple[Table, ...] = (
    Table(id="tonj", name="Tonj", name_ar="طنج", game="tonj"),
    Table(id="tonj-house", name="Tonj, house edition", name_ar="طنج، النسخة المنزلية", game="tonj_house"),
    Table(id="trix", name="Trix", name_ar="تركس", game="trix"),
)
"""Of an operator who names none: one a game, without fees."""

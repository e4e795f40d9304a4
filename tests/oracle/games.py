"""Which games the oracle knows. What a game's package must have stands in `tests.oracle`."""

from typing import Any

from tests.oracle import tonj, tonj_house, trix

GAMES: dict[str, Any] = {"tonj": tonj, "tonj_house": tonj_house, "trix": trix}

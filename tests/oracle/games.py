"""Which games the oracle knows. What a game's package must have stands in `tests.oracle`."""

from typing import Any

from tests.oracle import tonj, trix

GAMES: dict[str, Any] = {"tonj": tonj, "trix": trix}

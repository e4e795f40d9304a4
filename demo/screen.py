"""Where the demo shows itself: lines, and in a terminal a picture below them that is drawn anew in place."""

import asyncio
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live

FRAME = 0.1
"""Seconds between two drawings, each of which costs about a hundredth of one."""
PAUSE = 0.01
"""Seconds that a player thinks, so that those who look can follow."""
PATIENCE = 5.0
"""Seconds after which nobody thinks any more, and a long match hurries to its end."""


class Screen:
    """Standard output. Lines go to terminals, files and pipes alike; the picture only to terminals."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._begun = self._drawn = 0.0

    def __enter__(self) -> Self:
        """Begins the picture."""
        if self._console.is_terminal:
            self._live.start()
        self._begun = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Takes the picture away."""
        self._live.stop()

    def say(self, line: RenderableType = "") -> None:
        """One more line."""
        self._console.print(line)

    def show(self, draw: Callable[[], RenderableType]) -> None:
        """The picture as it is now; of several in a short time only the first is drawn."""
        if self._live.is_started and time.monotonic() - self._drawn >= FRAME:
            self._live.update(draw(), refresh=True)
            self._drawn = time.monotonic()

    async def think(self) -> None:
        """Lets a little time pass while somebody may be looking."""
        if self._live.is_started and time.monotonic() - self._begun < PATIENCE:
            await asyncio.sleep(PAUSE)

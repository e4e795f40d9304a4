"""Where the demo shows itself: lines, and in a terminal a picture below them that is drawn anew in place."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live

FRAME = 0.04
"""Seconds between two drawings; more often nobody sees."""


class Screen:
    """Standard output. Lines go to terminals, files and pipes alike; the picture only to terminals."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._drawn = 0.0

    @property
    def is_terminal(self) -> bool:
        """Whether somebody may be looking, for whom the play is slowed down."""
        return self._console.is_terminal

    def __enter__(self) -> Self:
        if self.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.stop()

    def say(self, line: RenderableType = "") -> None:
        """One more line."""
        self._console.print(line)

    def show(self, picture: RenderableType) -> None:
        """The picture as it is now; of several in a short time the later ones wait for the next call."""
        if self.is_terminal and time.monotonic() - self._drawn >= FRAME:
            self._live.update(picture, refresh=True)
            self._drawn = time.monotonic()

"""Where the demo shows itself: lines, and in a terminal a picture below them that is drawn anew in place."""

import asyncio
import os
import sys
import textwrap
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

FRAME = 0.1
"""Seconds between two drawings, each of which costs about a hundredth of one."""
PAUSE = 0.01
"""Seconds that a player thinks, so that those who look can follow."""
PATIENCE = 5.0
"""Seconds after which nobody thinks any more, and a long match hurries to its end."""
HANG = " " * 16
"""Before the second and further rows of a long line."""


class _Output(Console):
    def on_broken_pipe(self) -> None:
        """`make demo | head`: the reader has seen enough, and the match is played to its end all the same."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Screen:
    """Standard output. Lines go to terminals, files and pipes alike; the picture only to terminals."""

    def __init__(self) -> None:
        self._console = _Output(highlight=False, soft_wrap=True)
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

    def say(self, line: str | Text) -> None:
        """One more line; in a terminal it is broken between words."""
        text = Text(line) if isinstance(line, str) else line
        if self._console.is_terminal:
            hang = HANG if text.plain[:4] in {"turn", "    "} else ""
            rows = textwrap.wrap(text.plain, self._console.width, subsequent_indent=hang, break_on_hyphens=False)
            text = Text("\n".join(rows), style=text.style)
        self._console.print(text)

    def show(self, draw: Callable[[], RenderableType]) -> None:
        """The picture as it is now; of several in a short time only the first is drawn."""
        if self._live.is_started and time.monotonic() - self._drawn >= FRAME:
            self._live.update(draw(), refresh=True)
            self._drawn = time.monotonic()

    async def think(self) -> None:
        """Lets a little time pass while somebody may be looking."""
        if self._live.is_started and time.monotonic() - self._begun < PATIENCE:
            await asyncio.sleep(PAUSE)

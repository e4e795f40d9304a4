"""What a started server is to suffer: told to the launcher on its command line."""

import dataclasses
import json
from typing import Self

POINTS = (
    "before-commit",  # the transaction is written and not committed
    "after-commit",  # committed, and nobody but the writer's thread knows
    "before-publish",  # known to be durable; neither table nor watchers have it
    "after-publish",  # handed to the watchers' feeds; nothing is on the wire
    "before-answer",  # on the watchers' wire; the player has no answer
    "before-welcome",  # a seat or a fee is taken or given back; who asked for that has no answer
    "before-sync",  # written to the write-ahead log, not synced
    "torn-log",  # half of a page is in the write-ahead log
    "torn-file",  # half of a page is in the database file, in a checkpoint
    "in-beat",  # a sign of life is written and not committed
    "in-results",  # results have their places, and that is not committed
    "while-opening",  # a start after a crash that crashes itself
)
SABOTAGES = (
    *("early-answer", "early-publish", "forgotten-requests", "unsynced", "ignored-refusal"),
    *("forgotten-claims", "forgotten-fee", "ignored-leave", "lost-result", "doubled-result"),
)
"""What each does stands in `sabotage`."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """Where a server dies, and what is wrong with it."""

    point: str = ""
    """Of POINTS; empty for none."""
    hit: int = 1
    """At which pass of the point, from 1."""
    power_cut: bool = False
    """Whatever was not synced is lost with the process."""
    sabotage: str = ""
    """Of SABOTAGES; empty for none."""

    def text(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(**json.loads(text))

    def __str__(self) -> str:
        point = f"{self.point}, pass {self.hit}{', power cut' if self.power_cut else ''}" if self.point else "no point"
        return f"{point}, with {self.sabotage}" if self.sabotage else point

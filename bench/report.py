"""The lines of the report: printed as they are measured, and kept as JSON in var/bench."""

import dataclasses
import datetime
import json
import pathlib
from collections.abc import Mapping

DIRECTORY = pathlib.Path("var/bench")


@dataclasses.dataclass(frozen=True, slots=True)
class Target:
    """What a figure has to reach; its unit is the figure's."""

    bound: float
    at_least: bool = False
    """Else it is the most that the figure may be."""
    text: str = ""
    """As it is printed."""

    def reached_by(self, figure: float) -> bool:
        """Whether the figure is good enough."""
        return figure >= self.bound if self.at_least else figure <= self.bound


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One thing that was measured."""

    what: str
    measured: str
    figure: float | None = None
    """What the target is about; None when nothing was measured."""
    target: Target | None = None
    more: Mapping[str, object] = dataclasses.field(default_factory=dict)
    """For the JSON only."""

    @property
    def verdict(self) -> str:
        """`reached`, `missed`, or nothing when there is no target, or nothing to hold against it."""
        if self.target is None or self.figure is None:
            return ""
        return "reached" if self.target.reached_by(self.figure) else "missed"


class Report:
    """What one run has found so far."""

    def __init__(self, machine: Mapping[str, object]) -> None:
        self._machine = machine
        self._begun = datetime.datetime.now(datetime.UTC)
        self._lines: list[Line] = []

    def section(self, title: str) -> None:
        """Prints a heading."""
        print(f"\n{title}", flush=True)

    def add(self, line: Line) -> None:
        """Prints a line and keeps it."""
        self._lines.append(line)
        target = line.target.text if line.target is not None else ""
        print(f"  {line.what:<52} {line.measured:<44} {target:<16} {line.verdict}".rstrip(), flush=True)

    def write(self, directory: pathlib.Path = DIRECTORY) -> pathlib.Path:
        """Writes everything as JSON; the file's path."""
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{self._begun:%Y-%m-%dT%H%M%SZ}.json"
        lines = [
            {
                "what": line.what,
                "measured": line.measured,
                "figure": line.figure,
                "target": line.target.text if line.target is not None else None,
                "verdict": line.verdict or None,
                **line.more,
            }
            for line in self._lines
        ]
        found = {"begun": self._begun.isoformat(), "machine": self._machine, "lines": lines}
        path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return path

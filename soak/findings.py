"""What a scenario found: each thing with the criterion that it is held to, printed as a table."""

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """One thing that must hold."""

    what: str
    measured: str
    criterion: str
    held: bool
    is_figure: bool = False
    """It is about time or memory, and says something only where nothing else runs."""


def told(title: str, findings: Sequence[Finding]) -> bool:
    """Prints a scenario's table; whether all of it held."""
    print(f"\n{title}", flush=True)
    for one in findings:
        verdict = "held" if one.held else "FAILED"
        print(f"  {one.what:<44} {one.measured:<44} {one.criterion:<34} {verdict}", flush=True)
    return all(one.held for one in findings)


def most(what: str, figure: float, bound: float, unit: str = "", digits: int = 0, is_figure: bool = False) -> Finding:
    """Something that may be no more than its bound."""
    return Finding(what, f"{figure:,.{digits}f}{unit}", f"≤ {bound:,.{digits}f}{unit}", figure <= bound, is_figure)


def least(what: str, figure: float, bound: float, unit: str = "", digits: int = 0, is_figure: bool = False) -> Finding:
    """Something that must be no less than its bound."""
    return Finding(what, f"{figure:,.{digits}f}{unit}", f"≥ {bound:,.{digits}f}{unit}", figure >= bound, is_figure)


def same(what: str, before: object, after: object) -> Finding:
    """Something that must return to what it was."""
    return Finding(what, f"{after}", f"{before} as at the start", before == after)

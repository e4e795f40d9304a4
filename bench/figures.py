"""Many measurements made into few numbers."""

import math
import statistics
from collections.abc import Sequence


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least this part of the values does not exceed; `part` is from 0 to 1."""
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Lower quartile, median, upper quartile."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def spread(values: Sequence[float], digits: int = 2) -> str:
    """`median [lower–upper quartile]`."""
    low, middle, high = quartiles(values)
    return f"{middle:,.{digits}f} [{low:,.{digits}f}–{high:,.{digits}f}]"

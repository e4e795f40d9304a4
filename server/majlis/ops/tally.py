"""Counters and histograms that cost the hot path a plain addition, read when Prometheus scrapes.

The client library's own take a lock and look labels up with every call: twenty times as long, for every metric of every
move. These belong to one thread, which counts; the scraping thread copies what it reads.
"""

import bisect
from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric

Labels = tuple[str, ...]


class Tally:
    """A counter with labels."""

    def __init__(self, registry: CollectorRegistry, name: str, text: str, *labels: str) -> None:
        """A counter of this name, without its `_total`."""
        self._name, self._text, self._labels = name, text, labels
        self._counts: dict[Labels, float] = {} if labels else {(): 0.0}
        registry.register(self)

    def add(self, *labels: str, by: float = 1.0) -> None:
        """Counts one more, or several."""
        counts = self._counts
        counts[labels] = counts.get(labels, 0.0) + by

    def collect(self) -> Iterator[Metric]:
        """For the registry."""
        family = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for labels, count in list(self._counts.items()):
            family.add_metric(labels, count)
        yield family

    describe = collect


class Series:
    """One histogram of a spread."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """By bucket, not added up; the last is for what is beyond all bounds."""
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Counts a value; one that is equal to a bound is within it."""
        self.counts[bisect.bisect_left(self._bounds, value)] += 1
        self.total += value


class Spread:
    """A histogram with labels."""

    def __init__(
        self, registry: CollectorRegistry, name: str, text: str, bounds: Sequence[float], *labels: str
    ) -> None:
        """A histogram of this name whose buckets end at these bounds, ascending."""
        self._name, self._text, self._labels, self._bounds = name, text, labels, bounds
        self._series: dict[Labels, Series] = {}
        registry.register(self)

    def series(self, *labels: str) -> Series:
        """The histogram of these labels; worth keeping where it is used often."""
        found = self._series.get(labels)
        if found is None:
            found = self._series[labels] = Series(self._bounds)
        return found

    def collect(self) -> Iterator[Metric]:
        """For the registry."""
        family = HistogramMetricFamily(self._name, self._text, labels=self._labels)
        for labels, series in list(self._series.items()):
            buckets, sofar = [], 0
            for bound, count in zip((*map(str, self._bounds), "+Inf"), list(series.counts), strict=True):
                sofar += count
                buckets.append((bound, sofar))
            family.add_metric(labels, buckets, series.total)
        yield family

    describe = collect

"""Our own counters and histograms, read back as Prometheus would."""

import prometheus_client
import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from majlis.ops.tally import Spread, Tally


def scraped(registry: CollectorRegistry) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    text = prometheus_client.generate_latest(registry).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_tally_counts_by_labels() -> None:
    registry = CollectorRegistry()
    tally = Tally(registry, "moves", "Moves.", "game", "result")
    tally.add("tonj", "accepted")
    tally.add("tonj", "accepted")
    tally.add("tonj", 'with "quotes"\n', by=0.5)
    assert scraped(registry) == {
        ("moves_total", (("game", "tonj"), ("result", "accepted"))): 2,
        ("moves_total", (("game", "tonj"), ("result", 'with "quotes"\n'))): 0.5,
    }


def test_a_tally_without_labels_is_there_from_the_start() -> None:
    registry = CollectorRegistry()
    Tally(registry, "lags", "Lags.")
    assert scraped(registry) == {("lags_total", ()): 0}


@pytest.mark.parametrize("values", [[], [0.0], [0.1, 0.1000001, 1.0, 99.0, 0.5]])
def test_a_spread_counts_as_the_librarys_own_histogram(values: list[float]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    spread = Spread(ours, "lateness_seconds", "Late.", (0.1, 1.0, 2.5), "game")
    histogram = prometheus_client.Histogram(
        "lateness_seconds", "Late.", ["game"], buckets=(0.1, 1.0, 2.5), registry=theirs
    )
    series, labelled = spread.series("tonj"), histogram.labels("tonj")
    for value in values:
        series.observe(value)
        labelled.observe(value)
    expected = {sample: number for sample, number in scraped(theirs).items() if not sample[0].endswith("_created")}
    assert scraped(ours) == pytest.approx(expected)
    assert spread.series("tonj") is series


def test_a_name_is_given_once() -> None:
    registry = CollectorRegistry()
    Tally(registry, "moves", "Moves.")
    with pytest.raises(ValueError, match="Duplicated"):
        Tally(registry, "moves", "Moves.")

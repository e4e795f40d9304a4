"""When those come back who were turned away: spread, bounded, and never more at once than can be turned away again."""

import collections

import hypothesis
from hypothesis import strategies

from majlis.api.comeback import A_SECOND, LATEST_MS, SOONEST_MS, STEP_MS, Comeback


class Clock:
    """Seconds, by hand."""

    def __init__(self) -> None:
        """Any start does."""
        self.now = 1_000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_one_who_is_turned_away_comes_back_soon() -> None:
    clock = Clock()
    comeback = Comeback(clock)
    for _ in range(10):
        assert SOONEST_MS <= comeback.after_ms() <= SOONEST_MS + STEP_MS
        clock.now += 1


def test_a_crowd_comes_back_one_after_the_other() -> None:
    comeback = Comeback(Clock())
    waits = [comeback.after_ms() for _ in range(1_000)]
    assert waits == sorted(waits)
    assert waits[-1] >= 1_000 / A_SECOND * 1_000
    in_a_step = collections.Counter(waits)
    assert max(in_a_step.values()) <= A_SECOND * STEP_MS / 1_000 + 1


def test_beyond_the_longest_wait_they_are_spread() -> None:
    comeback = Comeback(Clock())
    waits = [comeback.after_ms() for _ in range(20_000)]
    assert max(waits) == LATEST_MS
    late = waits[A_SECOND * LATEST_MS // 1_000 :]
    assert min(late) >= LATEST_MS / 2
    assert len(set(late)) > LATEST_MS / 2 / STEP_MS * 0.9


@hypothesis.given(strategies.lists(strategies.floats(0, 3), min_size=1, max_size=60), strategies.integers(1, 300))
def test_however_they_come_a_wait_is_bounded_and_told_in_steps(pauses: list[float], crowd: int) -> None:
    clock = Clock()
    comeback = Comeback(clock)
    for pause in pauses:
        clock.now += pause
        for _ in range(crowd):
            wait = comeback.after_ms()
            assert SOONEST_MS <= wait <= LATEST_MS
            assert wait % STEP_MS == 0

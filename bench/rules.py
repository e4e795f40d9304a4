"""How fast the rules are: in Rust's own loop, and driven from Python, one call a decision."""

import random
import re
import shutil
import statistics
import subprocess
import time

from bench import figures, open_spiel
from bench.report import Line, Report, Target
from majlis import _core

NATIVE = {
    "tonj": Target(2.0, at_least=True, text="≥ 2 M/s"),
    "tonj_house": Target(2.0, at_least=True, text="≥ 2 M/s"),
    "trix": Target(8.0, at_least=True, text="≥ 8 M/s"),
}
"""The games, and what the native loop has to reach."""
AGAINST_OPEN_SPIEL = Target(5.0, at_least=True, text="≥ 5 ×")
HEARTS = 52
"""Decisions of a game of hearts."""
LONGEST = 20_000
"""Decisions after which a match from Python is left, however it stands."""
PLAYOUT = ("cargo", "run", "--release", "--locked", "--quiet", "-p", "majlis-rules", "--bin", "playout", "--")


def measure(report: Report, decisions: int, stories: int) -> None:
    """Native with about so many decisions a game, from Python with so many matches a game."""
    for game, target in NATIVE.items():
        _native(report, game, target, decisions)
    _from_python(report, stories)


def _native(report: Report, game: str, target: Target, decisions: int) -> None:
    what = f"{game}, native loop, one core: legal actions + apply"
    if shutil.which(PLAYOUT[0]) is None:
        report.add(Line(what, "not measured: no cargo here", None, target))
        return
    # The first run builds it, if need be, and tells how long a match is.
    made, _ = _playout(game, 20)
    made, rate = _playout(game, max(decisions * 20 // made, 20))
    report.add(Line(what, f"{rate:.2f} M decisions/s", rate, target, {"decisions": made}))


def _playout(game: str, matches: int) -> tuple[int, float]:
    """Decisions made, and millions of them a second."""
    told = subprocess.run([*PLAYOUT, game, str(matches)], check=True, capture_output=True, text=True).stdout
    found = re.search(rf"^{game}: .* (\d+) decisions.* ([\d.]+) M decisions/s", told, re.MULTILINE)
    if found is None:
        raise ValueError(f"playout told something else: {told!r}")
    return int(found[1]), float(found[2])


def _from_python(report: Report, stories: int) -> None:
    chance = random.Random(1)
    rates: dict[str, list[float]] = {game: [] for game in NATIVE}
    hearts: list[float] | None = []
    for number in range(stories):
        words = [chance.getrandbits(32) for _ in range(LONGEST)]
        for game, driven in rates.items():
            driven.append(_driven(game, number, words))
        if hearts is not None:
            # Side by side: after each match about as many decisions of hearts, in games of their own.
            again = open_spiel.hearts([words[at : at + HEARTS] for at in range(0, 1_000, HEARTS)])
            hearts = None if again is None else [*hearts, *again]
    for game, driven in rates.items():
        report.add(Line(f"{game} from Python, one call a decision", f"{figures.spread(driven, 0)} decisions/s"))
    if hearts is not None:
        report.add(Line("OpenSpiel's hearts from Python", f"{figures.spread(hearts, 0)} decisions/s"))
    for game, driven in rates.items():
        what = f"{game} : OpenSpiel's hearts, driven from Python"
        if hearts is None:
            report.add(Line(what, "not measured: no pyspiel here", None, AGAINST_OPEN_SPIEL))
            continue
        ratio = statistics.median(driven) / statistics.median(hearts)
        report.add(Line(what, f"{ratio:.2f} ×", ratio, AGAINST_OPEN_SPIEL))


def _driven(game: str, number: int, words: list[int]) -> float:
    """Decisions a second of one match, each chosen by a word among the legal actions."""
    play = _core.Simulation(game, number).play
    made = 0
    begin = time.perf_counter()
    for made, word in enumerate(words, 1):  # noqa: B007 (how many were made)
        if not play(word):
            break
    return made / (time.perf_counter() - begin)

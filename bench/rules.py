"""How fast the rules are: in Rust's own loop, and called from Python, one call a decision."""

import random
import re
import shutil
import statistics
import subprocess
import time

from bench import figures, open_spiel, story
from bench.report import Line, Report, Target
from majlis import _core
from majlis.v1 import match_service_pb2 as messages

NATIVE = Target(2.0, at_least=True, text="≥ 2 M/s")
AGAINST_OPEN_SPIEL = Target(5.0, at_least=True, text="≥ 5 ×")
HEARTS_A_STORY = 10
"""A match of Tonj takes about ten times as many decisions as a game of hearts."""
PLAYOUT = ("cargo", "run", "--release", "--locked", "--quiet", "-p", "majlis-rules", "--bin", "playout", "--")


def measure(report: Report, matches: int, stories: int) -> None:
    """Native with so many matches, from Python with so many."""
    _native(report, matches)
    _from_python(report, stories)


def _native(report: Report, matches: int) -> None:
    what = "Tonj, native loop, one core: legal actions + apply"
    if shutil.which(PLAYOUT[0]) is None:
        report.add(Line(what, "not measured: no cargo here", None, NATIVE))
        return
    # The first run builds it, if need be.
    _playout(1)
    told = _playout(matches)
    found = re.search(r"^tonj: .* (\d+) decisions.* ([\d.]+) M decisions/s", told, re.MULTILINE)
    if found is None:
        raise ValueError(f"playout told something else: {told!r}")
    rate = float(found[2])
    report.add(Line(what, f"{rate:.2f} M decisions/s", rate, NATIVE, {"decisions": int(found[1])}))


def _playout(matches: int) -> str:
    return subprocess.run([*PLAYOUT, "tonj", str(matches)], check=True, capture_output=True, text=True).stdout


def _from_python(report: Report, stories: int) -> None:
    sealer = _core.Sealer()
    chance = random.Random(1)
    applied = [_applied(story.play(sealer, chance), sealer) for _ in range(stories)]
    chosen = [_chosen(sealer, chance) for _ in range(stories)]
    report.add(Line("Tonj from Python: decide + commit", f"{figures.spread(applied, 0)} decisions/s"))
    report.add(Line("Tonj from Python: legal actions read and chosen, too", f"{figures.spread(chosen, 0)} decisions/s"))
    hearts = open_spiel.hearts(stories * HEARTS_A_STORY)
    what = "Tonj : OpenSpiel's hearts, one call a decision"
    if hearts is None:
        report.add(Line(what, "not measured: no pyspiel here", None, AGAINST_OPEN_SPIEL))
        return
    report.add(Line("hearts from Python: apply_action", f"{figures.spread(hearts.applied, 0)} decisions/s"))
    report.add(Line("hearts from Python: legal_actions, too", f"{figures.spread(hearts.chosen, 0)} decisions/s"))
    ratio = statistics.median(applied) / statistics.median(hearts.applied)
    report.add(Line(what, f"{ratio:.2f} ×", ratio, AGAINST_OPEN_SPIEL))


def _applied(told: story.Story, sealer: _core.Sealer) -> float:
    """Decisions a second of playing a story again."""
    table = _core.Table.load(told.payloads[:1], sealer)
    begin = time.perf_counter()
    for seat, submit in told.actions:
        table.commit(table.decide(seat, submit, story.NOW_MS))
    return len(told.actions) / (time.perf_counter() - begin)


def _chosen(sealer: _core.Sealer, chance: random.Random) -> float:
    """Decisions a second of a player who reads what is legal and chooses."""
    table, draft = story.found(sealer)
    table.commit(draft)
    read, choose = messages.WatchMatchResponse.FromString, chance.choice
    seat, decisions = 0, 0
    begin = time.perf_counter()
    legal = read(table.snapshot(seat, story.NOW_MS)).snapshot.legal_actions.tonj
    while True:
        if not legal:
            # The turn has passed to the other seat, or the match is over.
            seat = 1 - seat
            legal = read(table.snapshot(seat, story.NOW_MS)).snapshot.legal_actions.tonj
            if not legal:
                return decisions / (time.perf_counter() - begin)
        submit = _core.Submit.read(story.request(decisions, choose(legal)))
        draft = table.decide(seat, submit, story.NOW_MS)
        table.commit(draft)
        decisions += 1
        legal = read(draft.update(seat, story.NOW_MS)).events.legal_actions.tonj

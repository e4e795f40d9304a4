"""The demo, run as a person runs it."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import psutil
import pytest

from demo.__main__ import GAMES, chosen
from tests.clients.documents import ROOT

INCIDENTS = {
    "tonj": ("sends an action twice", "STALE_SEQUENCE", "NO_CLAIM", "TONJ is called", "nobody calls"),
    "tonj_house": (
        *("CARD_DOES_NOT_FIT", "CARD_PENDING", "NOT_A_SOURCE", "has a foundation: the penalty comes by itself"),
        *("PENALTY: 3 of", "the platform keeps 2.5 %", "Of the pot of 10100", "that were complete and left"),
    ),
    "trix": (
        *("CONTRACT_ALREADY_PLAYED", "MUST_FOLLOW_SUIT", "CARD_CAN_BE_PLAYED", "CARD_DOES_NOT_FIT"),
        *("NOT_ASKED", "ALREADY_ANSWERED", "all but one have answered"),
        *("waits, and the server lays", "waits, and the server passes", "leaves in the middle", "is back after"),
    ),
}
PLAYERS = {
    "tonj": "Tonj: Alia against Badr",
    "tonj_house": "Tonj, house edition: Alia against Badr",
    "trix": "Trix: Alia, Badr, Jamil and Dana, match",
}
TURNS = (r"^turn +\d+ ", 6)
STEPS = {"tonj": TURNS, "tonj_house": TURNS, "trix": (r"^ +\d+ [KQDLT].* -?\d+$", 20)}
"""Lines that tell how a match goes on, a turn of Tonj and a deal of Trix, and how many there are at least."""
PATIENCE = 120


def started(directory: pathlib.Path, *games: str) -> "subprocess.Popen[str]":
    paths = [str(ROOT), str(ROOT / "server"), os.environ.get("PYTHONPATH", "")]
    # Settings of an operator must not reach the server of the demo: this one could not even start.
    given = {"PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(directory), "MAJLIS_STORE": "nonsense"}
    # A shell's background jobs ignore interrupts, and hand that on; a signal with a handler is default in the child.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-u", "-m", "demo", *games],
            cwd=directory,
            env={**os.environ, **given},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def left_over(directory: pathlib.Path) -> list[str]:
    return [path.name for path in directory.glob("majlis-demo-*")]


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_a_match_with_everything_that_goes_wrong(game: str, tmp_path: pathlib.Path) -> None:
    process = started(tmp_path, game)
    told, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    for incident in INCIDENTS[game]:
        assert told.count(incident) == 1, incident
    step, least = STEPS[game]
    assert least <= len(re.findall(step, told, re.MULTILINE)) < told.count("\n") < 1_000
    assert told.count("Result: ") == 1
    assert PLAYERS[game] in told
    assert [path.name for path in (tmp_path / "var/demo").iterdir()] == [f"{game}.json"]
    replay = json.loads((tmp_path / f"var/demo/{game}.json").read_text())
    assert replay["match"]["status"] == "MATCH_STATUS_ENDED"
    assert not left_over(tmp_path)


def test_it_plays_every_game_unless_some_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["demo"])
    assert chosen() == list(GAMES)
    monkeypatch.setattr(sys, "argv", ["demo", "trix"])
    assert chosen() == ["trix"]


def test_it_knows_no_other_game(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path, "bridge")
    told, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, told) == (2, "")
    assert "no game is called 'bridge'; there are tonj, tonj_house, trix" in errors


def test_its_help_says_what_it_does(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path, "--help")
    told, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert "Plays a match of each game over gRPC" in told
    assert all(game in told for game in GAMES)


def test_it_tells_in_one_line_what_went_wrong_and_leaves_nothing_behind(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path)
    assert process.stdout is not None
    assert "listens on" in process.stdout.readline()
    [server] = psutil.Process(process.pid).children()
    server.kill()
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert errors.startswith("demo: ")
    assert errors.count("\n") == 1
    assert not left_over(tmp_path)


def test_it_takes_its_server_along_when_it_is_interrupted(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path)
    assert process.stdout is not None
    assert "listens on" in process.stdout.readline()
    [server] = psutil.Process(process.pid).children()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    deadline = time.monotonic() + 5
    while server.is_running() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not server.is_running()
    assert not left_over(tmp_path)

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

from demo.__main__ import PARTS, chosen
from tests.clients.documents import ROOT

INCIDENTS = {
    "tonj": ("sends an action twice", "STALE_SEQUENCE", "NO_CLAIM", "TONJ is called", "nobody calls"),
    "tonj_house": (
        *("CARD_DOES_NOT_FIT", "CARD_PENDING", "NOT_A_SOURCE", "has a foundation: the penalty comes by itself"),
        *("PENALTY: 3 of", "the platform keeps 2.5 %", "Of the pot of 10100", "that were complete and left"),
        *("Alia has paid 5050", "Badr has paid 5050", "10100 came in, and all of it went out"),
    ),
    "trix": (
        *("CONTRACT_ALREADY_PLAYED", "MUST_FOLLOW_SUIT", "CARD_CAN_BE_PLAYED", "CARD_DOES_NOT_FIT"),
        *("NOT_ASKED", "ALREADY_ANSWERED", "all but one have answered"),
        *("waits, and the server lays", "waits, and the server passes", "leaves in the middle", "is back after"),
    ),
    "lobby": (
        *("Corner table (طاولة الزاوية), free", "asks again under the same request id", "Badr comes to the same table"),
        *("one match, ", "Badr has the first seat", "The spectator of the old match was told"),
        *("ROOM_NOT_FOUND", "OWN_ROOM", "3 seats free", "Jamil has to go", "Faris the last one"),
        *("Badr has paid 5050", "10100 came in, and all of it went out", "STAKE_PAID_TWICE"),
        *("Dana has 50 and cannot pay 5050", "5050 to Alia: 5050 came in", "together what there was at first"),
    ),
}
PLAYERS = {
    "tonj": "Tonj: Alia against Badr",
    "tonj_house": "Tonj, house edition: Alia against Badr",
    "trix": "Trix: Alia, Badr, Jamil and Dana, match",
    "lobby": "Tonj, house edition: Alia against Badr",
}
TURNS = (r"^turn +\d+ ", 6)
STEPS = {"tonj": TURNS, "tonj_house": TURNS, "trix": (r"^ +\d+ [KQDLT].* -?\d+$", 20), "lobby": TURNS}
"""Lines that tell how a match goes on, a turn of Tonj and a deal of Trix, and how many there are at least."""
PATIENCE = 120


def started(directory: pathlib.Path, *parts: str) -> "subprocess.Popen[str]":
    paths = [str(ROOT), str(ROOT / "server"), os.environ.get("PYTHONPATH", "")]
    # Settings of an operator must not reach the server of the demo: this one could not even start.
    given = {"PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(directory), "MAJLIS_STORE": "nonsense"}
    # A shell's background jobs ignore interrupts, and hand that on; a signal with a handler is default in the child.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-u", "-m", "demo", *parts],
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


@pytest.mark.parametrize("part", PARTS)
def test_it_plays_a_match_with_everything_that_goes_wrong(part: str, tmp_path: pathlib.Path) -> None:
    process = started(tmp_path, part)
    told, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    for incident in INCIDENTS[part]:
        assert told.count(incident) == 1, incident
    step, least = STEPS[part]
    assert least <= len(re.findall(step, told, re.MULTILINE)) < told.count("\n") < 1_000
    assert told.count("Result: ") == 1
    assert PLAYERS[part] in told
    assert [path.name for path in (tmp_path / "var/demo").iterdir()] == [f"{part}.json"]
    replay = json.loads((tmp_path / f"var/demo/{part}.json").read_text())
    assert replay["match"]["status"] == "MATCH_STATUS_ENDED"
    assert not left_over(tmp_path)


def test_it_shows_every_part_unless_some_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["demo"])
    assert chosen() == list(PARTS)
    monkeypatch.setattr(sys, "argv", ["demo", "trix"])
    assert chosen() == ["trix"]


def test_it_has_no_other_part(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path, "bridge")
    told, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, told) == (2, "")
    assert "nothing here is called 'bridge'; there are tonj, tonj_house, trix, lobby" in errors


def test_its_help_says_what_it_does(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path, "--help")
    told, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert "Plays a match of each game over gRPC" in told
    assert all(part in told for part in PARTS)


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

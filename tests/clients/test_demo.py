"""The demo, run as a person runs it."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import psutil

from tests.clients.documents import ROOT

INCIDENTS = ("sends an action twice", "STALE_SEQUENCE", "NO_CLAIM", "TONJ is called", "nobody calls")
PATIENCE = 120


def started(directory: pathlib.Path) -> "subprocess.Popen[str]":
    paths = [str(ROOT), str(ROOT / "server"), os.environ.get("PYTHONPATH", "")]
    # Settings of an operator must not reach the server of the demo: this one could not even start.
    given = {"PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(directory), "MAJLIS_STORE": "nonsense"}
    # A shell's background jobs ignore interrupts, and hand that on; a signal with a handler is default in the child.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-u", "-m", "demo"],
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


def test_it_plays_a_match_with_everything_that_goes_wrong(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path)
    told, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    for incident in INCIDENTS:
        assert told.count(incident) == 1, incident
    lines = told.splitlines()
    assert 5 < sum(line.startswith("turn ") for line in lines) < len(lines) < 1_000
    assert "Result: " in told
    replay = json.loads((tmp_path / "var/demo/tonj.json").read_text())
    assert replay["match"]["status"] == "MATCH_STATUS_ENDED"
    assert not left_over(tmp_path)


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

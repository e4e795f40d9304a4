"""The judge of the crash tests on records made by hand: he lets through what is sound, and nothing else."""

import contextlib
import pathlib
import random
import sqlite3
from typing import Any

import pytest

from majlis.v1 import event_pb2, match_pb2, match_service_pb2
from tests.crash import judge
from tests.crash.asking import Broken
from tests.crash.player import Kept, Player
from tests.crash.server import Server

FROZEN = [(1_000, 5_000)]


def event(sequence: int, at_ms: int, **kind: Any) -> event_pb2.Event:
    made = event_pb2.Event(sequence=sequence, **(kind or {"resigned": event_pb2.Resigned()}))
    made.time.FromMilliseconds(at_ms)
    return made


CREATED = event(1, 10, match_created=event_pb2.MatchCreated())
FIRST, SECOND = event(2, 20), event(3, 9_000)


def replay(*events: event_pb2.Event) -> match_service_pb2.GetReplayResponse:
    return match_service_pb2.GetReplayResponse(events=events, match=match_pb2.Match(match_id="m"))


def player(tmp_path: pathlib.Path, *answers: tuple[event_pb2.Event, ...]) -> Player:
    """One who was told of these events in the answers to his actions, and was shown all there are."""
    made = Player(Server(tmp_path), "m", "alice", random.Random(1))
    for number, events in enumerate(answers):
        answer = match_service_pb2.SubmitActionResponse(sequence=events[-1].sequence, events=events)
        made.kept.append(Kept({"request_id": f"r{number}"}, answer))
    for one in (CREATED, FIRST, SECOND):
        made.follower.events[one.sequence] = one.SerializeToString(deterministic=True)
    return made


def test_answers_that_fit_the_log(tmp_path: pathlib.Path) -> None:
    judge.its_own_answers([player(tmp_path, (FIRST,), (SECOND,))], replay(CREATED, FIRST, SECOND))


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([(FIRST,)], "nobody was told"),
        ([(FIRST,), (FIRST,), (SECOND,)], "the same action"),
        ([(SECOND,), (FIRST,)], "before the action before it"),
        ([(FIRST,), (event(3, 8_999),)], "otherwise than shown"),
    ],
)
def test_answers_that_do_not(tmp_path: pathlib.Path, answers: list[tuple[event_pb2.Event, ...]], told: str) -> None:
    with pytest.raises(Broken, match=told):
        judge.its_own_answers([player(tmp_path, *answers)], replay(CREATED, FIRST, SECOND))


def extended(by_ms: int) -> event_pb2.Event:
    return event(3, 5_010, clock_extended=event_pb2.ClockExtended(by_ms=by_ms))


def test_time_that_was_given_back() -> None:
    judge.time_given_back(FROZEN, replay(CREATED, FIRST, extended(4_000), event(4, 9_000)))
    judge.time_given_back(FROZEN, replay(CREATED, event(2, 5_000)))  # it had ended before


@pytest.mark.parametrize("between", [[extended(3_000)], []])
def test_time_that_was_not(between: list[event_pb2.Event]) -> None:
    with pytest.raises(Broken, match="given back"):
        judge.time_given_back(FROZEN, replay(CREATED, FIRST, *between, event(4, 9_000)))


@pytest.mark.parametrize(
    ("rows", "sound"),
    [
        ([("m", 1, None), ("m", 2, "a"), ("m", 3, "b"), ("n", 1, "a")], True),
        ([("m", 1, None), ("m", 3, "b")], False),
        ([("m", 2, None)], False),
        ([("m", 1, None), ("m", 2, "a"), ("m", 3, "a")], False),
    ],
)
def test_gaps_and_repeats_in_the_file(tmp_path: pathlib.Path, rows: list[tuple[object, ...]], sound: bool) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "majlis.db")) as database:
        database.execute("CREATE TABLE log (match_id, record, request_key)")
        database.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
        database.commit()
    with contextlib.nullcontext() if sound else pytest.raises(Broken, match="gaps"):
        judge.judge_file(Server(tmp_path))


@pytest.mark.parametrize(
    ("line", "sound"),
    [
        ({"event": "failed", "where": "settle", "level": "error"}, True),
        ({"event": "failed", "where": "table", "level": "error"}, False),
        ({"event": "a call failed", "level": "error"}, False),
    ],
)
def test_faults_in_the_log(tmp_path: pathlib.Path, line: dict[str, Any], sound: bool) -> None:
    server = Server(tmp_path)
    server.log = [{"event": "stopped", "level": "info"}, line]
    with contextlib.nullcontext() if sound else pytest.raises(Broken, match="failed"):
        judge.judge_log(server)

"""The log: which ids it carries, both forms, and that no exception's text or value gets into it."""

import collections
import io
import json
import logging as standard
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from majlis.ops import logging
from majlis.ops.logging import About, about

SECRET = "7H0 KS1 seed"


class Lines(io.StringIO):
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture
def configured() -> Iterator[Callable[[str, str], Lines]]:
    root = standard.getLogger()
    handlers, level, grpc_level = list(root.handlers), root.level, standard.getLogger("grpc").level

    def configure(form: str, level: str) -> Lines:
        stream = Lines()
        logging.configure(form, level, stream)
        return stream

    yield configure
    structlog.reset_defaults()
    root.handlers = handlers
    root.setLevel(level)
    standard.getLogger("grpc").setLevel(grpc_level)


@pytest.fixture
def lines(configured: Callable[[str, str], Lines]) -> Lines:
    return configured("json", "info")


def fail() -> None:
    hidden = SECRET
    raise ValueError(f"cannot play {hidden}")


def test_an_event_is_one_json_line_with_the_ids_of_its_call(lines: Lines) -> None:
    token = about.set(About("/majlis.v1.MatchService/SubmitAction", "alice", "m1", "r1"))
    try:
        structlog.get_logger("majlis.test").info("it happened", game="tonj")
    finally:
        about.reset(token)
    (event,) = lines.events()
    timestamp = event.pop("timestamp")
    assert timestamp.endswith("Z")
    assert event == {
        "event": "it happened",
        "game": "tonj",
        "level": "info",
        "logger": "majlis.test",
        "method": "/majlis.v1.MatchService/SubmitAction",
        "player": "alice",
        "match": "m1",
        "request": "r1",
    }


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize(
    "steering", ["\x1b[2J", "\x1b]0;title\x07", "\r", "\n", "\x85", "\u2028", "\u202e", "\x9b31m", "\0"]
)
def test_ids_of_clients_cannot_steer_a_terminal_or_make_lines(
    configured: Callable[[str, str], Lines], form: str, steering: str
) -> None:
    lines = configured(form, "info")
    token = about.set(About("", f"ali{steering}a", f"m{steering}", f"{steering}r"))
    try:
        structlog.get_logger("majlis.test").info("refused")
    finally:
        about.reset(token)
    (line,) = lines.getvalue().splitlines()
    assert line.isprintable()
    assert "ali" in line


def test_ids_that_are_not_known_are_left_out(lines: Lines) -> None:
    structlog.get_logger("majlis.test").info("outside of calls")
    assert lines.events()[0].keys() == {"event", "level", "logger", "timestamp"}


@pytest.mark.parametrize("through", ["structlog", "standard library"])
def test_an_exception_is_told_by_type_and_place_only(lines: Lines, through: str) -> None:
    try:
        fail()
    except ValueError as error:
        if through == "structlog":
            structlog.get_logger("majlis.test").error("failed", exc_info=error)
        else:
            standard.getLogger("majlis.test").exception("failed")
    (event,) = lines.events()
    assert event["event"] == "failed"
    assert event["error"] == "ValueError"
    assert [place.split(" ")[-1] for place in event["at"]][-1] == "fail"
    assert SECRET not in lines.getvalue()


def test_an_exception_is_told_with_the_types_of_its_causes(lines: Lines) -> None:
    try:
        try:
            fail()
        except ValueError as error:
            raise OSError(SECRET) from error
    except OSError as error:
        structlog.get_logger("majlis.test").error("failed", exc_info=error)
    assert lines.events()[0]["error"] == "OSError from ValueError"
    assert SECRET not in lines.getvalue()


def test_the_console_form_keeps_exceptions_as_short(configured: Callable[[str, str], Lines]) -> None:
    lines = configured("console", "debug")
    try:
        fail()
    except ValueError:
        structlog.get_logger("majlis.test").exception("failed", where="here")
    assert "failed" in lines.getvalue()
    assert "ValueError" in lines.getvalue()
    assert SECRET not in lines.getvalue()
    assert lines.getvalue().count("\n") == 1


def test_less_than_the_level_is_not_logged(configured: Callable[[str, str], Lines]) -> None:
    lines = configured("json", "warning")
    log = structlog.get_logger("majlis.test")
    log.info("too little")
    standard.getLogger("majlis.test").info("too little")
    log.warning("enough")
    assert collections.Counter(event["event"] for event in lines.events()) == {"enough": 1}


def test_arguments_of_the_standard_library_are_filled_in(lines: Lines) -> None:
    standard.getLogger("asyncio").warning("took %s seconds", 2)
    assert lines.events()[0]["event"] == "took 2 seconds"

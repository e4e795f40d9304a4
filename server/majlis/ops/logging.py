"""The log: one line an event on standard error, for people or as JSON, with the ids of the call that it is about.

Never in it: tokens, cards, payloads, seeds, and the texts of unexpected exceptions, which may quote any of those.
"""

import contextvars
import dataclasses
import logging
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger


@dataclasses.dataclass(slots=True)
class About:
    """The call that is being answered; the api fills it in as it learns more. Empty ids are not logged."""

    method: str = ""
    player: str = ""
    match: str = ""
    request: str = ""


about: contextvars.ContextVar[About] = contextvars.ContextVar("about")
"""Set once a call: cheaper than binding each id to the logger, since most calls log nothing."""


def configure(form: str, level: str, stream: TextIO = sys.stderr) -> None:
    """Sends structlog's and the standard library's events to `stream`.

    Args:
        form: `console` or `json`.
        level: `debug`, `info`, `warning` or `error`.
        stream: where the lines go.
    """
    shared: list[Processor] = [
        _ids,
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _locations_only,
    ]
    last: Processor
    if form == "json":
        last = structlog.processors.JSONRenderer(ensure_ascii=False)
    else:
        last = structlog.dev.ConsoleRenderer(colors=stream.isatty())
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.PositionalArgumentsFormatter(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # grpc and asyncio report exceptions with their texts, and ours are reported once already.
    logging.getLogger("grpc").setLevel(logging.CRITICAL)


def where(trace: TracebackType | None) -> list[str]:
    """The frames of a traceback as `file:line function`, without the source's text or any value."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]


def _ids(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    call = about.get(None)
    if call is not None:
        for name in About.__slots__:
            if identifier := getattr(call, name):
                event.setdefault(name, _printable(identifier))
    return event


def _printable(identifier: str) -> str:
    """What a client made up, without what would steer the operator's terminal or begin a line of its own."""
    return identifier if identifier.isprintable() else repr(identifier)[1:-1]


def _kinds(error: BaseException | None) -> Iterator[str]:
    """The types of an error and of its causes; a full disk is known by them."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield type(error).__name__
        error = error.__cause__


def _locations_only(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    given = event.pop("exc_info", None)
    error = sys.exc_info() if given is True else given
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        event["error"] = " from ".join(_kinds(error))
        event["at"] = where(error.__traceback__)
    return event

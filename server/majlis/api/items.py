"""`SessionItem`s: what a client is told on its session, put together from ready-made messages."""

from collections.abc import Iterable

from majlis.api import errors, wire
from majlis.api.language import Language
from majlis.match.refusal import Refusal
from majlis.v1 import match_service_pb2 as messages

_ITEM = messages.PlaySessionResponse.ITEMS_FIELD_NUMBER
_MATCH = messages.SessionItem.MATCH_ID_FIELD_NUMBER
_UPDATE = messages.SessionItem.UPDATE_FIELD_NUMBER
_ANSWER = messages.SessionItem.ANSWER_FIELD_NUMBER
_WATCH_END = messages.SessionItem.WATCH_END_FIELD_NUMBER
_REQUEST_ID = messages.ActionAnswer.REQUEST_ID_FIELD_NUMBER
_ACCEPTED = messages.ActionAnswer.ACCEPTED_FIELD_NUMBER
_REFUSED = messages.ActionAnswer.REFUSED_FIELD_NUMBER
_REASON = messages.WatchEnd.REASON_FIELD_NUMBER


def together(items: Iterable[bytes]) -> bytes:
    """A `PlaySessionResponse` with these; empty without any."""
    return b"".join(wire.field(_ITEM, item) for item in items)


def update(match_id: str, told: bytes) -> bytes:
    """What a watcher of the match is sent, a `WatchMatchResponse`."""
    return wire.text(_MATCH, match_id) + wire.field(_UPDATE, told)


def watch_end(match_id: str, why: Refusal | None, language: Language) -> bytes:
    """A watch ended, or was refused; None: the match is over and everything was told."""
    reason = b"" if why is None else wire.field(_REASON, _told(why, language))
    return wire.text(_MATCH, match_id) + wire.field(_WATCH_END, reason)


def accepted(match_id: str, request_id: str, answer: bytes) -> bytes:
    """An action is durable; with its `SubmitActionResponse`."""
    return _answer(match_id, request_id, wire.field(_ACCEPTED, answer))


def refused(match_id: str, request_id: str, no: Refusal, language: Language) -> bytes:
    """An action changed nothing."""
    return _answer(match_id, request_id, wire.field(_REFUSED, _told(no, language)))


def _answer(match_id: str, request_id: str, result: bytes) -> bytes:
    return wire.text(_MATCH, match_id) + wire.field(_ANSWER, wire.text(_REQUEST_ID, request_id) + result)


def _told(refusal: Refusal, language: Language) -> bytes:
    return errors.told(refusal, language).SerializeToString()

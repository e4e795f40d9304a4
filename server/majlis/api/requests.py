"""Reading requests: bytes that are no such message and fields that are out of bounds become `MALFORMED_REQUEST`.

`SubmitActionRequest` and `CreateMatchRequest` are read by the Rust core instead, which has the same bounds for them.
"""

from typing import TypeVar

from google.protobuf import message

from majlis import _core
from majlis.match.refusal import Refusal

LONGEST_ID = 64

Request = TypeVar("Request", bound=message.Message)


def read(kind: type[Request], request: bytes) -> Request:
    """The request as a message.

    Raises:
        Refusal: `MALFORMED_REQUEST`.
    """
    try:
        return kind.FromString(request)
    except message.DecodeError:
        raise malformed("", f"is no {kind.DESCRIPTOR.name}") from None


def match_id(given: str) -> str:
    """The id, as it was given.

    Raises:
        Refusal: `MALFORMED_REQUEST`, when it cannot be one.
    """
    if not 1 <= len(given.encode()) <= LONGEST_ID:
        raise malformed("match_id", f"must have 1 to {LONGEST_ID} bytes")
    return given


def submit(request: bytes) -> _core.Submit:
    """A `SubmitActionRequest`, as the core reads it.

    Raises:
        Refusal: `MALFORMED_REQUEST`.
    """
    try:
        read = _core.Submit.read(request)
    except _core.Malformed as error:
        raise Refusal("MALFORMED_REQUEST", fields=error.fields) from None
    match_id(read.match_id)
    return read


def device(given: str | None) -> str:
    """The caller's device, from the metadata; empty if he did not say.

    Raises:
        Refusal: `MALFORMED_REQUEST`, when it cannot be one.
    """
    if given is not None and len(given.encode()) > LONGEST_ID:
        raise malformed("device-id", f"must have at most {LONGEST_ID} bytes")
    return given or ""


def request_id(request: message.Message) -> str:
    """The `request_id` of a request.

    Raises:
        Refusal: `MALFORMED_REQUEST`, when it cannot be one.
    """
    return id_of(request, "request_id")


def id_of(request: message.Message, field: str) -> str:
    """An id that a request carries in a field.

    Raises:
        Refusal: `MALFORMED_REQUEST`, when it cannot be one.
    """
    given: str = getattr(request, field)
    if not 1 <= len(given.encode()) <= LONGEST_ID:
        raise malformed(field, f"must have 1 to {LONGEST_ID} bytes")
    return given


def page_size(given: int, default: int, most: int) -> int:
    """How many entries a page has: the default for 0, and never more than the most."""
    return min(given or default, most)


def malformed(path: str, fault: str) -> Refusal:
    """A refusal of one field; an empty path means the whole request."""
    return Refusal("MALFORMED_REQUEST", fields=((path, fault),))

"""Refusals as gRPC statuses: the one place where a reason becomes a code, details and a sentence for the caller.

Which reasons there are, with their codes and sentences, stands in `majlis.match.catalogue`.
"""

import functools
import random

import grpc
from google.protobuf import any_pb2, message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from majlis.api.comeback import STEP_MS
from majlis.api.language import Language
from majlis.match.refusal import Refusal
from majlis.v1 import match_service_pb2

DOMAIN = "majlis"
SOONEST_RETRY_MS, LATEST_RETRY_MS = 250, 1_000
"""For refusals that may be repeated and do not say when."""
MOST_KEPT = 2_048
"""Statuses that are kept made, some 700 bytes each."""
MOST_FIELDS = 32
"""Faulty fields that are told; many more would not fit into the metadata in which a status travels."""

FIELDS_IN_MESSAGE = 3
"""Of those, how many the messages name, for developers who print nothing else."""


def code(refusal: Refusal) -> grpc.StatusCode:
    """The gRPC code of a refusal."""
    return grpc.StatusCode[refusal.entry.code]


def told(refusal: Refusal, language: Language) -> match_service_pb2.Refusal:
    """A refusal as a message of its own: the sentence for the caller, and when he may come again.

    Faulty fields stand behind the sentence: they are a developer's affair, and on a session there is no other place.
    """
    return _told(refusal, language, _after_ms(refusal))


def _after_ms(refusal: Refusal) -> int:
    """When he may come again; 0 where repeating the call makes no sense."""
    if refusal.retry_after_ms is None and refusal.entry.retry:
        # Spread, so that those who were turned away together do not come back together.
        return random.randrange(SOONEST_RETRY_MS, LATEST_RETRY_MS + 1, STEP_MS)  # noqa: S311 — no secret
    return refusal.retry_after_ms or 0


def _told(refusal: Refusal, language: Language, after_ms: int) -> match_service_pb2.Refusal:
    entry = refusal.entry
    return match_service_pb2.Refusal(
        code=code(refusal).value[0],
        reason=refusal.reason,
        message=_with_fields(entry.arabic if language == "ar" else entry.english, refusal),
        sequence=refusal.sequence or 0,
        retry_after_ms=after_ms,
    )


def status(refusal: Refusal, language: Language) -> grpc.Status:
    """The whole status: English for developers in its message, and typed details for programs and people.

    Details are `ErrorInfo` (reason, domain, and as metadata the head sequence and whether to retry), `BadRequest` where
    fields are wrong, `RetryInfo` where repeating the call makes sense, `LocalizedMessage`, and `majlis.v1.Refusal`.
    """
    after_ms = _after_ms(refusal)
    if refusal.sequence is None and not refusal.fields:
        return _same_for_all(refusal.reason, language, after_ms)
    return _made(refusal, language, after_ms)


@functools.lru_cache(MOST_KEPT)
def _same_for_all(reason: str, language: Language, after_ms: int) -> grpc.Status:
    """The status of a refusal that tells of no match: a server that has too much to do makes each once."""
    return _made(Refusal(reason), language, after_ms)


def _made(refusal: Refusal, language: Language, after_ms: int) -> grpc.Status:
    entry = refusal.entry
    own = _told(refusal, language, after_ms)
    metadata = {"retryable": "true" if entry.retry else "false"}
    if refusal.sequence is not None:
        metadata["sequence"] = str(refusal.sequence)
    details: list[message.Message] = [
        error_details_pb2.ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=metadata),
        error_details_pb2.LocalizedMessage(locale=language, message=own.message),
        own,
    ]
    if own.retry_after_ms:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(own.retry_after_ms)
        details.append(retry)
    if refusal.fields:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=path, description=fault)
            for path, fault in refusal.fields[:MOST_FIELDS]
        ]
        details.append(error_details_pb2.BadRequest(field_violations=violations))
    text = _with_fields(entry.english, refusal)
    packed = [_packed(one) for one in details]
    return rpc_status.to_status(status_pb2.Status(code=code(refusal).value[0], message=text, details=packed))


def _with_fields(sentence: str, refusal: Refusal) -> str:
    fields = "; ".join(f"{path} {fault}".lstrip() for path, fault in refusal.fields[:FIELDS_IN_MESSAGE])
    return f"{sentence} ({fields})" if fields else sentence


def _packed(detail: message.Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed

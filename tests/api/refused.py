"""What a refused call said: its status and typed details, unpacked."""

import contextlib
import dataclasses
from collections.abc import Iterator

import grpc
import pytest
from google.protobuf import message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from majlis.v1 import match_service_pb2


@dataclasses.dataclass
class Told:
    """Filled in when the refusal has come."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    english: str = ""
    info: error_details_pb2.ErrorInfo = dataclasses.field(default_factory=error_details_pb2.ErrorInfo)
    refusal: match_service_pb2.Refusal = dataclasses.field(default_factory=match_service_pb2.Refusal)
    localized: error_details_pb2.LocalizedMessage = dataclasses.field(
        default_factory=error_details_pb2.LocalizedMessage
    )
    retry: error_details_pb2.RetryInfo | None = None
    fields: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def reason(self) -> str:
        return self.info.reason

    def read(self, code: grpc.StatusCode, status: status_pb2.Status) -> None:
        self.code = code
        self.english = status.message
        assert status.code == code.value[0]
        faults = error_details_pb2.BadRequest()
        retry = error_details_pb2.RetryInfo()
        known: dict[str, message.Message] = {
            kind.DESCRIPTOR.full_name: kind for kind in (self.info, self.localized, self.refusal, faults, retry)
        }
        for detail in status.details:
            detail.Unpack(known.pop(detail.TypeName()))
        self.retry = None if "google.rpc.RetryInfo" in known else retry
        self.fields = {fault.field: fault.description for fault in faults.field_violations}
        assert self.info.domain == "majlis"
        assert self.refusal.reason == self.info.reason
        assert self.refusal.code == status.code
        assert self.refusal.message == self.localized.message
        assert (
            (self.retry is not None) == (self.refusal.retry_after_ms > 0) == (self.info.metadata["retryable"] == "true")
        )


class Refused(Exception):
    """A refusal that came on a session, where it is no status."""

    def __init__(self, refusal: match_service_pb2.Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def reason(error: BaseException) -> str:
    """Of a refusal, on a session or as a status; empty for a connection that broke."""
    if isinstance(error, Refused):
        return error.refusal.reason
    if isinstance(error, grpc.aio.AioRpcError):
        status = rpc_status.from_call(error)  # type: ignore[arg-type]
        for detail in status.details if status else ():
            refusal = match_service_pb2.Refusal()
            if detail.Unpack(refusal):
                return refusal.reason
    return ""


@contextlib.contextmanager
def refused(reason: str | None = None) -> Iterator[Told]:
    """The call inside must be refused with typed details, and with this reason if one is given.

    Of what is refused on a session there are no details but the refusal itself.
    """
    told = Told()
    with pytest.raises((grpc.aio.AioRpcError, Refused)) as caught:
        yield told
    if isinstance(caught.value, Refused):
        told.refusal = caught.value.refusal
        told.code = next(code for code in grpc.StatusCode if code.value[0] == told.refusal.code)
        told.info.reason = told.refusal.reason
        assert reason in (None, told.reason)
        return
    assert isinstance(caught.value, grpc.aio.AioRpcError)
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    assert status is not None, f"no details: {caught.value}"
    told.read(caught.value.code(), status)
    if reason is not None:
        assert told.reason == reason

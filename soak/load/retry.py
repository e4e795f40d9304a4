"""What a refused caller reads: whether the server is OVERLOADED, and how long it asks to wait; and when he cannot."""

import grpc
from google.rpc import error_details_pb2, status_pb2

DETAILS = "grpc-status-details-bin"


def seconds(error: grpc.aio.AioRpcError) -> float:
    """The time to wait of a refusal that says OVERLOADED; 0 for whatever else a call may end by."""
    status = status_pb2.Status.FromString(dict(error.trailing_metadata()).get(DETAILS, b""))
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    known = {kind.DESCRIPTOR.full_name: kind for kind in (info, retry)}
    for detail in status.details:
        if detail.TypeName() in known:
            detail.Unpack(known[detail.TypeName()])
    is_overload = error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and info.reason == "OVERLOADED"
    return retry.retry_delay.ToTimedelta().total_seconds() if is_overload else 0.0


def is_unread(error: grpc.aio.AioRpcError) -> bool:
    """Whether the caller's own grpc.aio has lost what he was told: his write had crossed the end of the call."""
    return "execute_batch" in (error.debug_error_string() or "")

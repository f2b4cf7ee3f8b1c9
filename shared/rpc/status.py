"""The error tree on the wire: CandorError to google.rpc.Status and back.

Rules: every status carries ErrorInfo {reason, domain `candor`, metadata}; `metadata.kind` makes the way back exact.
Details stay under 4 KiB and 20 violations, because a larger trailer is replaced by RESOURCE_EXHAUSTED on the way. An
Internal loses its message and metadata here: what broke is in the log, under the request id. It does not know HTTP.
Source: AIP-193.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from shared.domain.errors import ERRORS_BY_KIND, CandorError, Internal, Kind, TooLarge, UpstreamUnavailable, Violation

DOMAIN = "candor"
MAX_VIOLATIONS = 20
MAX_DETAIL_BYTES = 4096
"""Of the serialised Status. Measured: gRPC's default for all metadata is 16 KiB; chosen well under it."""
MAX_TEXT_BYTES = 300
"""Of a message, a description or a metadata value; chosen, untested. A message is sent twice, once percent-encoded."""
MAX_METADATA_BYTES = 2048
"""Of all metadata; the rest of the details is for violations."""

CODES: Mapping[Kind, grpc.StatusCode] = MappingProxyType(
    {
        Kind.INVALID_ARGUMENT: grpc.StatusCode.INVALID_ARGUMENT,
        Kind.UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
        Kind.PERMISSION_DENIED: grpc.StatusCode.PERMISSION_DENIED,
        Kind.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
        Kind.CONFLICT: grpc.StatusCode.ABORTED,
        Kind.FAILED_PRECONDITION: grpc.StatusCode.FAILED_PRECONDITION,
        Kind.TOO_LARGE: grpc.StatusCode.OUT_OF_RANGE,
        Kind.UNSUPPORTED_MEDIA: grpc.StatusCode.INVALID_ARGUMENT,
        Kind.RATE_LIMITED: grpc.StatusCode.RESOURCE_EXHAUSTED,
        Kind.OVERLOADED: grpc.StatusCode.UNAVAILABLE,
        Kind.UPSTREAM_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
        Kind.INTERNAL: grpc.StatusCode.INTERNAL,
    }
)

_ERRORS_BY_WORD = {kind.value: error_type for kind, error_type in ERRORS_BY_KIND.items()}


def to_status(error: CandorError, code: grpc.StatusCode | None = None, request_id: str = "") -> Status:
    """Return the status that stands for an error; `code` replaces the one of its kind."""
    opaque = isinstance(error, Internal)
    metadata = {"kind": error.kind.value}
    if opaque and request_id:
        metadata["request_id"] = request_id
    if len(error.violations) > MAX_VIOLATIONS:
        metadata["violation_count"] = str(len(error.violations))
    if not opaque:
        metadata |= _fitting(error.metadata)
    wire_code = (code or CODES[error.kind]).value[0]
    status = Status(code=wire_code, message="Internal error." if opaque else _cut(error.message))
    _add(status, ErrorInfo(reason="INTERNAL" if opaque else error.reason, domain=DOMAIN, metadata=metadata))
    if error.retry_after_seconds is not None:
        delay = Duration()
        delay.FromMilliseconds(round(error.retry_after_seconds * 1000))
        _add(status, RetryInfo(retry_delay=delay))
    if error.violations and not opaque:
        _add(status, _bad_request(error.violations, MAX_DETAIL_BYTES - status.ByteSize()))
    return status


def from_rpc_error(error: grpc.aio.AioRpcError) -> CandorError:
    """Return the error that a failed call stands for.

    A status of ours comes back as it was. What gRPC itself reports is an upstream that does not answer, or a message
    over the limit; anything else is a defect.
    """
    status = ours(error)
    if status is not None:
        return _from_status(status)
    code = error.code()
    metadata = {"code": code.name}
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED):
        reason = "DEADLINE_EXCEEDED" if code is grpc.StatusCode.DEADLINE_EXCEEDED else "UPSTREAM_UNAVAILABLE"
        return UpstreamUnavailable(reason, "A service does not answer.", metadata=metadata, retry_after_seconds=1.0)
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
        return TooLarge("MESSAGE_TOO_LARGE", "A message is larger than services exchange.", metadata=metadata)
    return Internal("INTERNAL", f"A call failed with {code.name}: {error.details()}", metadata=metadata)


def ours(error: grpc.aio.AioRpcError) -> Status | None:
    """Return the status of a failed call if one of our services gave it, else None."""
    try:
        status = cast("Status | None", rpc_status.from_call(cast("grpc.Call", error)))
    except ValueError:  # code or message differ from the details: not written by to_status
        return None
    return status if status is not None and _info(status) is not None else None


def reason_of(status: Status) -> str:
    """Return the reason that a status carries."""
    info = _info(status)
    return info.reason if info else ""


def _from_status(status: Status) -> CandorError:
    info = _info(status) or ErrorInfo()
    metadata = dict(info.metadata)
    error_type = _ERRORS_BY_WORD.get(metadata.pop("kind", ""), Internal)
    violations: tuple[Violation, ...] = ()
    retry_after_seconds = None
    for detail in status.details:
        bad, retry = BadRequest(), RetryInfo()
        if detail.Unpack(bad):
            violations = tuple(Violation(v.field, v.reason, v.description) for v in bad.field_violations)
        elif detail.Unpack(retry):
            retry_after_seconds = retry.retry_delay.ToMilliseconds() / 1000
    return error_type(
        info.reason, status.message, metadata=metadata, violations=violations, retry_after_seconds=retry_after_seconds
    )


def _info(status: Status) -> ErrorInfo | None:
    for detail in status.details:
        info = ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            return info
    return None


def _bad_request(violations: tuple[Violation, ...], room_bytes: int) -> BadRequest:
    envelope_bytes = 80  # the type URL and the lengths around it
    bad = BadRequest()
    for violation in violations[:MAX_VIOLATIONS]:
        bad.field_violations.add(
            field=_cut(violation.field), reason=violation.reason, description=_cut(violation.description)
        )
        if bad.ByteSize() + envelope_bytes > room_bytes:
            del bad.field_violations[-1]
            break
    return bad


def _add(status: Status, detail: ErrorInfo | RetryInfo | BadRequest) -> None:
    packed = AnyMessage()
    packed.Pack(detail)
    status.details.append(packed)


def _fitting(metadata: Mapping[str, str]) -> dict[str, str]:
    fitting: dict[str, str] = {}
    room_bytes = MAX_METADATA_BYTES
    for key, value in metadata.items():
        cut = _cut(value)
        room_bytes -= len(key) + len(cut.encode())
        if room_bytes < 0:
            break
        fitting[key] = cut
    return fitting


def _cut(text: str) -> str:
    encoded = text.encode("utf-8", "replace")  # a lone surrogate has no place on the wire
    if len(encoded) <= MAX_TEXT_BYTES:
        return encoded.decode()
    return encoded[: MAX_TEXT_BYTES - len("…".encode())].decode("utf-8", "ignore") + "…"

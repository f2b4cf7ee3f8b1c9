"""Errors cross the wire whole, small, and opaque where they must be."""

import grpc
import pytest
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from shared.domain.errors import ERRORS_BY_KIND, CandorError, Internal, InvalidArgument, Kind, TooLarge, Violation
from shared.domain.errors import UpstreamUnavailable as Unavailable
from shared.rpc.status import MAX_DETAIL_BYTES, from_rpc_error, to_status


def failed_call(status: Status) -> grpc.aio.AioRpcError:
    """What a client sees of a status."""
    wire = rpc_status.to_status(status)
    return grpc.aio.AioRpcError(
        wire.code,
        grpc.aio.Metadata(),
        grpc.aio.Metadata(*wire.trailing_metadata),
        details=wire.details,
    )


def there_and_back(error: CandorError) -> CandorError:
    return from_rpc_error(failed_call(to_status(error)))


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.INTERNAL])
def test_every_kind_comes_back_as_it_was(kind: Kind) -> None:
    error = ERRORS_BY_KIND[kind](
        "SOME_REASON",
        "Något: 中文",
        metadata={"field": "a", "limit": "3"},
        violations=(Violation("a", "A_WRONG", "is wrong"), Violation("b", "B_WRONG", "too")),
        retry_after_seconds=1.25,
    )
    back = there_and_back(error)
    assert type(back) is type(error)
    assert (back.reason, back.message, dict(back.metadata)) == (error.reason, error.message, dict(error.metadata))
    assert (back.violations, back.retry_after_seconds) == (error.violations, error.retry_after_seconds)


def test_a_defect_keeps_nothing_but_its_request_id() -> None:
    status = to_status(Internal("SECRET_REASON", "secret", metadata={"k": "secret"}), request_id="r-1")
    assert b"secret" not in status.SerializeToString().lower()
    back = from_rpc_error(failed_call(status))
    assert (type(back), back.reason, dict(back.metadata)) == (Internal, "INTERNAL", {"request_id": "r-1"})


@pytest.mark.parametrize("character", ["x", "中", "😀"])
def test_three_hundred_violations_stay_small(character: str) -> None:
    violations = tuple(
        Violation(f"memories[{i}].metadata.{character * 100}", "TEXT_TOO_LONG", character * 500) for i in range(300)
    )
    status = to_status(InvalidArgument.of_all(violations))
    assert status.ByteSize() <= MAX_DETAIL_BYTES
    back = from_rpc_error(failed_call(status))
    assert 1 <= len(back.violations) <= 20
    assert back.violations[0].field.startswith("memories[0].metadata.")
    assert back.metadata["violation_count"] == "300"


def test_huge_metadata_is_cut() -> None:
    status = to_status(InvalidArgument("R", "m" * 9000, metadata={f"k{i}": "中" * 9000 for i in range(300)}))
    assert status.ByteSize() <= MAX_DETAIL_BYTES
    assert type(from_rpc_error(failed_call(status))) is InvalidArgument


@pytest.mark.parametrize(
    ("code", "error_type", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, Unavailable, "UPSTREAM_UNAVAILABLE"),
        (grpc.StatusCode.CANCELLED, Unavailable, "UPSTREAM_UNAVAILABLE"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, Unavailable, "DEADLINE_EXCEEDED"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, TooLarge, "MESSAGE_TOO_LARGE"),
        (grpc.StatusCode.UNKNOWN, Internal, "INTERNAL"),
        (grpc.StatusCode.UNIMPLEMENTED, Internal, "INTERNAL"),
    ],
)
def test_what_grpc_itself_reports(code: grpc.StatusCode, error_type: type[CandorError], reason: str) -> None:
    error = from_rpc_error(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), details="x"))
    assert (type(error), error.reason) == (error_type, reason)


def test_a_status_of_another_system_is_not_ours() -> None:
    foreign = Status(code=5, message="not found")
    assert type(from_rpc_error(failed_call(foreign))) is Internal

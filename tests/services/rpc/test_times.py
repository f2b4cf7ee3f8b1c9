"""Instants on the wire: the years 1 to 9999 come back; their very ends, infinity to the database, are refused."""

from datetime import UTC, datetime, timedelta

import pytest
from candor.ingest.v1.admin_pb2 import CreateKeyRequest
from google.protobuf.timestamp_pb2 import Timestamp

from shared.domain.errors import InvalidArgument
from shared.rpc import wire

BEGINNING, END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@pytest.mark.parametrize("moment", [BEGINNING + MICROSECOND, datetime(1969, 12, 31, 23, tzinfo=UTC), END - MICROSECOND])
def test_an_instant_comes_back(moment: datetime) -> None:
    assert wire.instant(CreateKeyRequest(expires_at=wire.to_timestamp(moment)), "expires_at") == moment


@pytest.mark.parametrize(
    "stamp", [wire.to_timestamp(BEGINNING), wire.to_timestamp(END), Timestamp(seconds=1 << 40), Timestamp(nanos=-1)]
)
def test_the_ends_of_time_and_what_lies_beyond_are_refused_by_name(stamp: Timestamp) -> None:
    with pytest.raises(InvalidArgument) as caught:
        wire.instant(CreateKeyRequest(expires_at=stamp), "expires_at")
    assert [(one.field, one.reason) for one in caught.value.violations] == [("expires_at", "TIME_INVALID")]


def test_what_is_not_given_is_none() -> None:
    assert wire.instant(CreateKeyRequest(), "expires_at") is None

"""Instants on the wire.

Rules: aware UTC datetimes inside, Timestamps outside; microseconds are kept, nanoseconds below them are cut. An unset
field is None, never the epoch. It does not know which field means what.
"""

from datetime import UTC, datetime

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from shared.domain.errors import InvalidArgument

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_SECONDS = 86_400
_BEGINNING, _END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
"""Nothing lies at these two: the database's driver takes them for infinity and gives them back without a zone."""


def to_timestamp(moment: datetime | None) -> Timestamp | None:
    """Return the Timestamp of an aware datetime; None stays None, which a message's constructor takes as unset."""
    if moment is None:
        return None
    since = moment - _EPOCH  # by hand: half the time of FromDatetime, and a hit has three of them (measured)
    return Timestamp(seconds=since.days * _DAY_SECONDS + since.seconds, nanos=since.microseconds * 1000)


def to_datetime(stamp: Timestamp | None) -> datetime | None:
    """Return the datetime of a Timestamp; None stays None. Raises: InvalidArgument TIME_INVALID."""
    if stamp is None:
        return None
    try:
        moment = stamp.ToDatetime(tzinfo=UTC)
    except (ValueError, OverflowError):
        moment = _END
    if not _BEGINNING < moment < _END:
        raise InvalidArgument("TIME_INVALID", "A time lies outside the years 1 to 9999.")
    return moment


def instant(message: Message, field: str) -> datetime | None:
    """Return the datetime of a Timestamp field; None where it is unset. Raises: InvalidArgument TIME_INVALID."""
    if not message.HasField(field):
        return None
    try:
        return to_datetime(getattr(message, field))
    except InvalidArgument as error:
        raise InvalidArgument.of(field, error.reason, "lies outside the years 1 to 9999") from error

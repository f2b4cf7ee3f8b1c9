"""The trail of use: what the gateway counts of each key, and when it tells."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import grpc
import pytest

from gateway.key_use import KeyUses
from shared.domain.errors import UpstreamUnavailable
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
COUNTER = UUID(int=7)


class Times:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.time = NOW

    def now(self) -> datetime:
        return self.time


def told(gateway: Gateway) -> list[dict[str, int]]:
    """Return the counts of each report, by key."""
    reports = [request for name, request in gateway.script.asked if name == "RecordKeyUse"]
    assert all((report.tenant_id, report.counter_id) == (TENANT, str(COUNTER)) for report in reports)
    return [{use.key_id: use.requests for use in report.uses} for report in reports]


async def test_requests_are_counted_by_key_and_only_changes_are_told(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel]
) -> None:
    times = Times()
    uses = KeyUses(channels["ingest"], COUNTER, times.now)
    for key_id in ("a", "b", "a"):
        uses.note(TENANT, key_id)
    await uses.flush()
    await uses.flush()
    uses.note(TENANT, "b")
    await uses.flush()
    times.time += timedelta(days=1)  # another day counts from the beginning
    uses.note(TENANT, "b")
    await uses.flush()
    assert told(gateway) == [{"a": 2, "b": 1}, {"b": 2}, {"b": 1}]


async def test_a_report_that_fails_is_made_good_by_the_next(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel]
) -> None:
    times = Times()
    uses = KeyUses(channels["ingest"], COUNTER, times.now)
    gateway.script.answers["RecordKeyUse"] = [UpstreamUnavailable("DATABASE_UNAVAILABLE", "not now")]
    uses.note(TENANT, "a")
    await uses.flush()
    del gateway.script.answers["RecordKeyUse"]
    gateway.script.asked.clear()
    times.time += timedelta(days=1)  # what was counted yesterday is not forgotten
    await uses.flush()
    assert told(gateway) == [{"a": 1}]


async def test_only_requests_with_a_good_key_count(gateway: Gateway) -> None:
    assert (await gateway.client.get("/v1/keys", headers={"x-api-key": "wrong"})).status_code == 401
    assert (await gateway.client.get("/v1/keys", headers={"x-api-key": "admin-key"})).status_code == 200
    async with gateway.app.router.lifespan_context(gateway.app):
        pass  # what is counted is told when the gateway ends
    reports = [request for name, request in gateway.script.asked if name == "RecordKeyUse"]
    assert [(use.key_id, use.requests) for report in reports for use in report.uses] == [("k-1", 1)]

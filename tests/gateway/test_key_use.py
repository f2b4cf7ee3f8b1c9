"""The trail of use: what the gateway counts of each key, and when it tells."""

from datetime import UTC, datetime

import grpc
import pytest

from gateway.key_use import KeyUses
from shared.domain.errors import UpstreamUnavailable
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)


async def test_requests_are_counted_by_key_and_told_once(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel]
) -> None:
    uses = KeyUses(channels["ingest"], lambda: NOW)
    for key_id in ("a", "b", "a"):
        uses.note(TENANT, key_id)
    await uses.flush()
    await uses.flush()
    [(name, request)] = gateway.script.asked
    assert (name, request.tenant_id) == ("RecordKeyUse", TENANT)
    assert {use.key_id: (use.requests, use.last_used_at.seconds) for use in request.uses} == {
        "a": (2, NOW.timestamp()),
        "b": (1, NOW.timestamp()),
    }


async def test_a_report_that_fails_is_lost_and_stops_nothing(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel]
) -> None:
    uses = KeyUses(channels["ingest"], lambda: NOW)

    gateway.script.answers["RecordKeyUse"] = [UpstreamUnavailable("DATABASE_UNAVAILABLE", "not now")]
    uses.note(TENANT, "a")
    await uses.flush()
    await uses.flush()
    assert [name for name, _ in gateway.script.asked] == ["RecordKeyUse"]


async def test_only_requests_with_a_good_key_count(gateway: Gateway, channels: dict[str, grpc.aio.Channel]) -> None:
    assert (await gateway.client.get("/v1/keys", headers={"x-api-key": "wrong"})).status_code == 401
    assert (await gateway.client.get("/v1/keys", headers={"x-api-key": "admin-key"})).status_code == 200
    async with gateway.app.router.lifespan_context(gateway.app):
        pass  # what is counted is told when the gateway ends
    reports = [request for name, request in gateway.script.asked if name == "RecordKeyUse"]
    assert [(use.key_id, use.requests) for report in reports for use in report.uses] == [("k-1", 1)]

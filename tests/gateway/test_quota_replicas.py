"""One quota, three gateways: exactly as many calls succeed as there are units, on a real database."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import grpc
import httpx2
import pytest
from candor.options.v1.options_pb2 import Access
from candor.retrieve.v1.access_pb2 import AuthenticateKeyResponse

from gateway.app import create_app
from services.ingest.quota import QuotaServicer
from shared.clock import new_id, now
from shared.config import Settings
from shared.domain.errors import InvalidArgument
from shared.store import migrate
from shared.store.pool import open_pool
from tests.gateway.conftest import Gateway
from tests.services.running import role

pytestmark = pytest.mark.anyio
REPLICAS, REQUESTS = 3, 1_000


@pytest.fixture(scope="module")
async def quota(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[grpc.aio.Channel]:
    pool = await open_pool(module_database.writer, size=8, application_name="test")
    async with role("ingest", QuotaServicer(pool, key=b"k" * 32, now=now)) as channel:
        yield channel
    await pool.close()


@pytest.mark.parametrize("units", [1, 500, 990])
async def test_a_thousand_calls_through_three_gateways_use_exactly_the_quota(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel], quota: grpc.aio.Channel, units: int
) -> None:
    tenant = str(new_id())

    async def authenticate(key: str) -> AuthenticateKeyResponse:
        return AuthenticateKeyResponse(tenant_id=tenant, key_id=f"k-{key}", name=key, scopes=[Access.ACCESS_READ])

    gateway.script.authenticate = authenticate
    # Every tenth call is wrong in itself as its service finds, and must not cost anything.
    settings = Settings(quota_units=units, places=REQUESTS, max_body_bytes=1_000_000)
    wrong = InvalidArgument.of("company", "COMPANY_INVALID", "is wrong")
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(REPLICAS):
            app = create_app(settings, {**channels, "ingest": quota})
            await stack.enter_async_context(app.router.lifespan_context(app))
            transport = httpx2.ASGITransport(app)
            clients.append(
                await stack.enter_async_context(httpx2.AsyncClient(transport=transport, base_url="http://gateway"))
            )

        async def ask(number: int) -> httpx2.Response:
            headers = {"x-api-key": f"key-{number % 5}"}  # keys of one tenant share its units
            return await clients[number % REPLICAS].get("/v1/memories:count", headers=headers)

        gateway.script.answers["CountMemories"] = [wrong]
        failed = await asyncio.gather(*map(ask, range(100)))
        assert {answer.status_code for answer in failed} <= {400, 429}
        del gateway.script.answers["CountMemories"]
        answers = await asyncio.gather(*map(ask, range(REQUESTS)))
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses == {200: units, 429: REQUESTS - units}
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.json()["reason"] for answer in refused} == {"QUOTA_EXHAUSTED"}
    assert {answer.headers["x-quota-limit"] for answer in answers} == {str(units)}
    assert all(0 < int(answer.headers["retry-after"]) <= 86_400 for answer in refused)

"""Ingest and the export of retrieve on one database; each test takes tenants of its own."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from services.retrieve.export import Export
from shared.clock import new_id
from shared.store import migrate
from shared.store.pool import open_pool
from tests.services.ingest.workplace import workplace
from tests.services.moving.lives import Both
from tests.services.running import role

TOKEN_KEY = b"k" * 32
PAGE_SIZE = 3  # so that a small tenant has many pages


@pytest.fixture(scope="module")
async def both(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Both]:
    reader = await open_pool(module_database.reader, size=2, application_name="test")
    try:
        async with workplace(module_database) as ingest:
            export = Export(reader, TOKEN_KEY, ingest.clock.now, PAGE_SIZE)
            async with role("retrieve", export) as via:
                yield Both(ingest, via)
    finally:
        await reader.close()


@pytest.fixture
def tenant() -> UUID:
    return new_id()

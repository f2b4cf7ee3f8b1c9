"""One ingest for the tests of a module; each test takes a tenant of its own."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from shared.clock import new_id
from shared.store import migrate
from tests.services.ingest.workplace import Workplace, workplace


@pytest.fixture(scope="module")
async def running_ingest(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Workplace]:
    async with workplace(module_database) as made:
        yield made


@pytest.fixture
def ingest(running_ingest: Workplace) -> Workplace:
    """Ingest as a test finds it: the embedder is up and has not been asked for anything."""
    running_ingest.embeddings.is_down = False
    running_ingest.embeddings.gate.set()
    running_ingest.embeddings.texts.clear()
    running_ingest.embeddings.refused.clear()
    return running_ingest


@pytest.fixture
def tenant() -> UUID:
    return new_id()

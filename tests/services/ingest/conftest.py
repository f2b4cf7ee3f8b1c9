"""One ingest for the tests of a module; each test takes a tenant of its own."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from shared.clock import new_id
from shared.store import migrate
from tests.services.ingest.conversation import Conversation, conversation
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


@pytest.fixture(scope="module")
async def running_talk(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Conversation]:
    async with conversation(module_database) as made:
        yield made


@pytest.fixture
async def talk(running_talk: Conversation) -> AsyncIterator[Conversation]:
    """A conversation as a test finds it: judge is up, and no job is left over."""
    running_talk.extractor.reset()
    yield running_talk
    await running_talk.ingest.look.execute("DELETE FROM job")

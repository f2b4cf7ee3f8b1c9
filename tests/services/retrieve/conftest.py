"""Retrieve served from a database of the test's own."""

from collections.abc import AsyncIterator

import pytest

from shared.store import migrate
from tests.services.retrieve.serving import Serving, serve


@pytest.fixture
async def serving(database: migrate.Dsns) -> AsyncIterator[Serving]:
    async with serve(database) as served:
        yield served


@pytest.fixture
async def unread() -> AsyncIterator[Serving]:
    """Retrieve without a database behind it: for requests that must not get that far."""
    nowhere = "postgresql://candor_reader@127.0.0.1:1/candor"
    async with serve(migrate.Dsns(nowhere, nowhere, nowhere)) as served:
        yield served

"""One Candor for all end-to-end tests of a session."""

import os
import time
import uuid
from collections.abc import Callable, Iterator

import httpx2
import pytest

from tests.e2e.stack import TIMEOUT_SECONDS, Stack, Tenant, named_by_environment, started

POLL_SECONDS = 0.05


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The Candor of E2E_URL, else one of our own."""
    named = named_by_environment()
    if named is not None:
        yield named
    else:
        with started(tmp_path_factory.mktemp("candor")) as own:
            yield own


@pytest.fixture(scope="session")
def tenant(stack: Stack) -> Tenant:
    """Somebody whose memory holds only what the tests write."""
    return stack.new_tenant() if stack.settings else Tenant(stack.key)


@pytest.fixture(scope="session")
def other_tenant(stack: Stack) -> Tenant:
    """Somebody else; with E2E_URL the one of E2E_OTHER_KEY."""
    if stack.settings is None and "E2E_OTHER_KEY" not in os.environ:
        pytest.skip("E2E_URL is given without E2E_OTHER_KEY")
    return stack.new_tenant() if stack.settings else Tenant(os.environ["E2E_OTHER_KEY"])


@pytest.fixture
def client(stack: Stack, tenant: Tenant) -> Iterator[httpx2.Client]:
    """An HTTP client of the tenant."""
    with stack.client(tenant.key) as connected:
        yield connected


@pytest.fixture
def company() -> str:
    """A company that no other test speaks of."""
    return f"Northwind {uuid.uuid4()}"


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Wait until something holds; fail when it does not in time."""

    def wait(holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not holds():
            assert time.monotonic() < deadline
            time.sleep(POLL_SECONDS)

    return wait

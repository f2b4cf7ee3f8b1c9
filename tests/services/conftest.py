"""What the tests of several roles share: the misbehaving server, and retries that do not wait."""

from collections.abc import Iterator

import pytest
import stamina

from tests.openai_server import OpenAIServer


@pytest.fixture
def retries_at_once() -> Iterator[None]:
    with stamina.set_testing(True, attempts=3):
        yield


@pytest.fixture(scope="session")
def started_server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def server(started_server: OpenAIServer) -> OpenAIServer:
    started_server.forget()
    return started_server

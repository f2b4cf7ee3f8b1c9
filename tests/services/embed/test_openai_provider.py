"""The OpenAI-compatible provider believes nothing unchecked, tries again what may help, and says what failed."""

from collections.abc import AsyncIterator, Iterator

import numpy as np
import numpy.typing as npt
import pytest
import stamina

from services.embed.openai_provider import CallPolicy, OpenAIProvider
from services.embed.provider import Generation, StartUpCheck
from shared.domain.errors import FailedPrecondition, UpstreamUnavailable
from tests.openai_server import DIMENSIONS, RETRY_AFTER_SECONDS, Behaviour, OpenAIServer, closed_port, vector_of

pytestmark = pytest.mark.anyio

PATH = "/v1/embeddings"
TEXTS = [f"text {number}" for number in range(7)]
POLICY = CallPolicy(batch_texts=3, attempts=3)


@pytest.fixture(autouse=True)
def retries_at_once() -> Iterator[None]:
    with stamina.set_testing(True, attempts=POLICY.attempts):
        yield


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


def made(
    base_url: str, policy: CallPolicy = POLICY, *, dimensions: int = DIMENSIONS, ask: bool = False
) -> OpenAIProvider:
    generation = Generation("test-model", dimensions)
    return OpenAIProvider(base_url=base_url, api_key="a-key", generation=generation, ask_dimensions=ask, policy=policy)


@pytest.fixture
async def provider(server: OpenAIServer) -> AsyncIterator[OpenAIProvider]:
    provider = made(server.base_url)
    yield provider
    await provider.close()


def units(texts: list[str]) -> npt.NDArray[np.float64]:
    rows = np.array([vector_of(text) for text in texts], dtype=np.float64)
    units: npt.NDArray[np.float64] = rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return units


async def test_batches_come_back_in_order_as_unit_rows(server: OpenAIServer, provider: OpenAIProvider) -> None:
    embedded = await provider.embed(TEXTS)
    np.testing.assert_allclose(embedded.vectors, units(TEXTS), atol=1e-6)
    assert embedded.vectors.dtype == np.float32
    assert embedded.unknown_token_shares.tolist() == [0.0] * len(TEXTS)
    assert [len(request.body["input"]) for request in server.received] == [3, 3, 1]
    assert server.received[0].headers["authorization"] == "Bearer a-key"
    assert server.received[0].body | {"input": 0} == {"input": 0, "model": "test-model", "encoding_format": "float"}


async def test_dimensions_are_asked_for_where_configured(server: OpenAIServer) -> None:
    provider = made(server.base_url, dimensions=5, ask=True)
    assert (await provider.embed(["a"])).vectors.shape == (1, 5)
    assert server.received[0].body["dimensions"] == 5
    await provider.close()


async def test_rows_in_another_order_are_put_right(server: OpenAIServer, provider: OpenAIProvider) -> None:
    server.next(PATH, Behaviour.SHUFFLED_INDEX)
    np.testing.assert_allclose((await provider.embed(TEXTS[:3])).vectors, units(TEXTS[:3]), atol=1e-6)


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour.RATE_LIMITED,
        Behaviour.SERVER_ERROR,
        Behaviour.BAD_GATEWAY_HTML,
        Behaviour.CUT_STREAM,
    ],
)
async def test_a_passing_failure_is_tried_again(
    server: OpenAIServer, provider: OpenAIProvider, behaviour: Behaviour
) -> None:
    server.next(PATH, behaviour, behaviour)
    np.testing.assert_allclose((await provider.embed(["a"])).vectors, units(["a"]), atol=1e-6)
    assert len(server.received) == 3


async def test_a_lasting_failure_ends_after_the_attempts(server: OpenAIServer, provider: OpenAIProvider) -> None:
    server.next(PATH, *[Behaviour.SERVER_ERROR] * 9)
    with pytest.raises(UpstreamUnavailable) as caught:
        await provider.embed(TEXTS)
    assert caught.value.reason == "EMBEDDER_UNAVAILABLE"
    assert caught.value.metadata == {"status": "500"}
    assert caught.value.retry_after_seconds
    assert len(server.received) == POLICY.attempts


async def test_a_long_wait_is_passed_on_at_once(server: OpenAIServer, provider: OpenAIProvider) -> None:
    server.next(PATH, Behaviour.RATE_LIMITED_LONG)
    with pytest.raises(UpstreamUnavailable) as caught:
        await provider.embed(["a"])
    assert caught.value.retry_after_seconds == RETRY_AFTER_SECONDS
    assert len(server.received) == 1


async def test_a_wrong_key_is_not_tried_again(server: OpenAIServer, provider: OpenAIProvider) -> None:
    server.next(PATH, Behaviour.UNAUTHORIZED)
    with pytest.raises(UpstreamUnavailable, match="401"):
        await provider.embed(["a"])
    assert len(server.received) == 1


async def test_a_refused_text_is_the_callers_matter_and_stays_out_of_the_error(
    server: OpenAIServer, provider: OpenAIProvider
) -> None:
    server.next(PATH, Behaviour.BAD_REQUEST)
    with pytest.raises(FailedPrecondition) as caught:
        await provider.embed(["the secret sentence"])
    assert caught.value.reason == "EMBEDDER_REFUSED"
    assert "secret" not in caught.value.message + str(caught.value.metadata)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (Behaviour.WRONG_DIMENSIONS, "EMBEDDER_MISMATCH"),
        (Behaviour.NOT_A_NUMBER, "EMBEDDER_UNAVAILABLE"),
        (Behaviour.HUGE_NUMBER, "EMBEDDER_UNAVAILABLE"),
        (Behaviour.TEXT_VECTOR, "EMBEDDER_UNAVAILABLE"),
        (Behaviour.ZERO_VECTOR, "EMBEDDER_UNAVAILABLE"),
        (Behaviour.FEWER_ROWS, "EMBEDDER_UNAVAILABLE"),
        (Behaviour.REPEATED_INDEX, "EMBEDDER_UNAVAILABLE"),
        (Behaviour.EMPTY_OBJECT, "EMBEDDER_UNAVAILABLE"),
        (Behaviour.NOT_JSON, "EMBEDDER_UNAVAILABLE"),
    ],
)
async def test_an_answer_that_is_not_one_is_an_error(
    server: OpenAIServer, provider: OpenAIProvider, behaviour: Behaviour, reason: str
) -> None:
    server.next(PATH, Behaviour.OK, behaviour)
    with pytest.raises(UpstreamUnavailable) as caught:
        await provider.embed(TEXTS)
    assert caught.value.reason == reason
    assert caught.value.retry_after_seconds


async def test_one_slow_answer_is_cut_and_tried_again(server: OpenAIServer) -> None:
    provider = made(server.base_url, CallPolicy(attempts=3, attempt_timeout_seconds=0.3))
    server.next(PATH, Behaviour.SLOW)
    np.testing.assert_allclose((await provider.embed(["a"])).vectors, units(["a"]), atol=1e-6)
    await provider.close()


async def test_the_whole_call_has_a_deadline(server: OpenAIServer) -> None:
    provider = made(server.base_url, CallPolicy(attempts=3, deadline_seconds=0.3))
    server.next(PATH, Behaviour.SLOW)
    with pytest.raises(UpstreamUnavailable, match="in time"):
        await provider.embed(["a"])
    await provider.close()


async def test_nobody_listens() -> None:
    with closed_port() as base_url:
        provider = made(base_url)
        with pytest.raises(UpstreamUnavailable, match="cannot be reached"):
            await provider.embed(["a"])
        await provider.close()


async def test_start_up_meets_a_wrong_dimension(server: OpenAIServer) -> None:
    provider = made(server.base_url, dimensions=DIMENSIONS + 1)
    with pytest.raises(UpstreamUnavailable) as caught:
        await StartUpCheck(provider).refuse_mismatch()
    assert caught.value.reason == "EMBEDDER_MISMATCH"
    await provider.close()

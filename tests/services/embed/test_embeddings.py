"""embed over real gRPC: vectors as bytes of the named generation, named errors, and a start refused on a mismatch."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from uuid import UUID

import numpy as np
import pytest
from candor.embed.v1 import embeddings_pb2 as pb
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceStub

from services.embed.main import mount
from shared.config import Environment, ProviderChoice, Settings
from shared.domain.errors import CandorError, InvalidArgument, UpstreamUnavailable
from shared.rpc import clients
from shared.rpc.probe import is_serving
from shared.rpc.server import StartRefused, start
from tests.openai_server import DIMENSIONS, Behaviour, OpenAIServer

pytestmark = pytest.mark.anyio

TENANT = str(UUID(int=1))
LOCAL = Settings.model_validate({"embed_provider": ProviderChoice.LOCAL})
KEYLESS = Settings.model_validate({"embed_provider": ProviderChoice.OPENAI, "openai_api_key": ""})


@pytest.fixture
def provider_server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


def online(server: OpenAIServer, dimensions: int = DIMENSIONS) -> Settings:
    return Settings.model_validate(
        {
            "embed_provider": ProviderChoice.OPENAI,
            "openai_base_url": server.base_url,
            "openai_api_key": "a-key",
            "embed_model": "test-model",
            "embed_dimensions": dimensions,
            "embed_timeout_seconds": 5.0,
        }
    )


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[str]:
    running = await start("embed", mount, settings)
    yield f"127.0.0.1:{running.port}"
    await running.stop()


@asynccontextmanager
async def embed(settings: Settings) -> AsyncIterator[EmbeddingsServiceStub]:
    async with serving(settings) as target, clients.channel(target) as channel:
        yield clients.embeddings(channel)


@pytest.fixture(scope="module")
async def local() -> AsyncIterator[EmbeddingsServiceStub]:
    async with embed(LOCAL) as stub:
        yield stub


def request(texts: list[str], purpose: pb.Purpose.ValueType = pb.PURPOSE_DOCUMENT) -> pb.EmbedTextsRequest:
    return pb.EmbedTextsRequest(tenant_id=TENANT, texts=texts, purpose=purpose)


async def failure(stub: EmbeddingsServiceStub, message: pb.EmbedTextsRequest) -> CandorError:
    with pytest.raises(CandorError) as caught, clients.rpc_errors():
        await stub.EmbedTexts(message)
    return caught.value


async def test_vectors_are_little_endian_rows_of_the_named_generation(local: EmbeddingsServiceStub) -> None:
    answer = await local.EmbedTexts(request(["unpaid invoice", "鱷魚餵養", "bill not yet paid"]))
    vectors = np.frombuffer(answer.vectors, dtype="<f4").reshape(3, answer.generation.dimensions)
    assert vectors[0] @ vectors[2] > 0.5 > vectors[0] @ vectors[1]
    assert answer.unknown_token_shares[0] == 0 < 0.3 < answer.unknown_token_shares[1]
    assert (await local.GetGeneration(pb.GetGenerationRequest())).generation == answer.generation


async def test_a_query_and_a_document_of_one_text_have_one_vector(local: EmbeddingsServiceStub) -> None:
    answers = [
        (await local.EmbedTexts(request(["the same"], purpose))).vectors
        for purpose in (pb.PURPOSE_QUERY, pb.PURPOSE_DOCUMENT, pb.PURPOSE_UNSPECIFIED)
    ]
    assert len(set(answers)) == 1


@pytest.mark.parametrize(
    ("message", "reason", "field"),
    [
        (request([]), "TEXTS_MISSING", "texts"),
        (request(["a"] * 2_049), "TEXTS_TOO_MANY", "texts"),
        (request(["a", ""]), "TEXT_EMPTY", "texts[1]"),
        (request(["a", "b" * 8_001]), "TEXT_TOO_LONG", "texts[1]"),
        (pb.EmbedTextsRequest(texts=["a"]), "TENANT_INVALID", "tenant_id"),
    ],
)
async def test_bad_input_is_named(
    local: EmbeddingsServiceStub, message: pb.EmbedTextsRequest, reason: str, field: str
) -> None:
    error = await failure(local, message)
    assert isinstance(error, InvalidArgument)
    assert (error.reason, error.metadata["field"]) == (reason, field)


async def test_the_longest_text_is_embedded(local: EmbeddingsServiceStub) -> None:
    assert len((await local.EmbedTexts(request(["b c d e " * 1_000]))).vectors) == 384 * 4


async def test_a_thousand_wrong_texts_are_still_an_error_of_ours(local: EmbeddingsServiceStub) -> None:
    error = await failure(local, request([""] * 1_000))
    assert error.reason == "TEXT_EMPTY"
    assert len(error.violations) <= 20


async def test_a_provider_that_is_down_is_503_and_comes_back(provider_server: OpenAIServer) -> None:
    async with embed(online(provider_server)) as stub:
        provider_server.next("/v1/embeddings", *[Behaviour.UNAUTHORIZED] * 3)  # the client asks three times
        error = await failure(stub, request(["a"]))
        assert isinstance(error, UpstreamUnavailable)
        assert error.reason == "EMBEDDER_UNAVAILABLE"
        assert error.retry_after_seconds
        assert len((await stub.EmbedTexts(request(["a"]))).vectors) == DIMENSIONS * 4


async def test_a_mismatch_refuses_to_start(provider_server: OpenAIServer) -> None:
    with pytest.raises(StartRefused, match=f"{DIMENSIONS + 1} dimensions"):
        await start("embed", mount, online(provider_server, DIMENSIONS + 1))


async def test_a_provider_that_is_down_at_the_start_is_waited_for(provider_server: OpenAIServer) -> None:
    provider_server.next("/v1/embeddings", *[Behaviour.UNAUTHORIZED] * 2)  # the start, and the first probe
    async with serving(online(provider_server)) as target, clients.channel(target) as channel:
        assert not await is_serving(channel)
        assert len((await clients.embeddings(channel).EmbedTexts(request(["a"]))).vectors) == DIMENSIONS * 4


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (LOCAL.model_copy(update={"env": Environment.PRODUCTION}), "CANDOR_ALLOW_LOCAL"),
        (KEYLESS, "OPENAI_API_KEY"),
    ],
)
async def test_a_start_that_is_not_allowed_says_why(settings: Settings, why: str) -> None:
    with pytest.raises(StartRefused, match=why):
        await start("embed", mount, settings)

"""What is known of the models, and whether they do what is asked of them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import numpy as np
import pytest
from candor.embed.v1 import embeddings_pb2 as embed
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceServicer
from candor.judge.v1 import narrate_pb2 as judge
from candor.judge.v1.narrate_pb2_grpc import NarrationServiceServicer
from candor.retrieve.v1 import providers_pb2 as pb
from candor.retrieve.v1.providers_pb2_grpc import ProvidersServiceStub

from services.judge.local_narrator import LocalNarrator
from services.judge.models import LOCAL_JUDGE, Models, Role
from services.judge.narration import Narration
from services.retrieve.model_probes import FACT, Providers
from shared.config import LOCAL_GENERATION
from shared.domain.errors import CandorError, UpstreamUnavailable
from shared.rpc import clients
from shared.rpc.context import Context
from shared.stemmer import stemmer
from tests.services.running import role

pytestmark = pytest.mark.anyio
START = datetime(2026, 4, 1, tzinfo=UTC)
ASKED = pb.ProbeProvidersRequest()


@dataclass
class Embedder(EmbeddingsServiceServicer):
    """Answers as it is told to."""

    model: str = LOCAL_GENERATION[0]
    vector: Callable[[], bytes] = lambda: np.ones(LOCAL_GENERATION[1], dtype="<f4").tobytes()
    failing: CandorError | None = None
    texts: list[str] = field(default_factory=list)

    async def GetGeneration(self, request: embed.GetGenerationRequest, context: Context) -> embed.GetGenerationResponse:
        return embed.GetGenerationResponse(generation=self._generation())

    async def EmbedTexts(self, request: embed.EmbedTextsRequest, context: Context) -> embed.EmbedTextsResponse:
        if self.failing:
            raise self.failing
        self.texts += request.texts
        return embed.EmbedTextsResponse(vectors=self.vector(), generation=self._generation())

    def _generation(self) -> embed.Generation:
        return embed.Generation(model=self.model, dimensions=LOCAL_GENERATION[1])


@dataclass
class Narrator(NarrationServiceServicer):
    """Gives one narration."""

    narration: judge.Narration
    failing: CandorError | None = None

    async def NarrateAnswer(self, request: judge.NarrateAnswerRequest, context: Context) -> judge.NarrateAnswerResponse:
        if self.failing:
            raise self.failing
        return judge.NarrateAnswerResponse(narration=self.narration)

    async def StreamNarration(
        self, request: judge.StreamNarrationRequest, context: Context
    ) -> AsyncIterator[judge.StreamNarrationResponse]:
        yield judge.StreamNarrationResponse(narration=self.narration)


@asynccontextmanager
async def providers(embedder: Embedder, *judging: object) -> AsyncIterator[ProvidersServiceStub]:
    now = iter(START + timedelta(seconds=i) for i in range(100))
    async with role("embed", embedder) as to_embed, role("judge", *judging) as to_judge:
        made = Providers(
            clients.embeddings(to_embed), clients.models(to_judge), clients.narrator(to_judge), lambda: next(now)
        )
        async with role("retrieve", made) as via:
            yield ProvidersServiceStub(via)


def local() -> tuple[object, ...]:
    return Narration(LocalNarrator(stemmer())), Models([LOCAL_JUDGE, Role("narration", "online-1", local=False)])


async def test_what_is_configured_is_named_and_no_model_is_asked() -> None:
    embedder = Embedder()
    async with providers(embedder, *local()) as stub:
        answer = await stub.GetProviders(pb.GetProvidersRequest())
    told = [(one.role, one.purpose, one.model, one.local, one.failure) for one in answer.providers]
    assert told == [
        ("embed", "embedding", LOCAL_GENERATION[0], True, ""),
        ("judge", "meaning", LOCAL_JUDGE.model, True, ""),
        ("judge", "narration", "online-1", False, ""),
    ]
    assert embedder.texts == []


async def test_a_role_that_cannot_be_asked_is_named() -> None:
    nowhere = clients.channel("127.0.0.1:1", caller="test")
    made = Providers(clients.embeddings(nowhere), clients.models(nowhere), clients.narrator(nowhere), lambda: START)
    async with nowhere, role("retrieve", made) as via:
        answer = await ProvidersServiceStub(via).GetProviders(pb.GetProvidersRequest())
        probed = await ProvidersServiceStub(via).ProbeProviders(ASKED)
    assert [one.role for one in answer.providers] == ["embed", "judge"]
    assert all(one.failure for one in answer.providers)
    assert probed.embedder.failure
    assert probed.narrator.failure


async def test_both_models_answer_the_probe_and_no_sentence_comes_twice() -> None:
    embedder = Embedder(model="other")
    async with providers(embedder, *local()) as stub:
        answer = await stub.ProbeProviders(ASKED)
        await stub.ProbeProviders(ASKED)
        assert not (await stub.GetProviders(pb.GetProvidersRequest())).providers[0].local
    assert answer.embedder == pb.ProbedModel(model="other", dimensions=LOCAL_GENERATION[1])
    assert (answer.narrator.grounding, answer.narrator.failure) == ("passed", "")
    assert answer.narrator.model
    assert len(set(embedder.texts)) == 2


REFUSED = judge.Narration(refusal=judge.Refusal(code="uncited"), model="m")
WRONG: list[tuple[dict[str, Any], judge.Narration, CandorError | None, tuple[str, str]]] = [
    (
        {"failing": UpstreamUnavailable("EMBEDDER_UNAVAILABLE", "is down")},
        judge.Narration(answer=f"{FACT} [1]", cited=[1]),
        None,
        ("EMBEDDER_UNAVAILABLE", ""),
    ),
    ({"vector": lambda: b"\0" * 4}, judge.Narration(answer="It is [1].", cited=[1]), None, ("EMBEDDING_INVALID", "")),
    (
        {"vector": lambda: np.full(LOCAL_GENERATION[1], np.nan, dtype="<f4").tobytes()},
        judge.Narration(answer="It is [1].", cited=[1]),
        None,
        ("EMBEDDING_INVALID", ""),
    ),
    ({}, judge.Narration(answer="In the blue cabinet."), None, ("", "CITATION_MISSING")),
    ({}, judge.Narration(answer="In the cabinet [1] [2].", cited=[1, 2]), None, ("", "CITATION_MISSING")),
    ({}, REFUSED, None, ("", "GROUNDING_UNCITED")),
    ({}, REFUSED, UpstreamUnavailable("MODEL_UNAVAILABLE", "is down"), ("", "MODEL_UNAVAILABLE")),
]


@pytest.mark.parametrize(("given", "narration", "failing", "failures"), WRONG)
async def test_a_model_that_fails_is_named(
    given: dict[str, Any], narration: judge.Narration, failing: CandorError | None, failures: tuple[str, str]
) -> None:
    async with providers(Embedder(**given), Narrator(narration, failing)) as stub:
        answer = await stub.ProbeProviders(ASKED)
    assert (answer.embedder.failure, answer.narrator.failure) == failures


async def test_a_probe_is_not_ended_by_an_unknown_call(anyio_backend: str) -> None:
    """A judge that does not serve narration is a failure of the narrator, not of the probe."""
    async with providers(Embedder(), Models([LOCAL_JUDGE])) as stub:
        try:
            answer = await stub.ProbeProviders(ASKED)
        except grpc.aio.AioRpcError as error:
            pytest.fail(f"the probe failed: {error.code()}")
    assert answer.narrator.failure
    assert not answer.embedder.failure

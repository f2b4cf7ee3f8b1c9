"""ProvidersService: the models that embed and judge have, and whether they do what recall and answers need of them.

Rules: a probe says what failed, it does not fail. The sentence that is embedded is never the same twice, so that no
cache answers for the model. Nothing of a tenant is read. It does not remember: the gateway does.
Source: REQUIREMENTS F4; archon-behaviour 1.5.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from candor.embed.v1 import embeddings_pb2 as embed
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceStub
from candor.judge.v1 import models_pb2 as models
from candor.judge.v1 import narrate_pb2 as judge
from candor.judge.v1.models_pb2_grpc import ModelsServiceStub
from candor.judge.v1.narrate_pb2_grpc import NarrationServiceStub
from candor.memory.v1.memory_pb2 import KIND_NOTE
from candor.retrieve.v1 import providers_pb2 as pb
from candor.retrieve.v1.providers_pb2_grpc import ProvidersServiceServicer

from shared.config import LOCAL_GENERATION
from shared.domain.errors import CandorError
from shared.domain.vectors import from_bytes
from shared.rpc import wire
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context

ASK_SECONDS = 2.0  # for a name that the role holds in memory; chosen, untested
EMBED_SECONDS = 20.0  # as the embedder's own limit by default
NARRATE_SECONDS = 25.0  # within the 30 s of the whole call; chosen, untested
NOBODY = str(UUID("00000000-0000-7000-8000-0000000000fe"))
"""On whose behalf: a tenant that there is not."""
FACT = "The spare key of the probe's office is kept in the blue cabinet."
QUESTION = "Where is the spare key of the probe's office kept?"


class Providers(ProvidersServiceServicer):
    """Asks embed and judge."""

    def __init__(
        self,
        embedder: EmbeddingsServiceStub,
        judge_models: ModelsServiceStub,
        narrator: NarrationServiceStub,
        now: Callable[[], datetime],
    ) -> None:
        self._embedder = embedder
        self._models = judge_models
        self._narrator = narrator
        self._now = now

    async def GetProviders(self, request: pb.GetProvidersRequest, context: Context) -> pb.GetProvidersResponse:
        """Name the models that are configured."""
        found = await asyncio.gather(self._embedding(), self._judging())
        return pb.GetProvidersResponse(providers=[one for part in found for one in part])

    async def ProbeProviders(self, request: pb.ProbeProvidersRequest, context: Context) -> pb.ProbeProvidersResponse:
        """Try both models at the same time."""
        embedder, narrator = await asyncio.gather(self._embed(), self._narrate())
        return pb.ProbeProvidersResponse(embedder=embedder, narrator=narrator)

    async def _embedding(self) -> list[pb.Provider]:
        try:
            with rpc_errors():
                answer = await self._embedder.GetGeneration(embed.GetGenerationRequest(), timeout=ASK_SECONDS)
        except CandorError as error:
            return [pb.Provider(role="embed", failure=error.reason)]
        own = answer.generation
        is_local = (own.model, own.dimensions) == LOCAL_GENERATION
        return [pb.Provider(role="embed", purpose="embedding", model=own.model, local=is_local)]

    async def _judging(self) -> list[pb.Provider]:
        try:
            with rpc_errors():
                answer = await self._models.GetModels(models.GetModelsRequest(), timeout=ASK_SECONDS)
        except CandorError as error:
            return [pb.Provider(role="judge", failure=error.reason)]
        return [pb.Provider(role="judge", purpose=m.role, model=m.model, local=m.local) for m in answer.models]

    async def _embed(self) -> pb.ProbedModel:
        text = f"{FACT} Asked at {self._now().isoformat()}."
        request = embed.EmbedTextsRequest(tenant_id=NOBODY, texts=[text], purpose=embed.PURPOSE_QUERY)
        try:
            with rpc_errors():
                answer = await self._embedder.EmbedTexts(request, timeout=EMBED_SECONDS)
            from_bytes(answer.vectors, answer.generation.dimensions)
        except CandorError as error:
            return pb.ProbedModel(failure=error.reason)
        return pb.ProbedModel(model=answer.generation.model, dimensions=answer.generation.dimensions)

    async def _narrate(self) -> pb.ProbedModel:
        evidence = judge.Evidence(
            memory_id=NOBODY, kind=KIND_NOTE, content=FACT, recorded_at=wire.to_timestamp(self._now()), score=1.0
        )
        task = judge.NarrationTask(question=QUESTION, evidence=[evidence])
        request = judge.NarrateAnswerRequest(tenant_id=NOBODY, task=task)
        try:
            with rpc_errors():
                told = (await self._narrator.NarrateAnswer(request, timeout=NARRATE_SECONDS)).narration
        except CandorError as error:
            return pb.ProbedModel(failure=error.reason)
        if told.HasField("refusal"):
            return pb.ProbedModel(model=told.model, failure=f"GROUNDING_{told.refusal.code.upper()}")
        if list(told.cited) != [1] or "[1]" not in told.answer:
            return pb.ProbedModel(model=told.model, failure="CITATION_MISSING")
        grounding = "repaired" if told.grounding == judge.GROUNDING_REPAIRED else "passed"
        return pb.ProbedModel(model=told.model, grounding=grounding)

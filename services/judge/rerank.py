"""candor.judge.v1.RerankService: checks the request, asks the model once for all scores, and gives all or none.

Rules: without a model there is no reranker, and it says so: a local guess at relevance would be worth less than the
fused order that the caller has. It does not know how candidates were found.
"""

from collections.abc import Sequence

from candor.judge.v1 import rerank_pb2 as pb
from candor.judge.v1.rerank_pb2_grpc import RerankServiceServicer

from services.judge import scores
from services.judge.provider import ChatModel, Limits, Purpose
from services.judge.questions import checked
from services.judge.usage_message import usage_message
from shared.domain.errors import FailedPrecondition, InvalidArgument, Violation
from shared.rpc import wire
from shared.rpc.context import Context

MAX_CANDIDATES = 20
MIN_TIMEOUT_MS, MAX_TIMEOUT_MS = 100, 15_000


class Rerank(RerankServiceServicer):
    """Scores with one model, or with none."""

    def __init__(self, model: ChatModel | None, *, timeout_seconds: float) -> None:
        self._model = model
        self._timeout_seconds = timeout_seconds

    async def RerankMemories(self, request: pb.RerankMemoriesRequest, context: Context) -> pb.RerankMemoriesResponse:
        """Score every candidate.

        Raises: InvalidArgument; FailedPrecondition RERANKER_NOT_CONFIGURED; as ChatModel.
        """
        wire.tenant(request)
        question = checked(request.question, "question")
        _check(request.candidates)
        timeout_seconds = self._timeout(request.timeout_ms)
        if request.max_total_tokens < 0:
            raise InvalidArgument.of("max_total_tokens", "TOKENS_OUT_OF_RANGE", "must not be negative")
        if self._model is None:
            raise FailedPrecondition("RERANKER_NOT_CONFIGURED", "There is no model to rerank with.")
        count = len(request.candidates)
        answer = await self._model.complete_json(
            Purpose.RERANK,
            scores.prompt(question, [candidate.text for candidate in request.candidates]),
            scores.schema(count),
            scores.reader(count),
            Limits(deadline_seconds=timeout_seconds, max_total_tokens=request.max_total_tokens or None),
        )
        scored = zip(request.candidates, answer.value, strict=True)
        return pb.RerankMemoriesResponse(
            scores=[pb.Score(memory_id=candidate.memory_id, score=score) for candidate, score in scored],
            model=self._model.name,
            prompt_version=scores.PROMPT_VERSION,
            usage=usage_message(answer.usage),
        )

    def _timeout(self, timeout_ms: int) -> float:
        if timeout_ms == 0:
            return self._timeout_seconds
        if not MIN_TIMEOUT_MS <= timeout_ms <= MAX_TIMEOUT_MS:
            told = f"must be from {MIN_TIMEOUT_MS} to {MAX_TIMEOUT_MS}, or absent"
            raise InvalidArgument.of("timeout_ms", "TIMEOUT_OUT_OF_RANGE", told)
        return timeout_ms / 1000


def _check(candidates: Sequence[pb.Candidate]) -> None:
    """Refuse what is not 1 to MAX_CANDIDATES candidates with ids of their own.

    Raises: InvalidArgument.
    """
    if not candidates:
        raise InvalidArgument.of("candidates", "CANDIDATES_MISSING", "must have at least one")
    if len(candidates) > MAX_CANDIDATES:
        told = f"must have at most {MAX_CANDIDATES}, has {len(candidates)}"
        raise InvalidArgument.of("candidates", "CANDIDATES_TOO_MANY", told)
    seen: set[str] = set()
    wrong: list[Violation] = []
    for index, candidate in enumerate(candidates):
        if not candidate.memory_id or candidate.memory_id in seen:
            why = "occurs twice" if candidate.memory_id else "must not be empty"
            wrong.append(Violation(f"candidates[{index}].memory_id", "CANDIDATE_ID_INVALID", why))
        seen.add(candidate.memory_id)
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))

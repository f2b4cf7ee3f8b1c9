"""An answer as the contract writes it, whole or in the parts of a stream. It does not know how it came about."""

from collections.abc import Sequence
from uuid import UUID

from candor.retrieve.v1 import answer_pb2 as pb

from services.retrieve.evidence import Exhibit
from services.retrieve.narrating import Told
from services.retrieve.ranking import Ranked
from services.retrieve.recall import hit_message, retrieval_message
from services.retrieve.reranking import Reranking
from services.retrieve.spent import Spent
from shared.rpc import wire


def found_message(ranked: Ranked, reranking: Reranking, tenant_id: UUID) -> pb.Found:
    """Write what an answer is made from."""
    conflicts = [wire.contradiction(contradiction, tenant_id) for contradiction in ranked.contradictions]
    told = retrieval_message(ranked, reranking)
    return pb.Found(
        hits=[hit_message(hit, tenant_id, reranking) for hit in ranked.hits],
        conflicts=conflicts,
        consistency=pb.Consistency(ok=not conflicts, contradictions=conflicts),
        retrieval=pb.AnswerRetrieval(
            strategy=told.mode,
            candidate_count=told.candidates,
            returned_count=len(ranked.hits),
            reranker=told.reranker,
            degraded=told.degraded,
            exact=told.exact,
            embedding_model=told.embedding_model,
            known_at=told.known_at,
        ),
    )


def answer_message(told: Told, evidence: Sequence[Exhibit], spent: Spent, milliseconds: int) -> pb.Answer:
    """Write what the caller is told; `spent` is on everything, reranking included."""
    return pb.Answer(
        answer=told.answer,
        citations=[_citation(marker, evidence[marker - 1]) for marker in told.cited],
        model_id=told.model,
        grounding=_grounding(told),
        degraded=told.reason or None,
        degradation_code=told.code or None,
        degradation_attempts=told.attempts if told.code and told.attempts else None,
        usage=pb.AnswerUsage(
            calls=spent.calls,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            milliseconds=milliseconds,
        ),
    )


def whole_message(found: pb.Found, answer: pb.Answer) -> pb.AnswerQuestionResponse:
    """Write both together."""
    return pb.AnswerQuestionResponse(
        answer=answer.answer,
        hits=found.hits,
        citations=answer.citations,
        model_id=answer.model_id,
        conflicts=found.conflicts,
        consistency=found.consistency,
        retrieval=found.retrieval,
        grounding=answer.grounding if answer.HasField("grounding") else None,
        degraded=answer.degraded if answer.HasField("degraded") else None,
        degradation_code=answer.degradation_code if answer.HasField("degradation_code") else None,
        degradation_attempts=answer.degradation_attempts if answer.HasField("degradation_attempts") else None,
        usage=answer.usage,
    )


def _citation(marker: int, exhibit: Exhibit) -> pb.Citation:
    memory = exhibit.memory
    return pb.Citation(
        marker=f"[{marker}]",
        memory_id=str(memory.memory_id),
        kind=wire.to_kind(memory.kind),
        score=exhibit.score,
        source_ref=memory.source_ref,
        content=exhibit.text,
    )


def _grounding(told: Told) -> pb.Grounding | None:
    if told.code or not told.attempts:
        return None
    status = pb.GROUNDING_STATUS_REPAIRED if told.is_repaired else pb.GROUNDING_STATUS_PASSED
    return pb.Grounding(status=status, attempts=told.attempts)

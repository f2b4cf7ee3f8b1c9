"""A pair on its way through an audit of meaning: from retrieve to judge, and what comes of it.

Rules: both sides go through the same ladder as any other contradiction, each memory a side whose value is its content.
A pair without a verdict becomes an error that names both memories. It does not know how verdicts are made.
Source: REQUIREMENTS C4, C5, C8.
"""

import json
from dataclasses import dataclass
from uuid import UUID

from candor.audit.v1 import meaning_pb2 as pb
from candor.ingest.v1.verdicts_pb2 import JudgedPair, JudgedStatement
from candor.judge.v1.contradictions_pb2 import Statement, StatementPair
from candor.memory.v1 import memory_pb2, semantic_pb2, verdict_pb2
from candor.retrieve.v1.pairs_pb2 import MemoryPair, PairedMemory

from shared.domain.findings import pair_finding_id
from shared.domain.ladder import Carrier, Side, resolve
from shared.rpc import wire

CONTRADICTION, SUPERSESSION = "semantic-contradiction", "semantic-supersession"
SIMILARITY_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair with the word on it. `is_cached`: it was said in an earlier audit."""

    pair: MemoryPair
    verdict: verdict_pb2.PairVerdict
    is_cached: bool

    @property
    def is_conclusive(self) -> bool:
        """Tell whether there is a verdict. What this code does not know is none."""
        return self.verdict.verdict in (
            verdict_pb2.VERDICT_CONTRADICTION,
            verdict_pb2.VERDICT_SUPERSEDED,
            verdict_pb2.VERDICT_CONSISTENT,
        )


def to_judge(pair: MemoryPair) -> StatementPair:
    """Return what a judge is given of a pair."""
    return StatementPair(first=_statement(pair.first), second=_statement(pair.second))


def to_record(judged: Judged) -> JudgedPair:
    """Return what is kept of a verdict."""
    return JudgedPair(
        first=JudgedStatement(memory_id=judged.pair.first.memory_id, statement_hash=judged.pair.first.statement_hash),
        second=JudgedStatement(
            memory_id=judged.pair.second.memory_id, statement_hash=judged.pair.second.statement_hash
        ),
        verdict=judged.verdict,
    )


def without_verdict(judged: Judged) -> pb.UnjudgedPair:
    """Return the error of a pair that has no verdict."""
    cause = judged.verdict.cause or "VERDICT_UNKNOWN"
    ids = [judged.pair.first.memory_id, judged.pair.second.memory_id]
    return pb.UnjudgedPair(memory_ids=ids, reason=f"{cause}: {judged.verdict.reason}")


def finding(judged: Judged, tenant_id: UUID, model: str) -> semantic_pb2.SemanticContradiction:
    """Return the finding of a pair whose statements oppose each other."""
    sides = sorted(((_carrier(side), side) for side in (judged.pair.first, judged.pair.second)), key=_oldest_first)
    advice = resolve([Side(carrier.raw, (carrier,)) for carrier, _ in sides])
    superseded = judged.verdict.verdict == verdict_pb2.VERDICT_SUPERSEDED
    return semantic_pb2.SemanticContradiction(
        finding_id=pair_finding_id(tenant_id, sides[0][0].memory_id, sides[1][0].memory_id),
        type=SUPERSESSION if superseded else CONTRADICTION,
        similarity=round(judged.pair.similarity, SIMILARITY_DECIMALS),
        memories=[_memory(side) for _, side in sides],
        judge=semantic_pb2.JudgeWord(
            confidence=judged.verdict.confidence,
            reason=judged.verdict.reason,
            model=model,
            cached=judged.is_cached,
        ),
        resolution=wire.resolution(advice),
    )


def finding_id(judged: Judged, tenant_id: UUID) -> str:
    """Return the id that a finding about a pair has, whatever was said of it."""
    return pair_finding_id(tenant_id, UUID(judged.pair.first.memory_id), UUID(judged.pair.second.memory_id))


def order_of(found: semantic_pb2.SemanticContradiction) -> tuple[str, ...]:
    """Return what findings are listed by: the two ids."""
    return tuple(sorted(memory.memory_id for memory in found.memories))


def _oldest_first(side: tuple[Carrier, PairedMemory]) -> tuple[object, ...]:
    carrier = side[0]
    return carrier.effective_at, carrier.recorded_at, carrier.memory_id


def _carrier(side: PairedMemory) -> Carrier:
    """Read what the ladder weighs. Raises: ValueError for a memory that retrieve cannot have sent."""
    kind, recorded_at = wire.kind_of(side.kind), wire.instant(side, "recorded_at")
    if kind is None or recorded_at is None:
        raise ValueError("a paired memory has a kind and a recorded time")
    return Carrier(
        memory_id=UUID(side.memory_id),
        kind=kind,
        memory_type=wire.memory_type_of(side.memory_type),
        derived=side.derived,
        importance=side.importance if side.HasField("importance") else None,
        observed_at=wire.instant(side, "observed_at"),
        recorded_at=recorded_at,
        source_ref=side.source_ref if side.HasField("source_ref") else None,
        raw=json.dumps(side.content, ensure_ascii=False),
    )


def _statement(side: PairedMemory) -> Statement:
    company = side.company if side.HasField("company") else None
    return Statement(
        text=side.content,
        subject=company or (side.speaker if side.HasField("speaker") else None),
        period=side.period if side.HasField("period") else None,
        observed_at=side.observed_at if side.HasField("observed_at") else None,
        kind=memory_pb2.Kind.Name(side.kind).removeprefix("KIND_").lower(),
    )


def _memory(side: PairedMemory) -> semantic_pb2.AuditedMemory:
    def given(name: str) -> str | None:
        return str(getattr(side, name)) if side.HasField(name) else None  # type: ignore[arg-type]  # a field's name

    return semantic_pb2.AuditedMemory(
        memory_id=side.memory_id,
        kind=side.kind,
        company=given("company"),
        period=given("period"),
        source_ref=given("source_ref"),
        session=given("session"),
        content=side.content,
        observed_at=side.observed_at if side.HasField("observed_at") else None,
        recorded_at=side.recorded_at,
    )

"""What a report about meaning states, for its signature: its findings, the pairs without a verdict, and its summary.

Rules: one JSON object each; both texts stand in a finding's statement as their writers wrote them. How statements are
signed, and taken out when a memory is erased, is in signing.py.
Source: REQUIREMENTS C8.
"""

from collections.abc import Iterator
from typing import Any

from candor.audit.v1.meaning_pb2 import AuditMeaningResponse
from candor.memory.v1.semantic_pb2 import AuditedMemory, SemanticContradiction

from shared.domain.findings import FindingKind
from shared.rpc import wire


def meaning_statements(report: AuditMeaningResponse, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield what a report states, the summary last."""
    for found in (*report.semantic_contradictions, *report.superseded):
        yield _finding(found)
    for error in report.errors:
        yield {"kind": "unjudged", "memoryIds": list(error.memory_ids), "reason": error.reason}
    yield {
        "kind": "summary",
        "tenantId": tenant_id,
        "totalMemories": report.total_memories,
        "audited": report.audited,
        "candidatePairs": report.candidate_pairs,
        "restatements": report.restatements,
        "compared": report.compared,
        "judged": report.judged,
        "failed": report.failed,
        "semanticContradictions": len(report.semantic_contradictions),
        "superseded": len(report.superseded),
        "status": report.status,
        "ok": report.ok,
        "truncated": report.truncated,
        "similarityThreshold": report.similarity_threshold,
        "embeddingModel": report.embedding_model,
        "judgeModel": report.judge.model,
        "promptVersion": report.judge.prompt_version,
        "policyVersion": report.policy_version,
    }


def _finding(found: SemanticContradiction) -> dict[str, Any]:
    return {
        "kind": FindingKind.SEMANTIC.value,
        "type": found.type,
        "findingId": found.finding_id,
        "similarity": found.similarity,
        "memories": [_memory(memory) for memory in found.memories],
        "judge": {"model": found.judge.model, "confidence": found.judge.confidence, "reason": found.judge.reason},
        "recommendedMemoryId": found.resolution.recommended_memory_id,
        "rule": found.resolution.rule,
        "confidence": found.resolution.confidence,
    }


def _memory(memory: AuditedMemory) -> dict[str, Any]:
    recorded_at = wire.instant(memory, "recorded_at")
    return {
        "memoryId": memory.memory_id,
        "content": memory.content,
        "recordedAt": recorded_at.isoformat() if recorded_at else None,
    }

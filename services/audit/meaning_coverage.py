"""What an audit of meaning came to: how much was looked at, how many pairs have a verdict, and what is told of each.

Rules: nothing is passed off as looked at. The status is complete only when every eligible pair has a verdict and no
memory was left out; an audit is ok only when it is complete and found no contradiction. It does not know where pairs
come from or who judges.
Source: REQUIREMENTS C5; field names of the reference product's semantic audit.
"""

from dataclasses import dataclass, field
from uuid import UUID

from candor.audit.v1 import meaning_pb2 as pb
from candor.memory.v1 import verdict_pb2
from candor.retrieve.v1.pairs_pb2 import PairTotals

from services.audit.meaning_pairs import Judged, finding, without_verdict
from shared.domain.ladder import POLICY_VERSION


@dataclass(slots=True)
class Tally:
    """What came of the pairs so far."""

    tenant_id: UUID
    judge: pb.JudgeDescription
    answer: pb.AuditMeaningResponse = field(default_factory=pb.AuditMeaningResponse)

    def count(self, judged: Judged) -> None:
        """Count a pair."""
        answer = self.answer
        answer.compared += 1
        answer.cached += judged.is_cached
        answer.asked += not judged.is_cached
        answer.judged += judged.is_conclusive
        answer.failed += not judged.is_conclusive

    def progress(self, totals: PairTotals) -> pb.MeaningProgress:
        """Return how far it is."""
        return pb.MeaningProgress(
            compared=self.answer.compared,
            candidate_pairs=totals.eligible,
            total_memories=totals.memories,
            audited=totals.audited,
        )

    def line(self, judged: Judged) -> pb.StreamMeaningAuditResponse | None:
        """Return what is told of a pair; None where both statements may hold."""
        if not judged.is_conclusive:
            return pb.StreamMeaningAuditResponse(error=without_verdict(judged))
        if judged.verdict.verdict == verdict_pb2.VERDICT_CONTRADICTION:
            found = finding(judged, self.tenant_id, self.judge.model)
            return pb.StreamMeaningAuditResponse(contradiction=found)
        if judged.verdict.verdict == verdict_pb2.VERDICT_SUPERSEDED:
            return pb.StreamMeaningAuditResponse(superseded=finding(judged, self.tenant_id, self.judge.model))
        return None

    def summary(self, totals: PairTotals, *, left_out: bool, contradictions: int) -> pb.AuditMeaningResponse:
        """Return the answer, apart from findings."""
        answer = self.answer
        answer.total_memories, answer.audited = totals.memories, totals.audited
        answer.candidate_pairs, answer.restatements = totals.eligible, totals.restatements
        answer.truncated = left_out or totals.audited < totals.memories or not totals.complete
        if answer.compared and not answer.judged:
            answer.status = "inconclusive"
        else:
            answer.status = "partial" if answer.failed or answer.truncated else "complete"
        answer.ok = answer.status == "complete" and not contradictions
        answer.judge.CopyFrom(self.judge)
        answer.similarity_threshold, answer.embedding_model = totals.similarity_threshold, totals.embedding_model
        answer.policy_version = POLICY_VERSION
        return answer

"""What consolidation asks judge: one wording for repeats that are worded differently.

Rules: only what is worded differently is asked about. A wording is checked once more before it is used; where there is
none that can be used, the digest stands as its sources' own words say it, and the failure is counted. After some
failures on end nothing more is asked in that pass: each may take as long as a call may. It does not know the database.
Source: REQUIREMENTS C6, D4.
"""

from collections.abc import Sequence
from uuid import UUID

import structlog
from candor.judge.v1 import summaries_pb2
from candor.judge.v1.summaries_pb2_grpc import SummariesServiceStub

from shared.domain import digest
from shared.domain.errors import CandorError
from shared.domain.rewording import faults
from shared.domain.types import Draft
from shared.rpc.clients import rpc_errors

MODEL_SECONDS = 90.0  # of one call, above judge's own limit for all attempts at one answer (chosen, untested)
FAILURES_MAX = 3  # on end, in one pass; chosen, untested
_log = structlog.stdlib.get_logger("candor.ingest.consolidation")


class Wording:
    """Words the digests of one pass; counts what was worded and what could not be."""

    def __init__(self, summaries: SummariesServiceStub | None) -> None:
        self._summaries = summaries
        self._failed_on_end = 0
        self.worded = 0
        self.failed = 0

    async def of(self, tenant_id: UUID, draft: Draft, wordings: Sequence[str]) -> Draft:
        """Return a digest in one wording; as it is where there is nothing to word, or no wording to be had."""
        if self._summaries is None or len(wordings) < 2 or self._failed_on_end >= FAILURES_MAX:
            return draft
        request = summaries_pb2.SummarizeClusterRequest(tenant_id=str(tenant_id), statements=wordings)
        try:
            with rpc_errors():
                answer = await self._summaries.SummarizeCluster(request, timeout=MODEL_SECONDS)
        except CandorError as error:
            return self._without(draft, error.reason)
        if next(faults(wordings, answer.text), None):
            return self._without(draft, "JUDGE_ANSWER_INVALID")
        self._failed_on_end = 0
        self.worded += 1
        return digest.reworded(draft, answer.text)

    def _without(self, draft: Draft, reason: str) -> Draft:
        self.failed += 1
        self._failed_on_end += 1
        _log.warning("a digest keeps the words of its sources", reason=reason)
        return draft

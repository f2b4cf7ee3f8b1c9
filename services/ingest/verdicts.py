"""VerdictsService: keeps what a judge of meaning has said, so that no pair is paid for twice.

Rules: an inconclusive verdict is no verdict and is refused. Keeping the same again has no effect. It does not judge,
and does not know what the hashes are made of.
Source: REQUIREMENTS C5.
"""

import math
from collections.abc import Callable
from datetime import datetime
from functools import partial

from candor.ingest.v1 import verdicts_pb2 as pb
from candor.ingest.v1.verdicts_pb2_grpc import VerdictsServiceServicer
from candor.memory.v1 import verdict_pb2

from services.ingest.asking import checked
from shared.domain.errors import InvalidArgument
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Pool, run
from shared.store.writes import verdicts
from shared.store.writes.verdicts import NewVerdict

VERDICTS_MAX = 100
MODEL_MAX_CHARS = 256
PROMPT_VERSION_MAX_CHARS = 64
REASON_MAX_CHARS = 500
HASH_BYTES = 32

_WORDS = {
    verdict_pb2.VERDICT_CONTRADICTION: "contradiction",
    verdict_pb2.VERDICT_SUPERSEDED: "superseded",
    verdict_pb2.VERDICT_CONSISTENT: "consistent",
}


class Verdicts(VerdictsServiceServicer):
    """Serves VerdictsService."""

    def __init__(self, pool: Pool, *, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._now = now

    async def RecordVerdicts(self, request: pb.RecordVerdictsRequest, context: Context) -> pb.RecordVerdictsResponse:
        """Keep verdicts."""
        tenant_id = wire.tenant(request)
        model = _named("model", request.model, MODEL_MAX_CHARS)
        version = _named("prompt_version", request.prompt_version, PROMPT_VERSION_MAX_CHARS)
        if not request.verdicts:
            raise InvalidArgument.of("verdicts", "VERDICTS_MISSING", "must hold at least one")
        if len(request.verdicts) > VERDICTS_MAX:
            told = f"must hold at most {VERDICTS_MAX}, has {len(request.verdicts)}"
            raise InvalidArgument.of("verdicts", "VERDICTS_TOO_MANY", told)
        new = [_new(f"verdicts[{place}]", judged) for place, judged in enumerate(request.verdicts)]
        keep = partial(
            verdicts.insert,
            tenant_id=tenant_id,
            model=model,
            prompt_version=version,
            recorded_at=self._now(),
            verdicts=new,
        )
        return pb.RecordVerdictsResponse(recorded=await run(self._pool, tenant_id, keep))


def _named(field: str, value: str, max_chars: int) -> str:
    if not checked(field, value, max_chars, "MODEL_INVALID"):
        raise InvalidArgument.of(field, "MODEL_INVALID", "must not be empty")
    return value


def _new(field: str, judged: pb.JudgedPair) -> NewVerdict:
    """Read one verdict. Raises: InvalidArgument VERDICT_INVALID, MEMORY_ID_INVALID, FORBIDDEN_CHARACTER."""
    first, second = sorted((judged.first, judged.second), key=lambda side: side.statement_hash)
    given = judged.verdict
    reason = checked(f"{field}.verdict.reason", given.reason, REASON_MAX_CHARS, "VERDICT_INVALID")
    if given.verdict not in _WORDS:
        raise InvalidArgument.of(f"{field}.verdict", "VERDICT_INVALID", "must be a verdict, and not inconclusive")
    if not (math.isfinite(given.confidence) and 0 <= given.confidence <= 1):
        raise InvalidArgument.of(f"{field}.verdict.confidence", "VERDICT_INVALID", "must be between 0 and 1")
    if any(len(side.statement_hash) != HASH_BYTES for side in (first, second)):
        raise InvalidArgument.of(f"{field}.statement_hash", "VERDICT_INVALID", f"must have {HASH_BYTES} bytes")
    return NewVerdict(
        first_hash=first.statement_hash,
        second_hash=second.statement_hash,
        first_memory_id=wire.identifier(first.memory_id, f"{field}.memory_id", "MEMORY_ID_INVALID"),
        second_memory_id=wire.identifier(second.memory_id, f"{field}.memory_id", "MEMORY_ID_INVALID"),
        verdict=_WORDS[given.verdict],
        confidence=given.confidence,
        reason=reason,
    )

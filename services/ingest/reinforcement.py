"""ReinforcementService: use strengthens a memory.

Rules: it counts what was cited or confirmed, once for a request and a memory. It does not know who decides that.
Source: REQUIREMENTS B9.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from candor.ingest.v1 import reinforcement_pb2 as pb
from candor.ingest.v1.reinforcement_pb2_grpc import ReinforcementServiceServicer

from services.ingest.asking import REQUEST_ID_MAX_CHARS, checked
from services.ingest.upkeep import Upkeep
from shared.domain.errors import InvalidArgument
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Pool, run
from shared.store.writes import uses

MEMORIES_MAX = 100  # the hits of a recall


class ReinforcementServicer(ReinforcementServiceServicer):
    """Serves ReinforcementService."""

    def __init__(self, pool: Pool, upkeep: Upkeep, *, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._upkeep = upkeep
        self._now = now

    async def ReinforceMemories(
        self, request: pb.ReinforceMemoriesRequest, context: Context
    ) -> pb.ReinforceMemoriesResponse:
        """Count the use of memories."""
        tenant_id = wire.tenant(request)
        request_id = checked("request_id", request.request_id, REQUEST_ID_MAX_CHARS, "REQUEST_ID_TOO_LONG")
        if not request_id:
            raise InvalidArgument.of("request_id", "REQUEST_ID_MISSING", "must name the recall or answer they served")
        given = len(request.memory_ids)
        if given == 0:
            raise InvalidArgument.of("memory_ids", "MEMORY_IDS_EMPTY", "must hold at least one id")
        if given > MEMORIES_MAX:
            raise InvalidArgument.of("memory_ids", "TOO_MANY_IDS", f"has {given} entries; at most {MEMORIES_MAX}")
        memory_ids = {
            wire.identifier(text, f"memory_ids[{i}]", "MEMORY_ID_INVALID") for i, text in enumerate(request.memory_ids)
        }
        now = self._now()
        used_at = min(wire.instant(request, "used_at") or now, now)
        count = partial(
            uses.count, tenant_id=tenant_id, request_id=request_id, memory_ids=sorted(memory_ids), used_at=used_at
        )
        counted, active = await run(self._pool, tenant_id, count)
        self._upkeep.note(tenant_id)
        return pb.ReinforceMemoriesResponse(reinforced=counted, unknown=len(memory_ids) - active)

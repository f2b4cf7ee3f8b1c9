"""What people decide, asked for over gRPC; and what a tenant's memory looks like in the database, to compare with."""

from collections.abc import Sequence
from json import dumps, loads
from typing import Any
from uuid import UUID

from candor.ingest.v1 import decisions_pb2 as pb
from candor.ingest.v1 import lifecycle_pb2
from candor.memory.v1 import decision_pb2

from shared.rpc import clients
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import Workplace

ACCEPT, OVERRIDE, DEFER = (
    decision_pb2.DECISION_ACTION_ACCEPT,
    decision_pb2.DECISION_ACTION_OVERRIDE,
    decision_pb2.DECISION_ACTION_DEFER,
)


async def invoice(ingest: Workplace, tenant: UUID, total: object, **given: Any) -> str:
    """Write what one session remembers of an invoice; `total` None says nothing of it."""
    metadata = {"total": total, "vendor": "Acme"} | given.pop("metadata", {})
    fields = {"kind": "invoice", "company": "Northwind", "record": "INV-1", "tags": ["t"], "references": ["PO-1"]}
    made = await ingest.create(
        tenant, given.pop("content", f"INV-1 over {total}"), metadata=dumps(metadata), **{**fields, **given}
    )
    ingest.clock.tick()
    return made.memory.memory_id


async def resolve(
    ingest: Workplace, tenant: UUID, selected: str, targets: Sequence[str] = (), **given: Any
) -> pb.ResolveConflictResponse:
    fields = {"subject": "INV-1", "attribute": "total", "reason": "seen the paper", "actor": "judge"} | given
    ingest.clock.tick()
    with rpc_errors():
        return await clients.decisions(ingest.via).ResolveConflict(
            pb.ResolveConflictRequest(
                tenant_id=str(tenant), selected_memory_id=selected, target_memory_ids=targets, **fields
            )
        )


async def undo(ingest: Workplace, tenant: UUID, decision_id: str, **given: Any) -> pb.UndoDecisionResponse:
    ingest.clock.tick()
    request = pb.UndoDecisionRequest(
        tenant_id=str(tenant), actor="boss", decision_id=decision_id, reason="mistaken", **given
    )
    with rpc_errors():
        return await clients.decisions(ingest.via).UndoDecision(request)


async def feedback(
    ingest: Workplace, tenant: UUID, memory_id: str, outcome: str, **given: Any
) -> pb.GiveFeedbackResponse:
    ingest.clock.tick()
    request = pb.GiveFeedbackRequest(
        tenant_id=str(tenant),
        actor="judge",
        memory_id=memory_id,
        outcome=f"FEEDBACK_OUTCOME_{outcome.upper()}",  # type: ignore[arg-type]
        **given,
    )
    with rpc_errors():
        return await clients.decisions(ingest.via).GiveFeedback(request)


async def invalidate(ingest: Workplace, tenant: UUID, memory_id: str, **given: Any) -> None:
    ingest.clock.tick()
    request = lifecycle_pb2.InvalidateMemoryRequest(
        tenant_id=str(tenant), actor="judge", memory_id=memory_id, reason="wrong", **given
    )
    with rpc_errors():
        await clients.lifecycle(ingest.via).InvalidateMemory(request)


async def restore(ingest: Workplace, tenant: UUID, memory_id: str, **given: Any) -> None:
    ingest.clock.tick()
    request = lifecycle_pb2.RestoreMemoryRequest(
        tenant_id=str(tenant), actor="judge", memory_id=memory_id, reason="right", **given
    )
    with rpc_errors():
        await clients.lifecycle(ingest.via).RestoreMemory(request)


async def dump(ingest: Workplace, tenant: UUID) -> dict[str, list[dict[str, Any]]]:
    """Return every row of what is believed, but for when it was committed: memories, vectors, terms, assertions…

    What comes back begins to fade anew, so its dates are left out.
    """
    tables = await ingest.look.fetch(
        """SELECT c.relname AS name FROM pg_class AS c
        WHERE c.relnamespace = 'candor'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND (c.relname LIKE 'memory%' OR c.relname IN ('assertion', 'reference', 'pending_vector'))
          AND c.relname NOT LIKE '%history' AND c.relname NOT LIKE '%event' AND c.relname <> 'memory_use'"""
    )
    found = {}
    for table in tables:
        rows = await ingest.look.fetch(
            f"SELECT row_to_json(t)::text AS row FROM {table['name']} AS t WHERE tenant_id = $1 ORDER BY 1", tenant
        )
        found[table["name"]] = [
            {name: value for name, value in loads(row["row"]).items() if name != "commit_xid"} for row in rows
        ]
    assert found["memory"]
    return found


async def totals(ingest: Workplace, tenant: UUID, attribute: str = "total") -> list[tuple[Any, ...]]:
    """Return (raw value, why it ended, what a decision makes it weigh) of an attribute, oldest first."""
    return await ingest.rows(
        """SELECT raw, ended_reason, decided_importance FROM assertion
        WHERE tenant_id = $1 AND attribute = $2 ORDER BY recorded_at, memory_id, revision""",
        tenant,
        attribute,
    )

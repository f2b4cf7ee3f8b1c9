"""ErasureService: memories that are gone for good, and the receipt.

Rules: all or nothing, in one transaction. What is derived goes too; what was only spoken for comes back. A receipt
tells counts. Source: REQUIREMENTS D6.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from candor.ingest.v1 import erasure_pb2 as pb
from candor.ingest.v1.erasure_pb2_grpc import ErasureServiceServicer

from services.ingest.asking import Ask, Means, ask_of
from shared.domain import erasure as rules
from shared.domain.errors import FailedPrecondition, InvalidArgument, NotFound
from shared.domain.revision import Revision
from shared.domain.text import company_key
from shared.domain.types import Draft, MemoryState
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.writes import endings, erasure, events, ledger, requests
from shared.store.writes.events import Event

ACTION = "erase"
IDS_MAX = 1_000  # of one call; the contract's
MEMORIES_MAX = 50_000  # of one transaction, what is derived included; chosen, untested
SOURCES_TOLD = 100  # the contract's


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a request means; nothing of it: everything."""

    memory_ids: tuple[UUID, ...] = ()
    company: str = ""


@dataclass(frozen=True, slots=True)
class Extent:
    """How far an erasure goes."""

    chosen: frozenset[UUID]
    erased: frozenset[UUID]
    revived: frozenset[UUID]


class ErasureServicer(ErasureServiceServicer):
    """Serves ErasureService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def EraseMemories(self, request: pb.EraseMemoriesRequest, context: Context) -> pb.EraseMemoriesResponse:
        """Erase, or tell what would be erased."""
        means, ask, wanted = self._means, ask_of(request, self._means.request_key), _wanted(request)
        now = means.now()
        if request.preview:
            return await run(means.pool, ask.tenant_id, lambda c: _previewed(c, ask.tenant_id, wanted), read_only=True)
        if wanted is None:
            done = await means.once(ask, now, lambda connection: self._everything(connection, ask, now))
            return pb.EraseMemoriesResponse.FromString(done.answer)
        derive = await means.revisions.of(ask.tenant_id)
        gone: list[Draft] = []
        back: list[Revision] = []

        async def work(connection: Connection) -> bytes:
            gone.clear()
            back.clear()
            operation = ask.operation(means.new_id(), ACTION, now)
            extent = await _extent(connection, ask.tenant_id, wanted)
            locked = await endings.lock(connection, ask.tenant_id, sorted(extent.erased | extent.revived))
            gone.extend(
                one.draft for i, one in locked.items() if i in extent.erased and one.state is MemoryState.ACTIVE
            )
            remaining = await erasure.sources(connection, ask.tenant_id, extent.erased)
            returning = await erasure.can_return(connection, ask.tenant_id, extent.revived)
            borrowers = await ledger.borrowers(connection, ask.tenant_id, extent.erased)
            rows = await erasure.erase(connection, ask.tenant_id, extent.erased, now)
            noted = [
                Event(means.new_id(), i, locked[i].revision, _erased(locked[i].state)) for i in sorted(extent.erased)
            ]
            await events.insert(connection, operation, "erased", noted)
            await ledger.refresh(connection, operation, borrowers)
            if returning:
                back[:] = await endings.restore(connection, operation, returning, derive, means.new_id)
            receipt = _receipt(extent, rows, remaining, str(operation.operation_id))
            receipt.revived = len(returning)
            return receipt.SerializeToString(deterministic=True)

        done = await means.once(ask, now, work)
        if done.is_first:
            means.statistics.add(ask.tenant_id, back, replaced=map(derive, gone))
        return pb.EraseMemoriesResponse.FromString(done.answer)

    async def _everything(self, connection: Connection, ask: Ask, now: datetime) -> bytes:
        counted = await erasure.all_memories(connection, ask.tenant_id)
        rows = await erasure.erase_tenant(connection)
        if ask.key is not None:  # its claim is gone too, and the receipt is kept under it
            await requests.claim(connection, ask.key, now)
        operation = ask.operation(self._means.new_id(), ACTION, now)
        await events.insert_operation(connection, operation)
        receipt = _receipt(None, rows, [], str(operation.operation_id))
        receipt.erased = counted
        return receipt.SerializeToString(deterministic=True)


def _erased(state: MemoryState) -> str:
    return json.dumps({"state": {"before": state, "after": MemoryState.ERASED}})


def _wanted(request: pb.EraseMemoriesRequest) -> Wanted | None:
    """Return what is meant; None: everything.

    Raises: InvalidArgument ERASURE_EMPTY, ERASURE_CONTRADICTORY, TOO_MANY_IDS, MEMORY_ID_INVALID.
    """
    company = company_key(request.company) if request.company.strip() else ""
    given = sum((bool(request.memory_ids), bool(company), request.whole_tenant))
    if given == 0:
        raise InvalidArgument("ERASURE_EMPTY", "give memory_ids, a company, or whole_tenant")
    if given > 1:
        raise InvalidArgument("ERASURE_CONTRADICTORY", "give only one of memory_ids, company and whole_tenant")
    if len(request.memory_ids) > IDS_MAX:
        told = f"has {len(request.memory_ids)} entries; at most {IDS_MAX}"
        raise InvalidArgument.of("memory_ids", "TOO_MANY_IDS", told)
    ids = [wire.identifier(t, f"memory_ids[{i}]", "MEMORY_ID_INVALID") for i, t in enumerate(request.memory_ids)]
    return None if request.whole_tenant else Wanted(tuple(dict.fromkeys(ids)), company)


async def _extent(connection: Connection, tenant_id: UUID, wanted: Wanted) -> Extent:
    """Follow what hangs on what is meant. Raises: NotFound MEMORY_NOT_FOUND; FailedPrecondition ERASURE_TOO_LARGE."""
    if wanted.company:
        chosen = frozenset(await erasure.of_company(connection, tenant_id, wanted.company, MEMORIES_MAX + 1))
    else:
        chosen = await erasure.known(connection, tenant_id, wanted.memory_ids)
        for memory_id in wanted.memory_ids:
            if memory_id not in chosen:
                raise NotFound("MEMORY_NOT_FOUND", "no such memory", metadata={"memory_id": str(memory_id)})
    erased, kin = chosen, []
    while len(erased) <= MEMORIES_MAX:
        kin = await erasure.kin(connection, tenant_id, erased) if erased else []
        further = rules.spread(erased, kin)
        if further == erased:
            return Extent(chosen, erased, rules.revived(erased, kin))
        erased = further
    told = f"more than {MEMORIES_MAX} memories at once; erase them in parts, or the whole tenant"
    raise FailedPrecondition("ERASURE_TOO_LARGE", told)


async def _previewed(connection: Connection, tenant_id: UUID, wanted: Wanted | None) -> pb.EraseMemoriesResponse:
    if wanted is None:
        return pb.EraseMemoriesResponse(erased=await erasure.all_memories(connection, tenant_id))
    extent = await _extent(connection, tenant_id, wanted)
    return _receipt(extent, {}, await erasure.sources(connection, tenant_id, extent.erased), "")


def _receipt(
    extent: Extent | None, rows: dict[str, int], sources: list[UUID], operation_id: str
) -> pb.EraseMemoriesResponse:
    return pb.EraseMemoriesResponse(
        operation_id=operation_id,
        erased=len(extent.erased) if extent else 0,
        derived=len(extent.erased - extent.chosen) if extent else 0,
        revived=len(extent.revived) if extent else 0,
        rows=[pb.ErasedRows(table=name, rows=count) for name, count in rows.items()],
        remaining_source_ids=map(str, sources[:SOURCES_TOLD]),
    )

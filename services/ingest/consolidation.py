"""ConsolidationService: the plan of a consolidation, and carrying it out.

Rules: a plan is carried out as it was shown or not at all: all of it is checked before the first digest is written.
Each digest is a transaction and an operation of its own. What an earlier call has written of a plan stays written, and
the rest follows. It does not know what repeats are, nor how a digest is written (consolidation_pass.py).
Source: REQUIREMENTS D4.
"""

from datetime import timedelta
from functools import partial
from uuid import UUID

from candor.ingest.v1 import consolidation_pb2 as pb
from candor.ingest.v1.consolidation_pb2_grpc import ConsolidationServiceServicer

from services.ingest import consolidation_pass
from services.ingest.asking import Ask, Means, ask_of, former_answer
from services.ingest.consolidation_pass import ACTION
from shared.domain.errors import Conflict, InvalidArgument, NotFound
from shared.domain.types import Draft
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.reads import consolidation as reads
from shared.store.reads.consolidation import Place
from shared.store.writes import consolidation, plans
from shared.store.writes.consolidation import Plan, PlannedDigest
from shared.store.writes.writing import StalePlan

EXAMINED_MAX = 1_000  # of one preview; the contract's
KEPT = timedelta(days=1)  # how long a plan may be carried out; the contract's


class ConsolidationServicer(ConsolidationServiceServicer):
    """Serves ConsolidationService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def ConsolidateMemories(
        self, request: pb.ConsolidateMemoriesRequest, context: Context
    ) -> pb.ConsolidateMemoriesResponse:
        """Show a plan, or carry one out."""
        ask = ask_of(request, self._means.request_key)
        step = _step_of(request)
        if ask.key is not None:
            former = await run(self._means.pool, ask.tenant_id, partial(former_answer, key=ask.key), read_only=True)
            if former is not None:
                return pb.ConsolidateMemoriesResponse.FromString(former)
        return await (self._carry_out(ask, step) if isinstance(step, UUID) else self._preview(ask, step))

    async def _preview(self, ask: Ask, after: Place | None) -> pb.ConsolidateMemoriesResponse:
        means, now = self._means, self._means.now()
        read = partial(run, means.pool, ask.tenant_id, read_only=True)
        found = await consolidation_pass.find(
            read, ask.tenant_id, after, EXAMINED_MAX, means.new_id, only_settled=False
        )
        operation = ask.operation(means.new_id(), ACTION, now)
        plan = Plan(tuple(one.planned for one in found.digests), now)
        answer = pb.ConsolidateMemoriesResponse(
            plan_id=str(operation.operation_id),
            digests=[_message(one.planned, one.draft) for one in found.digests],
            examined=found.examined,
            pairs=found.pairs,
            next=f"{found.end.commit_xid}:{found.end.memory_id}"
            if found.end and found.examined == EXAMINED_MAX
            else "",
        )

        async def keep(connection: Connection) -> bytes:
            await consolidation.keep_plan(connection, operation, plan)
            return answer.SerializeToString(deterministic=True)

        return pb.ConsolidateMemoriesResponse.FromString((await means.once(ask, now, keep)).answer)

    async def _carry_out(self, ask: Ask, plan_id: UUID) -> pb.ConsolidateMemoriesResponse:
        means, now = self._means, self._means.now()
        basis, checked = await run(means.pool, ask.tenant_id, partial(self._checked, ask, plan_id), read_only=True)
        told = []
        for planned, draft in checked:
            message = _message(planned, draft)
            told.append(message)
            if draft is None:  # written by an earlier call
                message.applied = True
                continue
            intended = await consolidation_pass.prepared(means, ask.tenant_id, [(planned, draft)], basis)
            write = partial(
                consolidation_pass.write,
                operation=ask.operation(intended[0].operation_id, ACTION, now),
                intended=intended,
                generation=basis.generation.number,
                means=means,
            )
            try:
                done = await run(means.pool, ask.tenant_id, write)
            except StalePlan:
                continue
            for written in done:
                message.applied, message.operation_id = True, str(written.operation_id)
                derive = await means.revisions.of(ask.tenant_id)
                means.statistics.add(ask.tenant_id, [written.revision], replaced=map(derive, written.ended))
        answer = pb.ConsolidateMemoriesResponse(plan_id=str(plan_id), digests=told, applied=True)

        async def keep(connection: Connection) -> bytes:
            return answer.SerializeToString(deterministic=True)

        return pb.ConsolidateMemoriesResponse.FromString((await means.once(ask, now, keep)).answer)

    async def _checked(
        self, ask: Ask, plan_id: UUID, connection: Connection
    ) -> tuple[plans.Basis, list[tuple[PlannedDigest, Draft | None]]]:
        """Return a plan that still is as it was shown; without a draft, what is written already.

        Raises: NotFound PLAN_NOT_FOUND, Conflict PLAN_STALE.
        """
        named = {"plan_id": str(plan_id)}
        plan = await consolidation.find_plan(connection, ask.tenant_id, plan_id)
        if plan is None:
            raise NotFound("PLAN_NOT_FOUND", "there is no such plan", metadata=named)
        if self._means.now() - plan.recorded_at > KEPT:
            raise Conflict("PLAN_STALE", "the plan is older than a day", metadata=named)
        there = await reads.written(connection, ask.tenant_id, [planned.digest_id for planned in plan.digests])
        checked: list[tuple[PlannedDigest, Draft | None]] = []
        for planned in plan.digests:
            if planned.digest_id in there:
                checked.append((planned, None))
                continue
            held = await consolidation_pass.standings(connection, ask.tenant_id, planned)
            draft = None if held is None else consolidation_pass.draft_of(held)
            if draft is None:
                told = "a memory of the plan is not as it was shown; preview again"
                raise Conflict("PLAN_STALE", told, metadata={**named, "digest_id": str(planned.digest_id)})
            checked.append((planned, draft))
        return await plans.basis(connection, ask.tenant_id), checked


def _step_of(request: pb.ConsolidateMemoriesRequest) -> Place | UUID | None:
    """Return what a request asks for: the plan to carry out, or a preview after a place; None: where the job is.

    Raises: InvalidArgument PLAN_MISSING, PLAN_CONTRADICTORY, PLAN_ID_INVALID, AFTER_INVALID.
    """
    if request.plan_id:
        if request.preview or request.after:
            told = "stands alone: the plan says what is merged"
            raise InvalidArgument.of("plan_id", "PLAN_CONTRADICTORY", told)
        return wire.identifier(request.plan_id, "plan_id", "PLAN_ID_INVALID")
    if not request.preview:
        raise InvalidArgument.of("plan_id", "PLAN_MISSING", "must be the plan of a preview; ask with preview first")
    if not request.after:
        return None
    xid, _, memory_id = request.after.partition(":")
    if not (xid.isascii() and xid.isdigit() and len(xid) <= 18):  # what xid8 holds and more than it will ever be
        raise InvalidArgument.of("after", "AFTER_INVALID", "must be `next` of a preview")
    return Place(int(xid), wire.identifier(memory_id, "after", "AFTER_INVALID"))


def _message(planned: PlannedDigest, draft: Draft | None) -> pb.PlannedDigest:
    return pb.PlannedDigest(
        memory_id=str(planned.digest_id),
        members=[pb.PlannedSource(memory_id=str(one), revision=revision) for one, revision in planned.members],
        content="" if draft is None else draft.content,
        valid_from=wire.to_timestamp(None if draft is None else draft.observed_at),
    )

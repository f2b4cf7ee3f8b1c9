"""DemoService: writes the demonstration as any caller would, once.

Rules: each step has a request id of its own, so that a step that was done is not done again, by a repetition or by
another call at the same time. After 30 days, when those are forgotten, what stands is found again and stays. It does
not know what is written (demo_content.py).
Source: archon-behaviour 11; REQUIREMENTS F2.
"""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from candor.ingest.v1 import demo_pb2 as pb
from candor.ingest.v1 import memories_pb2
from candor.ingest.v1.demo_pb2_grpc import DemoServiceServicer

from services.ingest import creation, demo_content
from services.ingest.asking import ACTOR_MAX_CHARS, Ask, Means, checked, former_answer
from services.ingest.demo_content import NEW_CITY, OLD_CITY, VERSION
from services.ingest.document_taking import Taking
from services.ingest.memories import batch_created
from shared.domain.money.rules import RuleBands
from shared.domain.types import Draft, MemoryState
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.writes import endings, events, memories
from shared.store.writes.endings import Ending
from shared.store.writes.requests import RequestKey

ACTION = "seed-demo"
RPC = "SeedDemo"
MOVED = "moved to another city"


class DemoServicer(DemoServiceServicer):
    """Serves DemoService."""

    def __init__(self, means: Means, bands: RuleBands) -> None:
        self._means = means
        self._bands = bands

    async def SeedDemo(self, request: pb.SeedDemoRequest, context: Context) -> pb.SeedDemoResponse:
        """Write the demonstration, or tell where it stands."""
        means, tenant_id = self._means, wire.tenant(request)
        actor = checked("actor", request.actor, ACTOR_MAX_CHARS, "ACTOR_TOO_LONG")
        whole = _ask(tenant_id, actor, "whole")
        former = await run(means.pool, tenant_id, lambda c: former_answer(c, whole.key), read_only=True)
        if former is None:
            taken = await Taking(means, _ask(tenant_id, actor, "papers"), self._bands, dry_run=False).take(
                *zip(*demo_content.papers(), strict=True)
            )
            ids = [*taken.memory_ids, *await self._memories(tenant_id, actor)]
            answer = pb.SeedDemoResponse(
                seeded=True, seed_version=VERSION, company=demo_content.COMPANY, events=taken.events, memory_ids=ids
            )

            async def keep(_: Connection) -> bytes:
                return answer.SerializeToString(deterministic=True)

            done = await means.once(whole, means.now(), keep)
            if done.is_first:
                return answer
            former = done.answer
        answer = pb.SeedDemoResponse.FromString(former)
        answer.seeded, answer.already_seeded = False, True
        return answer

    async def _memories(self, tenant_id: UUID, actor: str) -> list[str]:
        """Write the memories that are not papers and return their ids."""
        means, ask = self._means, _ask(tenant_id, actor, "memories")
        messages = demo_content.memories()
        news = creation.news_of(messages, in_batch=True)
        derive = await means.revisions.of(tenant_id)
        identities = [derive(new.draft).identity_hash for new in news]
        known = await run(
            means.pool, tenant_id, lambda c: memories.open_by_identity(c, tenant_id, identities), read_only=True
        )
        has_moved = identities[NEW_CITY] in known and identities[OLD_CITY] not in known
        if has_moved:
            del news[OLD_CITY]  # it was superseded: written again it would be another memory
        answer = await creation.create(means, ask, news, ACTION, batch_created, allow_pending=False)
        ids = [one.memory_id for one in memories_pb2.BatchCreateMemoriesResponse.FromString(answer).memories]
        if not has_moved:
            when = news[NEW_CITY].draft.observed_at
            await self._move(_ask(tenant_id, actor, "move"), UUID(ids[OLD_CITY]), UUID(ids[NEW_CITY]), when)
        return ids

    async def _move(self, ask: Ask, old: UUID, new: UUID, when: datetime | None) -> None:
        """Let one memory take the place of another."""
        means, now = self._means, self._means.now()
        ask = replace(ask, reason=MOVED)
        operation = ask.operation(means.new_id(), ACTION, now)
        derive = await means.revisions.of(ask.tenant_id)
        ended: list[Draft] = []

        async def work(connection: Connection) -> bytes:
            await events.insert_operation(connection, operation)
            ending = Ending(old, MemoryState.SUPERSEDED, MOVED, superseded_by=new, valid_to=when)
            found = await endings.end(connection, operation, [ending], means.new_id)
            ended[:] = [memory.draft for memory in found]
            return b""

        if (await means.once(ask, now, work)).is_first:
            means.statistics.add(ask.tenant_id, [], replaced=map(derive, ended))


def _ask(tenant_id: UUID, actor: str, step: str) -> Ask:
    """Return who asks for a step, under an id that is the step's own."""
    request_id = f"{VERSION}:{step}"
    body_hash = bytes.fromhex(demo_content.FILES_HASH)
    return Ask(tenant_id, actor, "the demonstration", request_id, RequestKey(tenant_id, RPC, request_id, body_hash))

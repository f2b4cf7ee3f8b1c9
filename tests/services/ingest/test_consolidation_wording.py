"""Consolidation with a model that misbehaves: nothing is lost, made up or cannot be recalled, at any poll."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from candor.judge.v1.summaries_pb2_grpc import SummariesServiceStub

from services.ingest import consolidation_job
from services.ingest.runner import JobRunner
from services.ingest.upkeep import CONSOLIDATE_KIND
from services.judge import summaries_model
from services.judge.chat import ChatPolicy
from shared.clock import new_id
from shared.rpc import life_stubs
from shared.store.pool import Connection, run
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob
from tests.openai_server import CHAT, Behaviour, OpenAIServer
from tests.services.ingest.test_consolidation import told
from tests.services.ingest.test_consolidation_faults import LOST
from tests.services.ingest.test_forgetting import live
from tests.services.ingest.workplace import Workplace
from tests.services.judge.model import chat
from tests.services.running import role

pytestmark = pytest.mark.anyio
WAYS = ("mostly", "usually", "often")
STATEMENTS = [
    f"User {way} walks with the old dog from next door along the river bank before breakfast and work" for way in WAYS
]
GOOD = "User mostly, usually or often walks with the old dog from next door along the river bank before breakfast."
POLICY = ChatPolicy(reasks=1, deadline_seconds=0.5)


@asynccontextmanager
async def worded(server: OpenAIServer) -> AsyncIterator[SummariesServiceStub]:
    by = chat(server, POLICY)
    async with role("judge", summaries_model.service(by)) as via:
        yield life_stubs.summaries(via)
    await by.close()


async def consolidated(ingest: Workplace, tenant: UUID, ids: list[UUID], by: SummariesServiceStub) -> dict[str, int]:
    """Run the job and look meanwhile whether all can be recalled; return its result."""
    job = NewJob(new_id(), tenant, CONSOLIDATE_KIND, ingest.clock.time, ingest.clock.time, 3)
    await run(ingest.pool, tenant, partial(jobs.enqueue, job=job))
    handler = partial(consolidation_job.handle, means=ingest.means, summaries=by)
    running = asyncio.create_task(JobRunner(ingest.pool, {CONSOLIDATE_KIND: handler}, now=ingest.clock.now).step())

    async def lost(connection: Connection) -> int:
        return int(await connection.fetchval(LOST, tenant, ids))

    polls = 0
    while not running.done():
        assert await run(ingest.pool, tenant, lost, read_only=True) == 0
        polls += 1
    assert await running and polls
    assert await run(ingest.pool, tenant, lost, read_only=True) == 0
    status, result = (await ingest.rows("SELECT status, result::text FROM job WHERE job_id = $1", job.job_id))[0]
    assert status == "done"
    found: dict[str, int] = json.loads(result)
    return found


async def digest(ingest: Workplace, tenant: UUID) -> str:
    (made,) = await live(ingest, tenant)
    return str(await ingest.value("SELECT content FROM memory WHERE memory_id = $1", UUID(made)))


async def test_repeats_are_one_in_the_models_wording(ingest: Workplace, tenant: UUID, server: OpenAIServer) -> None:
    ids = [UUID(one) for one in await told(ingest, tenant, *STATEMENTS)]
    server.say(json.dumps({"text": GOOD}))
    async with worded(server) as by:
        result = await consolidated(ingest, tenant, ids, by)
    assert (result["digests"], result["merged"], result["worded"], result.get("not_worded")) == (1, 3, 1, None)
    assert (await digest(ingest, tenant)).startswith(f"{GOOD} (told 3 times, ")


def _behaves(behaviour: Behaviour) -> Callable[[OpenAIServer], Any]:
    return lambda server: server.next(CHAT, *[behaviour] * 6)


@pytest.mark.parametrize(
    "spoil",
    [
        *map(_behaves, (Behaviour.SLOW, Behaviour.SERVER_ERROR, Behaviour.NOT_JSON, Behaviour.TRUNCATED)),
        *map(_behaves, (Behaviour.FILTERED, Behaviour.EMPTY_JSON, Behaviour.LIST_CONTENT)),
        lambda server: server.say(*[json.dumps({"text": "User walks 3 dogs."})] * 2),
    ],
)
async def test_where_the_model_fails_the_digest_keeps_its_sources_words(
    ingest: Workplace, tenant: UUID, server: OpenAIServer, spoil: Callable[[OpenAIServer], Any]
) -> None:
    ids = [UUID(one) for one in await told(ingest, tenant, *STATEMENTS)]
    server.say_ever(json.dumps({"text": GOOD}))
    spoil(server)
    async with worded(server) as by:
        result = await consolidated(ingest, tenant, ids, by)
        server.forget()
    assert (result["digests"], result["merged"], result["not_worded"]) == (1, 3, 1)
    content = await digest(ingest, tenant)
    assert all(statement in content for statement in STATEMENTS)


async def test_after_some_failures_nothing_more_is_asked(ingest: Workplace, tenant: UUID, server: OpenAIServer) -> None:
    ids = []
    for number in range(5):
        texts = [f"{text} number{number} again{number} and{number} so{number}" for text in STATEMENTS]
        ids += await told(ingest, tenant, *texts, company=f"Company {number}")
    server.say_ever(json.dumps({"text": ""}))
    async with worded(server) as by:
        result = await consolidated(ingest, tenant, [UUID(one) for one in ids], by)
    assert (result["digests"], result["not_worded"]) == (5, 3)
    assert len(server.bodies()) == 6  # three times two attempts

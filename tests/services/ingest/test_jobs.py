"""Jobs as their tenant sees them."""

import json
from functools import partial
from uuid import UUID

import pytest
from candor.ingest.v1 import jobs_pb2 as pb

from services.ingest.runner import JobRunner, Turn
from shared.clock import new_id
from shared.domain.errors import CandorError, UpstreamUnavailable
from shared.rpc.clients import rpc_errors
from shared.store.pool import run
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio


async def ask(ingest: Workplace, tenant: UUID, kind: str) -> str:
    now = ingest.clock.tick(1)
    job = NewJob(new_id(), tenant, kind, now, now, 5, dedup_key=None)
    return str(await run(ingest.pool, tenant, partial(jobs.enqueue, job=job)))


async def one(ingest: Workplace, tenant: UUID, job_id: str) -> pb.Job:
    return (await ingest.jobs.GetJob(pb.GetJobRequest(tenant_id=str(tenant), job_id=job_id))).job


async def test_a_job_shows_what_becomes_of_it(ingest: Workplace, tenant: UUID) -> None:
    good, bad = await ask(ingest, tenant, f"good-{tenant}"), await ask(ingest, tenant, f"bad-{tenant}")

    async def well(turn: Turn) -> dict[str, int]:
        return {"moved": 3}

    async def badly(turn: Turn) -> dict[str, int]:
        raise UpstreamUnavailable("PROVIDER_DOWN", "a text of the tenant")

    shown = await one(ingest, tenant, good)
    assert (shown.status, shown.attempts, shown.max_attempts) == (pb.JOB_STATUS_QUEUED, 0, 5)
    assert not shown.HasField("result") and not shown.HasField("started_at")
    work = JobRunner(ingest.pool, {f"good-{tenant}": well, f"bad-{tenant}": badly}, now=ingest.clock.now)
    while await work.step():
        pass
    shown = await one(ingest, tenant, good)
    assert (shown.status, json.loads(shown.result)) == (pb.JOB_STATUS_DONE, {"moved": 3})
    assert shown.HasField("finished_at")
    shown = await one(ingest, tenant, bad)
    assert (shown.status, shown.attempts, shown.last_error) == (pb.JOB_STATUS_QUEUED, 1, "PROVIDER_DOWN")
    assert "text of the tenant" not in str(await ingest.contents(tenant))


async def test_lists_are_paged_filtered_and_newest_first(ingest: Workplace, tenant: UUID) -> None:
    made = [await ask(ingest, tenant, f"k{number % 2}") for number in range(7)]
    seen, token = [], ""
    while True:
        request = pb.ListJobsRequest(tenant_id=str(tenant), limit=3, page_token=token)
        page = await ingest.jobs.ListJobs(request)
        seen += [job.id for job in page.jobs]
        token = page.next_page_token
        if not token:
            break
    assert seen == made[::-1]
    odd = await ingest.jobs.ListJobs(pb.ListJobsRequest(tenant_id=str(tenant), kind="k1"))
    assert [job.id for job in odd.jobs] == made[1::2][::-1]
    done = await ingest.jobs.ListJobs(pb.ListJobsRequest(tenant_id=str(tenant), status=pb.JOB_STATUS_DONE))
    assert list(done.jobs) == []


async def test_a_stranger_sees_nothing(ingest: Workplace, tenant: UUID) -> None:
    job_id = await ask(ingest, tenant, "k")
    page = await ingest.jobs.ListJobs(pb.ListJobsRequest(tenant_id=str(tenant), limit=1))
    stranger = new_id()
    listed = pb.ListJobsRequest(tenant_id=str(stranger), page_token=page.next_page_token)
    assert list((await ingest.jobs.ListJobs(listed)).jobs) == []
    with pytest.raises(CandorError) as caught, rpc_errors():
        await one(ingest, stranger, job_id)
    assert caught.value.reason == "JOB_NOT_FOUND"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"limit": -1}, "LIMIT_OUT_OF_RANGE"),
        ({"limit": 101}, "LIMIT_OUT_OF_RANGE"),
        ({"page_token": "é"}, "PAGE_TOKEN_INVALID"),
        ({"page_token": "AAAA"}, "PAGE_TOKEN_INVALID"),
        ({"status": 99}, "STATUS_INVALID"),
        ({"kind": "a\0"}, "FORBIDDEN_CHARACTER"),
        ({"tenant_id": "x"}, "TENANT_INVALID"),
    ],
)
async def test_a_wrong_list_is_refused(ingest: Workplace, tenant: UUID, given: dict[str, str], reason: str) -> None:
    request = pb.ListJobsRequest(**{"tenant_id": str(tenant), **given})  # type: ignore[arg-type]
    with pytest.raises(CandorError) as caught, rpc_errors():
        await ingest.jobs.ListJobs(request)
    assert caught.value.reason == reason


async def test_a_wrong_id_is_refused(ingest: Workplace, tenant: UUID) -> None:
    with pytest.raises(CandorError) as caught, rpc_errors():
        await one(ingest, tenant, "x")
    assert caught.value.reason == "JOB_ID_INVALID"

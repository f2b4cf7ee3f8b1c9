"""JobsService: what is waiting, running, done, and what failed and why.

Rules: a tenant sees its own jobs. A page token is a place in the list and nothing more; whoever makes one up sees a
page of their own list. It does not run jobs.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from functools import partial
from uuid import UUID

from candor.ingest.v1 import jobs_pb2 as pb
from candor.ingest.v1.jobs_pb2_grpc import JobsServiceServicer

from shared.domain.errors import InvalidArgument, NotFound
from shared.domain.text import refused_character
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Pool, run
from shared.store.writes import jobs
from shared.store.writes.jobs import JobStatus, Seen

DEFAULT_LIMIT, LIMIT_MAX = 20, 100
INT32_MAX = 2**31 - 1
_STATUSES = {pb.JobStatus.Value(f"JOB_STATUS_{status.name}"): status for status in JobStatus}
_NUMBERS = {status: number for number, status in _STATUSES.items()}


class JobsServicer(JobsServiceServicer):
    """Serves JobsService."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def ListJobs(self, request: pb.ListJobsRequest, context: Context) -> pb.ListJobsResponse:
        """List jobs, newest first."""
        tenant_id = wire.tenant(request)
        limit = request.limit or DEFAULT_LIMIT
        if not 1 <= limit <= LIMIT_MAX:
            raise InvalidArgument.of("limit", "LIMIT_OUT_OF_RANGE", f"must be between 1 and {LIMIT_MAX}")
        if request.status and request.status not in _STATUSES:
            raise InvalidArgument.of("status", "STATUS_INVALID", f"{request.status} is not one of the values")
        if refused_character(request.kind) is not None:
            raise InvalidArgument.of("kind", "FORBIDDEN_CHARACTER", f"holds {refused_character(request.kind)}")
        read = partial(
            jobs.list_jobs,
            tenant_id=tenant_id,
            status=_STATUSES.get(request.status),
            kind=request.kind or None,
            after=_place(request.page_token),
            limit=limit + 1,
        )
        found = await run(self._pool, tenant_id, read, read_only=True)
        token = _token(found[limit - 1]) if len(found) > limit else ""
        return pb.ListJobsResponse(jobs=map(_message, found[:limit]), next_page_token=token)

    async def GetJob(self, request: pb.GetJobRequest, context: Context) -> pb.GetJobResponse:
        """Read one job."""
        tenant_id = wire.tenant(request)
        job_id = wire.identifier(request.job_id, "job_id", "JOB_ID_INVALID")
        read = partial(jobs.find, tenant_id=tenant_id, job_id=job_id)
        found = await run(self._pool, tenant_id, read, read_only=True)
        if found is None:
            raise NotFound("JOB_NOT_FOUND", "there is no such job", metadata={"job_id": str(job_id)})
        return pb.GetJobResponse(job=_message(found))


def _message(job: Seen) -> pb.Job:
    return pb.Job(
        id=str(job.job_id),
        kind=job.kind,
        status=_NUMBERS[job.status],
        attempts=job.attempts,
        max_attempts=job.max_attempts,
        due_at=wire.to_timestamp(job.due_at),
        progress=min(job.progress, INT32_MAX),
        total=None if job.total is None else min(job.total, INT32_MAX),
        last_error=job.last_error,
        result=job.result,
        created_at=wire.to_timestamp(job.created_at),
        started_at=wire.to_timestamp(job.started_at),
        finished_at=wire.to_timestamp(job.finished_at),
    )


def _token(job: Seen) -> str:
    place = f"{job.created_at.astimezone(UTC).isoformat()} {job.job_id}"
    return urlsafe_b64encode(place.encode()).rstrip(b"=").decode()


def _place(token: str) -> tuple[datetime, UUID] | None:
    if not token:
        return None
    try:
        instant, job_id = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4)).decode().split(" ")
        created_at = datetime.fromisoformat(instant)
        return created_at.astimezone(UTC), UUID(job_id)
    except (ValueError, OverflowError):
        raise InvalidArgument.of("page_token", "PAGE_TOKEN_INVALID", "is not a token of this request") from None

"""Runs jobs: takes them in turn, keeps their lease, and says how each one ended.

Rules: a job may be begun more than once, so its effects are made in transactions that end with a look whether it is
still this attempt's; an attempt that was lost to another worker changes nothing any more. A failed attempt is tried
again, ever later, up to the job's limit. On shutdown an attempt is given back uncounted. A defect fails its job, never
the worker. It does not know what a job does.
Source: REQUIREMENTS A1, G5; why it is our own: docs/decisions.md.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias, TypeVar

import structlog
from prometheus_client import Gauge, Histogram

from shared.domain.errors import CandorError
from shared.store.pool import Connection, Pool, run, run_without_tenant
from shared.store.writes import jobs
from shared.store.writes.jobs import Attempt

T = TypeVar("T")

LEASE = timedelta(seconds=60)  # a killed worker's job waits that long; chosen, untested
BEAT_SECONDS = 20.0  # a third of the lease, so that one late beat loses nothing
POLL_SECONDS = 1.0  # how long a due job waits for an idle worker, at most; chosen, untested
DEPTH_SECONDS = 15.0  # about the scrape interval
BACKOFF_MAX = timedelta(hours=1)  # chosen, untested

SECONDS = Histogram(
    "candor_job_seconds",
    "Time of one attempt of a job, by how it ended.",
    ("kind", "outcome"),
    buckets=(0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600),
)
OPEN = Gauge("candor_jobs_open", "Jobs that wait or run, of all tenants.", ("kind", "status"))
_log = structlog.stdlib.get_logger("candor.ingest.jobs")


class LostAttempt(Exception):
    """Another worker has the job."""


class Turn:
    """One attempt, as what carries it out sees it."""

    def __init__(self, pool: Pool, attempt: Attempt, now: Callable[[], datetime]) -> None:
        self.attempt = attempt
        self.now = now
        self._pool = pool

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Read in one snapshot of the job's tenant."""
        return await run(self._pool, self.attempt.tenant_id, work, read_only=True)

    async def write(
        self, work: Callable[[Connection], Awaitable[T]], *, progress: Callable[[T], int], total: int | None = None
    ) -> T:
        """Write in one transaction of the job's tenant, and note how far the job is then. Raises: LostAttempt."""

        async def fenced(connection: Connection) -> T:
            result = await work(connection)
            if not await jobs.keep(connection, self.attempt, self.now() + LEASE, progress(result), total):
                raise LostAttempt
            return result

        return await run(self._pool, self.attempt.tenant_id, fenced)


Handler: TypeAlias = Callable[[Turn], Awaitable[Mapping[str, int]]]
"""Carries out an attempt and returns what came out, in numbers."""


def backoff(attempts: int) -> timedelta:
    """Return how long to wait after this many attempts."""
    return min(timedelta(seconds=2.0 ** min(attempts, 20)), BACKOFF_MAX)


class JobRunner:
    """Runs the jobs of the kinds it has handlers for, at most `at_once` at a time."""

    def __init__(
        self, pool: Pool, handlers: Mapping[str, Handler], *, now: Callable[[], datetime], at_once: int = 1
    ) -> None:
        self._pool = pool
        self._handlers = handlers
        self._now = now
        self._at_once = at_once

    async def run(self) -> None:
        """Run jobs until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._again(self._measure, DEPTH_SECONDS))
            for _ in range(self._at_once):
                group.create_task(self._again(self.step, POLL_SECONDS))

    async def _again(self, work: Callable[[], Awaitable[bool]], pause_seconds: float) -> None:
        while True:
            try:
                more = await work()
            except CandorError as error:
                _log.warning("jobs not looked at", reason=error.reason)
                more = False
            if not more:
                await asyncio.sleep(pause_seconds)

    async def step(self) -> bool:
        """Take one job and carry it out; return whether there was one."""
        now = self._now()
        take = partial(jobs.claim, kinds=list(self._handlers), now=now, lease_until=now + LEASE)
        attempt = await run_without_tenant(self._pool, take)
        if attempt is None:
            return False
        began = time.perf_counter()
        outcome, reason = await self._carry_out(attempt)
        seconds = time.perf_counter() - began
        SECONDS.labels(attempt.kind, outcome).observe(seconds)
        named = {"kind": attempt.kind, "job": str(attempt.job_id), "tenant": str(attempt.tenant_id)}
        _log.info("job", **named, attempt=attempt.number, outcome=outcome, reason=reason, ms=round(seconds * 1000, 2))
        return True

    async def _carry_out(self, attempt: Attempt) -> tuple[str, str]:
        """Return how it ended and the reason of its error."""
        work = asyncio.ensure_future(self._handlers[attempt.kind](Turn(self._pool, attempt, self._now)))
        try:
            while not (await asyncio.wait({work}, timeout=BEAT_SECONDS))[0]:
                await self._beat(attempt)
            result = json.dumps(dict(work.result()))
            kept = await self._end(partial(jobs.finish, attempt=attempt, now=self._now(), result=result))
            return ("done", "") if kept else ("lost", "")
        except LostAttempt:
            return "lost", ""
        except CandorError as error:
            reason = error.reason
        except Exception:  # noqa: BLE001  # the envelope of jobs: everything untyped is a defect and fails its job
            _log.exception("defect", kind=attempt.kind, job=str(attempt.job_id))
            reason = "INTERNAL"
        except asyncio.CancelledError:
            await _stopped(work)
            with suppress(CandorError):  # then the lease ends by itself
                await self._end(partial(jobs.release, attempt=attempt, now=self._now()))
            raise
        finally:
            await _stopped(work)
        now = self._now()
        due_at = now + backoff(attempt.number)
        await self._end(partial(jobs.fail, attempt=attempt, now=now, due_at=due_at, reason=reason))
        return "failed", reason

    async def _beat(self, attempt: Attempt) -> None:
        with suppress(CandorError):  # the database is away: the next beat may be in time
            if not await self._end(partial(jobs.keep, attempt=attempt, lease_until=self._now() + LEASE)):
                raise LostAttempt

    async def _end(self, statement: Callable[[Connection], Awaitable[bool]]) -> bool:
        return await run_without_tenant(self._pool, statement)

    async def _measure(self) -> bool:
        counted = await run_without_tenant(self._pool, jobs.depth)
        OPEN.clear()
        for (kind, status), number in counted.items():
            OPEN.labels(kind, status).set(number)
        return False


async def _stopped(work: "asyncio.Future[Mapping[str, int]]") -> None:
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)

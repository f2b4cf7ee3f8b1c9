"""The job ingest_documents: reads documents that were left for it, then takes them as a request does.

Rules: what was read is kept at once, so that another attempt reads only the rest. The documents are gone when their
outcome is kept, which is for as long as any answer to a request. It does not know how documents are read or taken.
Source: REQUIREMENTS E1 (paid work is kept; progress and resume).
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from uuid import UUID

from candor.ingest.v1 import documents_pb2 as pb

from services.ingest.asking import Ask, Means
from services.ingest.document_input import Paper
from services.ingest.document_reading import DocumentReader, Reading, kept, read_again
from services.ingest.document_taking import Taking
from services.ingest.runner import Turn as Attempt
from shared.domain.errors import InvalidArgument, UpstreamUnavailable, Violation
from shared.domain.money.rules import RuleBands
from shared.store.pool import Connection
from shared.store.writes import jobs, money, requests
from shared.store.writes.jobs import NewJob
from shared.store.writes.requests import RequestKey

KIND = "ingest_documents"
MAX_ATTEMPTS = 12  # over an hour: 2, 4, 8 … 2,048 s
AT_ONCE = 4  # documents read between two notes of progress (chosen, untested)
UPLOADS_KEPT = timedelta(days=7)  # of a job that was given up (chosen, untested)
RPC = "IngestDocumentsJob"


def outcome_key(tenant_id: UUID, job_id: UUID) -> RequestKey:
    """Return what the outcome of a job is kept under, among the answers to requests."""
    return RequestKey(tenant_id, RPC, str(job_id), blake2b(job_id.bytes, digest_size=32).digest())


async def enqueue(
    connection: Connection,
    means: Means,
    ask: Ask,
    papers: Sequence[Paper],
    readings: Sequence[Reading | None] = (),
    *,
    dry_run: bool,
) -> UUID:
    """Keep documents, and what has been read of them already, and ask for the job that reads the rest."""
    now = means.real_now()
    named = {"actor": ask.actor, "reason": ask.reason, "request_id": ask.request_id, "dry_run": dry_run}
    parameters = json.dumps(named | {"at": means.now().isoformat()})
    job = NewJob(means.new_id(), ask.tenant_id, KIND, now, now, MAX_ATTEMPTS, None, parameters)
    job_id = await jobs.enqueue(connection, job)
    await money.drop_uploads(connection, ask.tenant_id, job_id, now - UPLOADS_KEPT)
    documents = [(_written(paper), paper.content) for paper in papers]
    await money.keep_upload(connection, ask.tenant_id, job_id, documents, now)
    for position, reading in enumerate(readings):
        if reading is not None and not reading.is_for_now:
            await money.keep_reading(connection, ask.tenant_id, job_id, position, kept(reading))
    return job_id


async def handle(attempt: Attempt, *, means: Means, reader: DocumentReader, bands: RuleBands) -> Mapping[str, int]:
    """Read and take the documents of a job. Raises: UpstreamUnavailable while some cannot be read for now."""
    tenant_id, job_id = attempt.attempt.tenant_id, attempt.attempt.job_id
    asked = json.loads(attempt.attempt.parameters)
    waiting = await attempt.read(lambda connection: money.uploaded(connection, tenant_id, job_id))
    if not waiting:
        return {"documents": 0}
    readings = {one.position: read_again(one.reading) for one in waiting if one.reading is not None}
    unread = [one for one in waiting if one.reading is None]
    last: Reading | None = None
    for start in range(0, len(unread), AT_ONCE):
        part = unread[start : start + AT_ONCE]
        papers = [await _paper(attempt, one) for one in part]
        for one, reading in zip(part, await reader.read_all(tenant_id, papers), strict=True):
            if reading.is_for_now:
                last = reading
                continue
            readings[one.position] = reading
            keep = partial(
                money.keep_reading, tenant_id=tenant_id, job_id=job_id, position=one.position, reading=kept(reading)
            )
            await attempt.write(keep, progress=lambda _: len(readings), total=len(waiting))
    if last is not None:
        why = last.error.reason if last.error else ""
        raise UpstreamUnavailable(why, "documents are read again later")
    ask = Ask(tenant_id, asked["actor"], asked["reason"], asked["request_id"], None)
    taking = Taking(means, ask, bands, dry_run=asked["dry_run"])
    papers = [_paper_of(one.declared, b"") for one in waiting]
    answer = await taking.take(papers, [readings[one.position] for one in waiting])
    await attempt.write(
        partial(_end, tenant_id=tenant_id, job_id=job_id, answer=answer, now=means.now()),
        progress=lambda _: len(waiting),
        total=len(waiting),
    )
    failed = sum(one.status == "failed" for one in answer.documents)
    return {"documents": len(waiting), "failed": failed, "events": answer.events, "written": answer.written}


async def _end(
    connection: Connection, tenant_id: UUID, job_id: UUID, answer: pb.IngestDocumentsResponse, now: datetime
) -> None:
    key = outcome_key(tenant_id, job_id)
    if await requests.claim(connection, key, now) is None:
        await requests.answer(connection, key, answer.SerializeToString(deterministic=True))
    await money.drop_uploads(connection, tenant_id, job_id, now - UPLOADS_KEPT)


async def _paper(attempt: Attempt, one: money.Upload) -> Paper:
    job = attempt.attempt
    read = partial(money.upload_content, tenant_id=job.tenant_id, job_id=job.job_id, position=one.position)
    return _paper_of(one.declared, await attempt.read(read))


def _written(paper: Paper) -> str:
    refusal = paper.refusal
    wrong = [[one.field, one.reason, one.description] for one in refusal.violations] if refusal else []
    return json.dumps({"doc_id": paper.doc_id, "filename": paper.filename, "declared": paper.declared, "wrong": wrong})


def _paper_of(written: str, content: bytes) -> Paper:
    found = json.loads(written)
    wrong = tuple(Violation(*one) for one in found["wrong"])
    refusal = InvalidArgument.of_all(wrong) if wrong else None
    return Paper(found["doc_id"], found["filename"], content, found["declared"], refusal)

"""What ingest asks judge of documents: what each of them says.

Rules: several are read at once, a bounded number; one that cannot be read leaves the others alone. What judge can say
nothing about for now is told apart from what is wrong with a document. A reading can be kept as text until it is used.
It does not know what becomes of it.
Source: REQUIREMENTS E1.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from candor.judge.v1 import documents_pb2 as pb
from candor.judge.v1.documents_pb2_grpc import DocumentServiceStub

from services.ingest.document_input import Paper
from shared.domain.errors import ERRORS_BY_KIND, CandorError, Kind, Violation
from shared.domain.metadata import canonical_json, parse
from shared.domain.money import paper as papers
from shared.domain.money.classifying import classify
from shared.domain.money.evidence import ExtractedDocument
from shared.domain.types import Json
from shared.rpc.clients import rpc_errors
from shared.rpc.wire.document import extracted_of

AT_ONCE = 4  # documents of one request (chosen, untested)
MODEL_SECONDS = 90.0  # of one document, above judge's own limit (chosen, untested)
_FOR_NOW = frozenset((Kind.UPSTREAM_UNAVAILABLE, Kind.OVERLOADED, Kind.RATE_LIMITED))


@dataclass(frozen=True, slots=True)
class Reading:
    """What one document says, or why it could not be read."""

    documents: tuple[ExtractedDocument, ...] = ()
    model: str = ""
    error: CandorError | None = None

    @property
    def is_for_now(self) -> bool:
        """Whether another attempt may succeed."""
        return self.error is not None and self.error.kind in _FOR_NOW


class DocumentReader:
    """Judge, as documents see it."""

    def __init__(self, stub: DocumentServiceStub) -> None:
        self._stub = stub

    async def read_all(self, tenant_id: UUID, given: Sequence[Paper]) -> list[Reading]:
        """Read documents, in their order."""
        return [reading for reading in await self.read_within(tenant_id, given, None) if reading is not None]

    async def read_within(self, tenant_id: UUID, given: Sequence[Paper], seconds: float | None) -> list[Reading | None]:
        """Read documents, in their order; those that are not read in time are None."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(paper: Paper) -> Reading:
            async with gate:
                return await self.read(tenant_id, paper)

        tasks = [asyncio.ensure_future(one(paper)) for paper in given]
        try:
            await asyncio.wait(tasks, timeout=seconds)
        finally:
            late = [task for task in tasks if task.cancel()]
            await asyncio.gather(*late, return_exceptions=True)
        return [None if task.cancelled() else task.result() for task in tasks]

    async def read(self, tenant_id: UUID, paper: Paper) -> Reading:
        """Read one document."""
        if paper.refusal is not None:
            return Reading(error=paper.refusal)
        declared = pb.DeclaredDocument(doc_id=paper.doc_id, filename=paper.filename, **paper.declared)
        request = pb.ExtractDocumentRequest(tenant_id=str(tenant_id), content=paper.content, declared=declared)
        try:
            with rpc_errors():
                answer = await self._stub.ExtractDocument(request, timeout=MODEL_SECONDS)
            found = tuple(map(extracted_of, answer.documents))
        except CandorError as error:
            if error.kind is Kind.INTERNAL:
                raise
            return Reading(error=error)
        return Reading(tuple(replace(one, doc_type=classify(one)) for one in found), answer.model)


def kept(reading: Reading) -> str:
    """Write a reading as text."""
    error = reading.error
    found: dict[str, Json] = {"documents": [papers.written(one) for one in reading.documents], "model": reading.model}
    if error is not None:
        wrong: list[Json] = [[one.field, one.reason, one.description] for one in error.violations]
        found["error"] = {"kind": error.kind.value, "reason": error.reason, "message": error.message, "wrong": wrong}
    return canonical_json(found)


def read_again(text: str) -> Reading:
    """Return the reading that was kept."""
    found: Mapping[str, object] = json.loads(text)
    documents = tuple(papers.read(one) for one in parse(text)["documents"])  # type: ignore[union-attr, arg-type]
    error = found.get("error")
    if not isinstance(error, dict):
        return Reading(documents, str(found["model"]))
    wrong = tuple(Violation(*map(str, one)) for one in error["wrong"])
    kind = ERRORS_BY_KIND[Kind(error["kind"])]
    return Reading(documents, str(found["model"]), kind(error["reason"], error["message"], violations=wrong))

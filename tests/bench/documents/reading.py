"""Have judge read the sample documents offline, over gRPC as ingest does, and score what it found.

Rules: a judge of its own in this process, with the local rules whatever the environment offers; it is given bytes, a
file name and what the case declares, never kind or layout. Of the reporting half no failure is kept or printed.
Source: fixtures/README.md, section documents.
"""

import json
import time
import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import grpc
from candor.judge.v1 import documents_pb2 as pb
from candor.judge.v1.documents_pb2_grpc import DocumentServiceStub
from google.protobuf.json_format import MessageToDict

from services.judge import main as judge
from shared.config import ProviderChoice, Settings
from shared.domain.errors import CandorError, FailedPrecondition, InvalidArgument, TooLarge, UnsupportedMedia
from shared.rpc import clients, logs, server
from shared.rpc.status import from_rpc_error
from tests.bench.documents.making import FIXTURES
from tests.bench.documents.scoring import Score, score_file

TIMEOUT_SECONDS = 60.0
MOST_SECONDS = 5.0  # REQUIREMENTS: no document may hold a reader longer
VISION_NEEDED = "VISION_MODEL_NEEDED"
CLIENT_ERRORS = (InvalidArgument, FailedPrecondition, TooLarge, UnsupportedMedia)
_TOTALS = (
    "gross_pay_total employer_cost_total employer_social_security_total net_pay_total employee_count payment_date"
).split()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What reading one file came to: documents, or an error."""

    documents: list[Mapping[str, Any]]
    seconds: float
    error: CandorError | None = None

    @property
    def is_refused(self) -> bool:
        """Say whether it is a typed error that blames the file."""
        return isinstance(self.error, CLIENT_ERRORS)

    @property
    def told(self) -> str:
        """Name what happened."""
        return f"{self.error.kind.name} {self.error.reason}" if self.error else "read"


@dataclass(slots=True)
class Part:
    """The figures of one folder."""

    scores: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    behaved: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    failures: list[str] = field(default_factory=list)
    slowest_seconds: float = 0.0


def neutral(document: pb.ExtractedDocument) -> dict[str, Any]:
    """Give an answer the form of the expected results; what was taken from the caller's declaration stays in it."""
    given = MessageToDict(document, preserving_proto_field_name=True)
    fields = {name: str(given[name]) for name in _TOTALS if name in given}
    invoice = dict(given.get("invoice", {}))
    fields |= {name: str(value) for name, value in invoice.items()}
    return {
        "docType": given.get("doc_type", ""),
        "company": given.get("company"),
        "period": given.get("period"),
        "currency": given.get("currency"),
        "eventRef": given.get("event_ref"),
        "fields": fields,
        "employees": given.get("employees", []),
        "missing": given.get("missing", []),
    }


async def read(stub: Any, name: str, content: bytes, declared: Mapping[str, str]) -> Outcome:
    """Have one file read."""
    said = pb.DeclaredDocument(doc_id=name, filename=name, **declared)
    request = pb.ExtractDocumentRequest(tenant_id=str(uuid.uuid4()), content=content, declared=said)
    begun = time.monotonic()
    try:
        answer = await stub.ExtractDocument(request, timeout=TIMEOUT_SECONDS)
    except grpc.aio.AioRpcError as error:
        return Outcome([], time.monotonic() - begun, from_rpc_error(error))
    return Outcome([neutral(document) for document in answer.documents], time.monotonic() - begun)


def judge_entry(part: Part, entry: Mapping[str, Any], outcome: Outcome) -> None:
    """Count one file in."""
    part.slowest_seconds = max(part.slowest_seconds, outcome.seconds)
    name = entry["file"]
    if outcome.seconds > MOST_SECONDS:
        part.behaved["in time"].append(False)
        part.failures.append(f"{name}: {outcome.seconds:.1f} s")
    else:
        part.behaved["in time"].append(True)
    if entry["expect"] != "read":
        reason = outcome.error.reason if outcome.error else ""
        wanted = reason == VISION_NEEDED if entry["expect"] == "vision" else outcome.is_refused
        part.behaved[entry["expect"]].append(wanted)
        if not wanted:
            part.failures.append(f"{name}: {entry['expect']} expected, {outcome.told}")
        return
    if outcome.error:
        part.failures.append(f"{name}: {outcome.told}")
    score = score_file(entry, outcome.documents)
    part.failures += [f"{name}: {failure}" for failure in score.failures]
    groups = ("all", f"layout {entry['layout']}", f"language {entry['language']}", f"kind {entry['kind']}")
    for group in groups:
        part.scores[group].add(score)


def _entries(folder: str) -> list[tuple[dict[str, Any], bytes]]:
    entries = json.loads((FIXTURES / folder / "expected.json").read_text(encoding="utf-8"))
    return [(entry, (FIXTURES / entry["file"]).read_bytes()) for entry in entries]


async def measure(folder: str) -> Part:
    """Read every file of a folder and score it."""
    part = Part()
    logs.configure("warning")
    settings = Settings(judge_provider=ProviderChoice.LOCAL, drain_seconds=0.2)
    running = await server.start("judge", judge.mount, settings)
    try:
        async with clients.channel(f"127.0.0.1:{running.port}", caller="test") as channel:
            stub = DocumentServiceStub(channel)
            for entry, content in _entries(folder):
                name = entry["file"].rpartition("/")[2]
                judge_entry(part, entry, await read(stub, name, content, entry["declared"]))
    finally:
        await running.stop()
    return part

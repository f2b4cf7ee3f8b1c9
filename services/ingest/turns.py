"""TurnsService: what was said in a conversation, written as it was said; a job reads it for facts afterwards.

Rules: a turn and its job are written in one transaction, or neither. The user's words are the memory; the assistant's
stand in its metadata, where they claim nothing. What the call takes for now goes with the job, which acts for it. How a
turn is read is in enrichment.py; it does not know SQL.
Source: REQUIREMENTS A1, D3.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from candor.ingest.v1 import turns_pb2 as pb
from candor.ingest.v1.turns_pb2_grpc import TurnsServiceServicer

from services.ingest import creation
from services.ingest.asking import Means, ask_of
from services.ingest.creation import New
from services.ingest.enrichment import KIND, MAX_ATTEMPTS, parameters
from services.ingest.enrichment_turn import ASSISTANT
from services.ingest.memories import written_message
from shared.domain import draft as drafts
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.extraction.facts import USER
from shared.domain.types import Draft, MemoryKind, MemoryType
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob
from shared.store.writes.memories import Written

USER_TEXT_MAX_CHARS = 20_000  # what judge reads at once
ASSISTANT_TEXT_MAX_CHARS = 16_000  # fits into metadata whatever the script
_FIELDS = {"content": "user_text", "metadata": "assistant_text"}
_REASONS = {"CONTENT_EMPTY": "TEXT_EMPTY", "METADATA_TOO_LARGE": "TEXT_TOO_LONG", "METADATA_INVALID": "TEXT_INVALID"}


class TurnsServicer(TurnsServiceServicer):
    """Serves TurnsService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def ObserveTurn(self, request: pb.ObserveTurnRequest, context: Context) -> pb.ObserveTurnResponse:
        """Write a turn and ask for its enrichment."""
        means, ask = self._means, ask_of(request, self._means.request_key)
        now = means.now()
        draft = _draft(request, wire.instant(request, "observed_at") or now)
        asked: list[UUID] = []

        async def also(connection: Connection, stands: Sequence[Written]) -> None:
            memory_id, real_now = stands[0].memory_id, means.real_now()
            job = NewJob(
                job_id=means.new_id(),
                tenant_id=ask.tenant_id,
                kind=KIND,
                due_at=real_now,
                created_at=real_now,
                max_attempts=MAX_ATTEMPTS,
                dedup_key=str(memory_id),
                parameters=parameters(memory_id, now),
            )
            asked[:] = [await jobs.enqueue(connection, job)]

        def respond(stands: Sequence[Written], operation_id: UUID | None) -> pb.ObserveTurnResponse:
            return pb.ObserveTurnResponse(
                memory=written_message(stands[0]),
                job_id=str(asked[0]),
                operation_id=str(operation_id) if operation_id else "",
            )

        item = creation.item_of(await means.revisions.of(ask.tenant_id), New(draft, b"", "", ""))
        answer = await creation.write(means, ask, [item], "observe-turn", respond, also=also)
        return pb.ObserveTurnResponse.FromString(answer)


def _draft(request: pb.ObserveTurnRequest, observed_at: datetime) -> Draft:
    """Return the memory of a turn. Raises: InvalidArgument naming every wrong field."""
    wrong = [
        Violation(field, "TEXT_TOO_LONG", f"has {len(text)} characters; at most {most}")
        for field, text, most in (
            ("user_text", request.user_text, USER_TEXT_MAX_CHARS),
            ("assistant_text", request.assistant_text, ASSISTANT_TEXT_MAX_CHARS),
        )
        if len(text) > most
    ]
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    said = {ASSISTANT: request.assistant_text} if request.assistant_text else {}
    try:
        return drafts.check(
            kind=MemoryKind.TURN,
            content=request.user_text,
            session=request.session if request.HasField("session") else None,
            speaker=(request.speaker if request.HasField("speaker") else "").strip() or USER,
            metadata_json=json.dumps(said, ensure_ascii=False),
            observed_at=observed_at,
            memory_type=MemoryType.EPISODIC,
        )
    except InvalidArgument as error:
        raise InvalidArgument.of_all(tuple(map(_named, error.violations))) from error


def _named(violation: Violation) -> Violation:
    """Return what is wrong under the names that the caller knows."""
    field = _FIELDS.get(violation.field.partition(".")[0].partition("[")[0], violation.field)
    return Violation(field, _REASONS.get(violation.reason, violation.reason), violation.description)

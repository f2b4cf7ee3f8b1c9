"""Candor from asynchronous Python.

    from candor_client import AsyncCandor

    async with AsyncCandor("http://127.0.0.1:7100", key) as candor:
        found = await candor.recall("until when can we stay in the building?")

Rules: every method sends one call of `calls`, or its pages; what may pass by itself is sent again as `sending` says.
Close it, or use it in a `with`. It does not know the wire.
Source: docs/cli.md.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Unpack

from . import calls, moving, sending, uploading
from .async_transport import AsyncTransport
from .options import (
    AccountOptions,
    AskOptions,
    AuditOptions,
    ChatOptions,
    DocumentFields,
    Filters,
    MeaningOptions,
    MemoryFields,
    RecallOptions,
    ResolveOptions,
)
from .papers import DocumentsRead, ProfitAndLoss
from .reports import AuditReport, Decision, Job, Key, MeaningReport, NewKey, RotatedKey
from .results import Answer, AnswerEvent, ChatEvent, Memory, Recall, Talk, WrittenMemory


class AsyncCandor(AsyncTransport):
    """A connection to Candor. Every method raises Problem; those that write take a `request_id`, or make one."""

    async def remember(
        self, content: str, *, kind: str = "note", request_id: str = "", **fields: Unpack[MemoryFields]
    ) -> WrittenMemory:
        """Write a memory; one that is there already is named instead (`existing`)."""
        return await self.send(calls.remember(content, kind, fields, request_id or self.new_request_id()))

    async def memory(self, memory_id: str, *, known_at: datetime | None = None) -> Memory:
        """Read a memory, now or as it was known then."""
        return await self.send(calls.memory(memory_id, known_at))

    def memories(self, *, state: str = "", **filters: Unpack[Filters]) -> AsyncIterator[Memory]:
        """List memories, newest first, page by page as they are read."""
        return self.each(calls.memories(filters, state))

    async def recall(self, query: str, **options: Unpack[RecallOptions]) -> Recall:
        """Rank memories against a query, with every conflict they take part in."""
        return await self.send(calls.recall(query, options))

    async def ask(self, question: str, *, request_id: str = "", **options: Unpack[AskOptions]) -> Answer:
        """Answer a question in sentences that cite memories."""
        return await self.send(calls.ask(question, options, request_id or self.new_request_id()))

    def ask_stream(
        self, question: str, *, request_id: str = "", **options: Unpack[AskOptions]
    ) -> AsyncIterator[AnswerEvent]:
        """Answer as it comes: what was found, passages, and the whole, which counts."""
        return self._events(
            calls.ask_stream(question, options, request_id or self.new_request_id()), calls.ANSWER_EVENTS
        )

    async def chat(
        self, message: str, *, now: datetime | None = None, request_id: str = "", **options: Unpack[ChatOptions]
    ) -> Talk:
        """Say something; `now` is the instant that is taken for now, where the server allows it."""
        return await self.send(calls.chat(message, options, now, request_id or self.new_request_id()))

    def chat_stream(
        self, message: str, *, now: datetime | None = None, request_id: str = "", **options: Unpack[ChatOptions]
    ) -> AsyncIterator[ChatEvent]:
        """Say something; what was heard, passages of the reply, and the whole, which counts."""
        call = calls.chat_stream(message, options, now, request_id or self.new_request_id())
        return self._events(call, calls.CHAT_EVENTS)

    async def audit(self, **options: Unpack[AuditOptions]) -> AuditReport:
        """Audit the whole memory; nothing is written."""
        return await self.send(calls.audit(options))

    async def audit_meaning(self, **options: Unpack[MeaningOptions]) -> MeaningReport:
        """Judge the nearest pairs of memories; nothing is written to them."""
        return await self.send(calls.audit_meaning(options))

    async def account(self, **options: Unpack[AccountOptions]) -> ProfitAndLoss:
        """Read the profit and loss account."""
        return await self.send(calls.account(options))

    async def read_documents(
        self, files: Sequence[tuple[str, bytes]], *, request_id: str = "", **fields: Unpack[DocumentFields]
    ) -> DocumentsRead:
        """Have documents read, given as names and bytes, and what they say remembered."""
        return await self.send(calls.documents(files, fields, request_id or self.new_request_id()))

    async def documents_of(self, job_id: str) -> DocumentsRead:
        """Read what a job made of documents."""
        return await self.send(calls.documents_of(job_id))

    async def import_memories(
        self, file: Path, *, bulk: bool = False, import_id: str = "", sent: Callable[[int], None] = uploading.quiet
    ) -> moving.ImportProgress:
        """Write a file of memories, one a line; `sent` hears how many bytes are on their way. Wrong lines are told."""
        call = uploading.memories(bulk)
        named = import_id or self.new_request_id()
        return sending.result(call, await self.upload(call.path, file, call.query, named, sent))

    async def resolve(
        self,
        subject: str,
        attribute: str,
        selected_memory_id: str,
        *,
        reason: str,
        request_id: str = "",
        **options: Unpack[ResolveOptions],
    ) -> Decision:
        """Decide a conflict: what the other sides say of this attribute ends, and nothing else."""
        named = request_id or self.new_request_id()
        return await self.send(calls.resolve(subject, attribute, selected_memory_id, reason, options, named))

    def jobs(self, *, status: str = "", kind: str = "") -> AsyncIterator[Job]:
        """List background jobs."""
        return self.each(calls.jobs(status, kind))

    async def job(self, job_id: str) -> Job:
        """Read a background job."""
        return await self.send(calls.job(job_id))

    def keys(self) -> AsyncIterator[Key]:
        """List the tenant's keys."""
        return self.each(calls.keys())

    async def create_key(
        self, name: str, scopes: Sequence[str], *, expires_at: datetime | None = None, request_id: str = ""
    ) -> NewKey:
        """Make a key; scopes are read, write, audit and admin."""
        return await self.send(calls.create_key(name, scopes, expires_at, request_id or self.new_request_id()))

    async def rotate_key(self, key_id: str, *, grace_seconds: int | None = None, request_id: str = "") -> RotatedKey:
        """Replace a key by a new one."""
        return await self.send(calls.rotate_key(key_id, grace_seconds, request_id or self.new_request_id()))

    async def revoke_key(self, key_id: str, *, force: bool = False, request_id: str = "") -> None:
        """End a key; the last one that makes others only with `force`."""
        await self.text(calls.revoke_key(key_id, force, request_id or self.new_request_id()))

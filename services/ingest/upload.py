"""The lines of one upload on their way into the database.

Rules: some hundred lines are one transaction, in which the upload's standing goes on too; one batch is checked while
the one before it is written, and no more is held. A line that is wrong is noted and skipped. In bulk, vectors go beside
the index, and a job that moves them is asked for: for the end of the upload, or earlier when many wait there. Since
recall searches them whole, the upload waits for the job when they are too many.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from candor.ingest.v1 import bulk_pb2 as pb

from services.ingest import creation, indexing
from services.ingest.asking import Ask, Means
from services.ingest.creation import Item, New
from services.ingest.drafts import draft_of
from services.ingest.revising import Derive
from shared.domain.errors import CandorError, Conflict, FailedPrecondition, InvalidArgument, Overloaded
from shared.store.pool import Connection, run
from shared.store.writes import imports, jobs, plans, staging
from shared.store.writes.imports import ImportMode, LineFault, Standing, Step
from shared.store.writes.jobs import NewJob
from shared.store.writes.memories import Written
from shared.store.writes.plans import Generation

BATCH_LINES = 500  # of one transaction; chosen, untested
FAULTS_KEPT = 100
DESCRIPTION_MAX_CHARS = 300
STAGED_MAX = 30_000  # vectors beside the index: recall searches them whole, 1.5 to 2 ms for 1,000 on two busy cores
INDEX_DELAY = timedelta(minutes=1)  # an upload is faster alone; a cut one does not ask; chosen, untested
STAGED_CHECK_BATCHES = 10  # counting costs about as much as writing some lines
WAIT_SECONDS = 0.5
PATIENCE_SECONDS = 60.0  # without any progress of the job; chosen, untested


@dataclass(frozen=True, slots=True)
class _Batch:
    """Lines ready to be written: what they say, what is wrong with the others, and the last line's number."""

    items: Sequence[Item]
    faults: Sequence[LineFault]
    last_line: int


class Upload:
    """Takes lines and writes them in batches; the counts are of what is committed."""

    def __init__(self, means: Means, ask: Ask, standing: Standing, generation: Generation, derive: Derive) -> None:
        self.lines, self.written = standing.lines, standing.written
        self.existing, self.failed = standing.existing, standing.failed
        self.faults = standing.faults
        self._means = means
        self._ask = ask
        self._is_bulk = standing.mode is ImportMode.BULK
        self._generation = generation
        self._derive = derive
        self._taken = standing.lines  # the last line that was taken up
        self._waiting: list[pb.ImportLine] = []
        self._writing: asyncio.Task[None] | None = None
        self._batches = 0
        self._is_staged = False

    @classmethod
    async def of(cls, means: Means, ask: Ask, standing: Standing) -> "Upload":
        """Return an upload that goes on from where it stands."""
        generation = await run(means.pool, ask.tenant_id, plans.generation, read_only=True)
        return cls(means, ask, standing, generation, await means.revisions.of(ask.tenant_id))

    async def add(self, lines: Sequence[pb.ImportLine]) -> None:
        """Take lines; return when there is room for more. Lines that were dealt with before are passed over.

        Raises: InvalidArgument LINES_NOT_RISING, and whatever writing raises.
        """
        former = 0
        for line in lines:
            if line.number <= former:
                raise InvalidArgument.of("lines.number", "LINES_NOT_RISING", f"{line.number} comes after {former}")
            former = line.number
            if line.number > self._taken:
                self._waiting.append(line)
                self._taken = line.number
        while len(self._waiting) >= BATCH_LINES:
            await self._submit(BATCH_LINES)

    async def finish(self) -> None:
        """Write what is left and wait for it."""
        if self._waiting:
            await self._submit(len(self._waiting))
        await self._settle()
        if self._is_staged:
            await run(self._means.pool, self._ask.tenant_id, self._ask_for_index)

    async def stop(self) -> None:
        """Write nothing more; of no effect after `finish`."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)

    async def _submit(self, count: int) -> None:
        lines, self._waiting = self._waiting[:count], self._waiting[count:]
        batch = await self._means.off_loop(count, partial(self._checked, lines))
        await self._settle()
        self._writing = asyncio.create_task(self._write(batch))

    async def _settle(self) -> None:
        writing, self._writing = self._writing, None
        if writing is not None:
            await writing

    def _checked(self, lines: Sequence[pb.ImportLine]) -> _Batch:
        items, faults = [], []
        for line in lines:
            try:
                items.append(self._item(line))
            except (InvalidArgument, FailedPrecondition) as error:
                faults.append(_fault(line.number, error))
        return _Batch(items, faults, lines[-1].number)

    def _item(self, line: pb.ImportLine) -> Item:
        if line.WhichOneof("content") != "memory":
            wrong = line.refused
            raise InvalidArgument.of(
                wrong.field or "body", wrong.reason or "LINE_EMPTY", wrong.description or "is empty"
            )
        new = New(draft_of(line.memory), line.memory.embedding, line.memory.embedding_model, "embedding")
        read = creation.given(new, self._generation)
        return creation.item_of(self._derive, new, (self._generation, read) if read else None)

    async def _write(self, batch: _Batch) -> None:
        if self._is_bulk and self._batches % STAGED_CHECK_BATCHES == 0:
            await self._wait_for_index()
        self._batches += 1
        from_line, faults = self.lines, (*self.faults, *batch.faults)[:FAULTS_KEPT]
        step = Step(batch.last_line, 0, 0, len(batch.faults), faults)

        async def note(connection: Connection, stands: Sequence[Written]) -> None:
            nonlocal step
            existing = sum(written.existing for written in stands)
            step = Step(batch.last_line, len(stands) - existing, existing, len(batch.faults), faults)
            now, ask = self._means.now(), self._ask
            if not await imports.advance(connection, ask.tenant_id, ask.request_id, from_line, step, now):
                raise Conflict("IMPORT_RUNNING", "another upload under the same id is on its way")
            if self._is_bulk and step.written:
                self._is_staged = True
                await self._ask_for_index(connection, after=INDEX_DELAY)

        if batch.items:
            await creation.write(
                self._means, self._ask, batch.items, "import", _counted, is_staged=self._is_bulk, also=note
            )
        else:
            await run(self._means.pool, self._ask.tenant_id, partial(note, stands=()))
        self.lines, self.faults = step.lines, faults
        self.written += step.written
        self.existing += step.existing
        self.failed += step.failed

    async def _ask_for_index(self, connection: Connection, after: timedelta = timedelta(0)) -> None:
        now = self._means.real_now()
        job = NewJob(self._means.new_id(), self._ask.tenant_id, indexing.KIND, now + after, now, indexing.MAX_ATTEMPTS)
        await jobs.enqueue(connection, job)

    async def _wait_for_index(self) -> None:
        """Ask for the job when much waits for it; wait for it when too much does. Raises: Overloaded INDEX_BEHIND."""
        number, tenant_id = self._generation.number, self._ask.tenant_id
        count = partial(staging.count, tenant_id=tenant_id, generation=number, limit=2 * STAGED_MAX)
        least, waited_seconds = 2 * STAGED_MAX + 1, 0.0
        while (waiting := await run(self._means.pool, tenant_id, count, read_only=True)) >= STAGED_MAX // 2:
            await run(self._means.pool, tenant_id, self._ask_for_index)
            if waiting < STAGED_MAX:
                return
            if waiting < least:
                least, waited_seconds = waiting, 0.0
            elif waited_seconds >= PATIENCE_SECONDS:
                why = "too many vectors wait for the index, and nothing moves them; is a worker running?"
                raise Overloaded("INDEX_BEHIND", why, retry_after_seconds=PATIENCE_SECONDS)
            await asyncio.sleep(WAIT_SECONDS)
            waited_seconds += WAIT_SECONDS


def _counted(stands: Sequence[Written], operation_id: object) -> pb.ImportMemoriesResponse:
    """Return an answer that nobody reads: what became of the lines is noted with the upload."""
    return pb.ImportMemoriesResponse(lines=len(stands))


def _fault(line: int, error: CandorError) -> LineFault:
    if error.violations:
        wrong = error.violations[0]
        return LineFault(line, wrong.field, wrong.reason, wrong.description[:DESCRIPTION_MAX_CHARS])
    return LineFault(line, "embedding", error.reason, error.message[:DESCRIPTION_MAX_CHARS])

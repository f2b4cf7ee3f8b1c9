"""An archive on its way into the database, some hundred lines at a time.

Rules: a batch is one transaction, in which the import's standing goes on too; what is held is one batch. The first one
finds the tenant empty or ends the import. The first wrong line ends it too, once what comes before it is written; a dry
run looks at all and writes nothing. Vectors are asked for in one call for a batch, outside of the transaction.
It does not know SQL.
Source: REQUIREMENTS F6.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from candor.ingest.v1 import archive_pb2 as pb

from services.ingest.archive_reading import Lines, Reading
from services.ingest.asking import Ask, Means
from shared.domain.archive_order import Order
from shared.domain.errors import Conflict, InvalidArgument
from shared.domain.revision import Revision, average_length
from shared.store.pool import Connection, run
from shared.store.writes import archive, events, imports, plans
from shared.store.writes.archive import Kept
from shared.store.writes.imports import LineFault, Standing, Step
from shared.store.writes.plans import Basis
from shared.store.writes.vectors import Embedded

BATCH_LINES = 500  # of one transaction; chosen, untested
BATCH_BYTES = 4 * 1024 * 1024  # with fewer lines, where they are long; chosen, untested
FAULTS_KEPT = 100


class ArchiveUpload:
    """Takes lines and writes them in batches; the counts are of what is committed, or was looked at."""

    def __init__(self, means: Means, ask: Ask, standing: Standing | None, reading: Reading) -> None:
        """`standing` None: a dry run."""
        self.lines = standing.lines if standing else 0
        self.memories = standing.written if standing else 0
        self.failed = 0
        self.faults: tuple[LineFault, ...] = ()
        self.parts: Counter[str] = Counter()
        self._means = means
        self._ask = ask
        self._reading = reading
        self._is_dry = standing is None
        self._taken = self.lines  # the last line that was taken up
        self._waiting: list[pb.ArchiveLine] = []
        self._waiting_bytes = 0

    @classmethod
    async def of(cls, means: Means, ask: Ask, standing: Standing | None) -> "ArchiveUpload":
        """Return an import that goes on from where it stands."""
        order = Order(from_the_start=standing is None or standing.lines == 0)
        order.is_whole = standing is not None and standing.is_whole
        derive = await means.revisions.of(ask.tenant_id)
        return cls(means, ask, standing, Reading(derive, order, goes_on=standing is None))

    @property
    def is_whole(self) -> bool:
        """Whether the archive's end has come."""
        return self._reading.is_whole

    async def add(self, lines: Sequence[pb.ArchiveLine]) -> None:
        """Take lines; return when there is room for more. Lines that were dealt with before are passed over.

        Raises: InvalidArgument LINES_NOT_RISING, ARCHIVE_LINE_INVALID, and whatever writing raises.
        """
        former = 0
        for line in lines:
            if line.number <= former:
                raise InvalidArgument.of("lines.number", "LINES_NOT_RISING", f"{line.number} comes after {former}")
            former = line.number
            if line.number > self._taken:
                self._waiting.append(line)
                self._waiting_bytes += line.ByteSize()
                self._taken = line.number
            if len(self._waiting) >= BATCH_LINES or self._waiting_bytes >= BATCH_BYTES:
                await self._take()

    async def finish(self) -> None:
        """Take what is left."""
        if self._waiting:
            await self._take()

    async def _take(self) -> None:
        lines, self._waiting, self._waiting_bytes = self._waiting, [], 0
        found = await self._means.off_loop(len(lines), partial(self._reading.read, lines, self.lines))
        if found.last > self.lines:
            if not self._is_dry:
                await self._write(found)
            self.lines = found.last
            self.memories += _current(found)
            self.parts.update(found.counts)
        self.failed += len(found.faults)
        self.faults = (*self.faults, *found.faults)[:FAULTS_KEPT]
        if found.faults and not self._is_dry:
            raise _invalid(found.faults[0])

    async def _write(self, found: Lines) -> None:
        means, ask, from_line = self._means, self._ask, self.lines
        basis = await run(means.pool, ask.tenant_id, partial(plans.basis, tenant_id=ask.tenant_id), read_only=True)
        embedded = await self._embedded([revision for _, revision in found.memories if revision], basis)
        memories = await means.off_loop(len(found.memories), partial(_kept, found, embedded, basis))
        now = means.now()
        operation = ask.operation(means.new_id(), archive.ACTION, now)
        step = Step(found.last, _current(found), 0, 0, ())

        async def work(connection: Connection) -> None:
            if from_line == 0 and not await archive.is_empty(connection, ask.tenant_id):
                raise not_empty()
            if not await imports.advance(connection, ask.tenant_id, ask.request_id, from_line, step, now):
                raise Conflict("IMPORT_RUNNING", "another upload under the same id is on its way")
            await events.insert_operation(connection, operation)
            await archive.write(connection, operation, basis.generation.number, memories, found.others, means.new_id)
            if self.is_whole:
                await archive.settle(connection, ask.tenant_id, ask.request_id)

        await run(means.pool, ask.tenant_id, work)
        live = [kept.revision for kept in memories if kept.is_live and kept.revision]
        means.statistics.add(ask.tenant_id, live)
        means.upkeep.note(ask.tenant_id, len(live))

    async def _embedded(self, revisions: Sequence[Revision], basis: Basis) -> list[Embedded]:
        texts = [revision.embedded_texts() for revision in revisions]
        flat = [text for part in texts for text in part]
        vectors = await self._means.embedder.embed(self._ask.tenant_id, flat, basis.generation)
        made, start = [], 0
        for revision, part in zip(revisions, texts, strict=True):
            made.append(Embedded(revision.passages, vectors[start : start + len(part)]))
            start += len(part)
        return made


def not_empty() -> Conflict:
    """Return the error for a tenant that has something already."""
    return Conflict(
        "TENANT_NOT_EMPTY", "only a tenant without memories, settings, decisions and findings takes an archive"
    )


def _current(found: Lines) -> int:
    return sum(record["current"] for record, _ in found.memories)


def _kept(found: Lines, embedded: Sequence[Embedded], basis: Basis) -> list[Kept]:
    revisions = [revision for _, revision in found.memories if revision]
    lengths = Counter(len(revision.terms) for revision in revisions)
    average = average_length(lengths, memories=basis.memories, terms=basis.terms)
    given = iter(embedded)
    return [
        Kept(record, revision, revision.weights(average), next(given)) if revision else Kept(record, None, {}, None)
        for record, revision in found.memories
    ]


def _invalid(fault: LineFault) -> InvalidArgument:
    named = {"line": str(fault.line), "field": fault.field, "cause": fault.reason, "next_line": str(fault.line)}
    told = f"line {fault.line}, {fault.field}: {fault.description}; the lines before it are written"
    return InvalidArgument("ARCHIVE_LINE_INVALID", told, metadata=named)

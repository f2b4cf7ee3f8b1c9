"""ConflictsService: what may be wrong with a tenant's memory, streamed for the audit.

Rules: totals, then groups, then duplicates, then missing records, each in the order of its key. One page is in hand at
a time, each read in a short transaction of its own; all hold as of the instant in the totals, and by the settings of
that instant, so later writes do not show. What was settled in the meantime may be left out. A stream that goes on
begins with totals as well. It does not judge.
Source: REQUIREMENTS C1, C2.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from candor.retrieve.v1 import conflicts_pb2 as pb
from candor.retrieve.v1.conflicts_pb2_grpc import ConflictsServiceServicer

from services.retrieve.filters import limits_of
from services.retrieve.page_tokens import Place, Tokens, from_instant, to_instant
from shared.domain.findings import Absence
from shared.domain.opposition import Assertion
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run
from shared.store.reads import conflicts, settings
from shared.store.reads.conflicts import Copies, GroupKey, Limits, RecordKey, Totals
from shared.store.reads.settings import Version

PAGE_SIZE = 500  # keys looked up at once (chosen, untested)
T = TypeVar("T")

# The parts of the stream, as they stand in a resume token.
GROUPS, DUPLICATES, MISSING = range(3)
_BEGINNINGS: tuple[Place, ...] = (("", "", ""), ("",), ("", ""))


@dataclass(frozen=True, slots=True)
class Look:
    """What one stream looks at, as of when, and how it seals its tokens."""

    limits: Limits
    known_at: datetime
    tokens: Tokens

    def token(self, part: int, place: Place) -> str:
        """Return the token that goes on after a place in a part."""
        return self.tokens.seal((from_instant(self.known_at), part, *place))


class Conflicts(ConflictsServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, token_key: bytes, now: Callable[[], datetime], page_size: int = PAGE_SIZE) -> None:
        self._pool = pool
        self._token_key = token_key
        self._now = now
        self._page_size = page_size

    async def StreamConflicts(
        self, request: pb.StreamConflictsRequest, context: Context
    ) -> AsyncIterator[pb.StreamConflictsResponse]:
        """Stream the raw material of a field audit."""
        limits = limits_of(request)
        tokens = Tokens(self._token_key, limits.tenant_id, request, "resume_token")
        token = tokens.open(request.resume_token)
        part, place = GROUPS, _BEGINNINGS[GROUPS]
        known_at = None
        if token is not None:
            known_at, part, place = to_instant(token[0]), int(token[1]), token[2:]

        async def begin(connection: Connection) -> tuple[Totals, Version]:
            # Settings that were declared after the stream began are for the next one.
            version = await settings.in_force(connection, limits.tenant_id, known_at)
            return await conflicts.totals(connection, limits), version

        totals, version = await self._read(limits, begin)
        if known_at is None:
            # The clocks of writers may be ahead of ours: whatever is stored by now is looked at.
            now = self._now()
            known_at = max(now, totals.newest_at or now, version.recorded_at or now)
        look = Look(limits, known_at, tokens)
        message = pb.Totals(
            memories=totals.memories,
            records=totals.records,
            known_at=wire.to_timestamp(look.known_at),
            settings=wire.to_settings(version.policy),
            settings_version=version.version,
        )
        yield pb.StreamConflictsResponse(totals=message, resume_token=look.token(part, place))
        streams = (self._groups, self._duplicates, self._missing)
        for number in range(part, len(streams)):
            async for response in streams[number](look, place if number == part else _BEGINNINGS[number]):
                yield response

    async def _groups(self, look: Look, place: Place) -> AsyncIterator[pb.StreamConflictsResponse]:
        after: GroupKey = (str(place[0]), str(place[1]), str(place[2]))
        while True:

            async def page(
                connection: Connection, after: GroupKey = after
            ) -> tuple[list[GroupKey], list[list[Assertion]]]:
                keys = await conflicts.group_keys(connection, look.limits, after, self._page_size)
                found = await conflicts.groups(connection, look.limits, keys, look.known_at) if keys else []
                return keys, found

            keys, found = await self._read(look.limits, page)
            for group in found:
                first = group[0]
                yield pb.StreamConflictsResponse(
                    group=pb.AssertionGroup(assertions=[wire.to_assertion(assertion) for assertion in group]),
                    resume_token=look.token(GROUPS, (first.company_key, first.record_key, first.claim.attribute)),
                )
            if len(keys) < self._page_size:
                return
            after = keys[-1]

    async def _duplicates(self, look: Look, place: Place) -> AsyncIterator[pb.StreamConflictsResponse]:
        after = bytes.fromhex(str(place[0]))
        while True:

            async def page(connection: Connection, after: bytes = after) -> tuple[list[bytes], list[Copies]]:
                contents = await conflicts.repeated_contents(connection, look.limits, after, self._page_size)
                found = await conflicts.copies(connection, look.limits, contents, look.known_at) if contents else []
                return contents, found

            contents, found = await self._read(look.limits, page)
            for copies in found:
                yield pb.StreamConflictsResponse(
                    duplicate=_duplicate(copies), resume_token=look.token(DUPLICATES, (copies.content_hash.hex(),))
                )
            if len(contents) < self._page_size:
                return
            after = contents[-1]

    async def _missing(self, look: Look, place: Place) -> AsyncIterator[pb.StreamConflictsResponse]:
        after: RecordKey = (str(place[0]), str(place[1]))
        while True:

            async def page(connection: Connection, after: RecordKey = after) -> tuple[list[RecordKey], list[Absence]]:
                records = await conflicts.missing_records(connection, look.limits, after, self._page_size)
                found = await conflicts.absences(connection, look.limits, records, look.known_at) if records else []
                return records, found

            records, found = await self._read(look.limits, page)
            for absence in found:
                yield pb.StreamConflictsResponse(
                    missing=_missing(absence),
                    resume_token=look.token(MISSING, (absence.company_key, absence.record_key)),
                )
            if len(records) < self._page_size:
                return
            after = records[-1]

    async def _read(self, limits: Limits, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await run(self._pool, limits.tenant_id, work, read_only=True)


def _duplicate(copies: Copies) -> pb.DuplicateGroup:
    return pb.DuplicateGroup(
        memory_ids=[str(memory_id) for memory_id in copies.memory_ids],
        memory_count=copies.memory_count,
        company=copies.company,
        record=copies.record,
        content_hash=copies.content_hash.hex(),
    )


def _missing(absence: Absence) -> pb.MissingRecord:
    return pb.MissingRecord(
        company=absence.company,
        company_key=absence.company_key,
        record=absence.subject,
        record_key=absence.record_key,
        referrers=[
            pb.RecordReferrer(memory_id=str(referrer.memory_id), source_ref=referrer.source_ref)
            for referrer in absence.referenced_by
        ],
        referrer_count=absence.referrer_count,
    )

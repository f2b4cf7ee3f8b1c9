"""ConflictsService: what may be wrong with a tenant's memory, streamed for the audit.

Rules: totals, then groups, duplicates, missing records, missing counterparts and dependencies, each in the order of its
key. All hold as of the instant in the totals, and by the settings of that instant, so later writes do not show. What
was settled in the meantime may be left out. A stream that goes on begins with totals as well. With `since` only what
was written to since is looked at, unless that is too much, or what was found then no longer follows from the data
alone: other settings, another policy, another copy of the database; then everything is, and the totals say so. It does
not judge.
Source: REQUIREMENTS C1, C2.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from candor.retrieve.v1 import conflicts_pb2 as pb
from candor.retrieve.v1.conflicts_pb2_grpc import ConflictsServiceServicer

from services.retrieve.conflict_pages import Pages, ahead
from services.retrieve.filters import limits_of
from services.retrieve.page_tokens import Place, Tokens, from_instant, to_instant
from shared.domain.counterpart import EXPECTATIONS
from shared.domain.ladder import POLICY_VERSION
from shared.domain.opposition import Assertion
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run
from shared.store.reads import conflicts, settings, touched
from shared.store.reads.conflicts import Limits, Totals
from shared.store.reads.settings import Version
from shared.store.reads.touched import Point, Touched

PAGE_SIZE = 500  # keys looked up at once (chosen, untested)
TOUCHED_MAX = 20_000  # memories or attributes of a delta, all in hand; beyond, one pass over everything is no slower
MESSAGE_MAX_GROUPS = 50  # of one message: less than a tenth of a message's cost is left to each (measured)
MESSAGE_MAX_ASSERTIONS = 500  # or one group (chosen)

# The parts of the stream, as they stand in a resume token.
GROUPS, DUPLICATES, MISSING, COUNTERPARTS, DEPENDENCIES = range(5)
_BEGINNINGS: tuple[Place, ...] = (("", "", ""), ("",), ("", ""), (0, "", ""), ("", "", str(UUID(int=0))))

Responses: TypeAlias = AsyncGenerator[pb.StreamConflictsResponse, None]


@dataclass(frozen=True, slots=True)
class Look:
    """What one stream looks at, and how it seals its tokens."""

    pages: Pages
    point: Point
    tokens: Tokens

    def token(self, part: int, place: Place) -> str:
        """Return the token that goes on after a place in a part."""
        return self.tokens.seal((from_instant(self.pages.known_at), self.point.snapshot, part, *place))


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is read before anything is streamed."""

    point: Point
    version: Version
    totals: Totals
    touched: Touched | None


class Conflicts(ConflictsServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, token_key: bytes, now: Callable[[], datetime], page_size: int = PAGE_SIZE) -> None:
        self._pool = pool
        self._token_key = token_key
        self._now = now
        self._page_size = page_size

    async def StreamConflicts(self, request: pb.StreamConflictsRequest, context: Context) -> Responses:
        """Stream the raw material of a field audit."""
        limits = limits_of(request)
        tokens = Tokens(self._token_key, limits.tenant_id, request, "resume_token")
        # A point is no filter: it is sealed for the tenant alone, apart from what resumes.
        points = Tokens(self._token_key, limits.tenant_id, pb.Totals(), "since")
        token, since = tokens.open(request.resume_token), points.open(request.since)
        part, place = GROUPS, _BEGINNINGS[GROUPS]
        known_at = None
        if token is not None:
            known_at, part, place = to_instant(token[0]), int(token[2]), token[3:]
        begin = await self._begin(limits, since, known_at)
        point = begin.point if token is None else Point(begin.point.epoch, str(token[1]))
        if known_at is None:
            # The clocks of writers may be ahead of ours: whatever is stored by now is looked at.
            now = self._now()
            known_at = max(now, begin.totals.newest_at or now, begin.version.recorded_at or now)
        look = Look(Pages(self._pool, limits, known_at, self._page_size, begin.touched), point, tokens)
        message = pb.Totals(
            memories=begin.totals.memories,
            records=begin.totals.records,
            known_at=wire.to_timestamp(known_at),
            settings=wire.to_settings(begin.version.policy),
            settings_version=begin.version.version,
            next_since=points.seal(_mark(point, begin.version)),
            delta=begin.touched is not None,
        )
        yield pb.StreamConflictsResponse(totals=message, resume_token=look.token(part, place))
        streams = (_groups, _duplicates, _missing, _counterparts, _dependencies)
        for number in range(part, len(streams)):
            async with aclosing(streams[number](look, place if number == part else _BEGINNINGS[number])) as responses:
                async for response in responses:
                    yield response

    async def _begin(self, limits: Limits, since: Place | None, known_at: datetime | None) -> Beginning:
        async def read(connection: Connection) -> Beginning:
            point = await touched.point(connection)
            # Settings that were declared after the stream began are for the next one.
            version = await settings.in_force(connection, limits.tenant_id, known_at)
            found = None
            if since is not None and _mark(Point(point.epoch, str(since[1])), version) == tuple(since):
                found = await touched.since(connection, limits, str(since[1]), TOUCHED_MAX)
            if found is None:
                return Beginning(point, version, await conflicts.totals(connection, limits), None)
            newest_at = await conflicts.newest_at(connection, limits.tenant_id)
            return Beginning(point, version, Totals(found.memories, found.own_records, newest_at), found)

        return await run(self._pool, limits.tenant_id, read, read_only=True)


def _mark(point: Point, version: Version) -> tuple[str | int, ...]:
    """Return what a point stands for: findings follow from what was committed, settings and policy, nothing else."""
    return point.epoch, point.snapshot, version.version, POLICY_VERSION


async def _groups(look: Look, place: Place) -> Responses:
    after = (str(place[0]), str(place[1]), str(place[2]))
    async for page in ahead(look.pages.groups(after)):
        message, held = pb.StreamConflictsResponse(), 0
        for group in page:
            if held and (
                held + len(group) > MESSAGE_MAX_ASSERTIONS or len(message.groups.groups) == MESSAGE_MAX_GROUPS
            ):
                yield message
                message, held = pb.StreamConflictsResponse(), 0
            first = group[0]
            message.resume_token = look.token(GROUPS, (first.company_key, first.record_key, first.claim.attribute))
            message.groups.groups.append(_group(group, message.resume_token))
            held += len(group)
        if held:
            yield message


async def _duplicates(look: Look, place: Place) -> Responses:
    async for page in ahead(look.pages.duplicates(bytes.fromhex(str(place[0])))):
        for copies in page:
            message = pb.DuplicateGroup(
                memory_ids=[str(memory_id) for memory_id in copies.memory_ids],
                memory_count=copies.memory_count,
                company=copies.company,
                record=copies.record,
                content_hash=copies.content_hash.hex(),
            )
            token = look.token(DUPLICATES, (copies.content_hash.hex(),))
            yield pb.StreamConflictsResponse(duplicate=message, resume_token=token)


async def _missing(look: Look, place: Place) -> Responses:
    async for page in ahead(look.pages.missing((str(place[0]), str(place[1])))):
        for absence in page:
            token = look.token(MISSING, (absence.company_key, absence.record_key))
            yield pb.StreamConflictsResponse(missing=wire.to_missing(absence), resume_token=token)


async def _counterparts(look: Look, place: Place) -> Responses:
    first, after = int(place[0]), (str(place[1]), str(place[2]))
    for number in range(first, len(EXPECTATIONS)):
        async for page in ahead(look.pages.counterparts(number, after if number == first else ("", ""))):
            for absence in page:
                message = pb.MissingCounterpart(expected=absence.expected or "", record=wire.to_missing(absence))
                token = look.token(COUNTERPARTS, (number, absence.company_key, absence.record_key))
                yield pb.StreamConflictsResponse(counterpart=message, resume_token=token)


async def _dependencies(look: Look, place: Place) -> Responses:
    after = (str(place[0]), str(place[1]), UUID(str(place[2])))
    async for page in ahead(look.pages.dependencies(after)):
        for key, dependent, groups in page:
            message = wire.to_dependency(dependent, groups)
            token = look.token(DEPENDENCIES, (key[0], key[1], str(key[2])))
            yield pb.StreamConflictsResponse(dependency=message, resume_token=token)


def _group(group: list[Assertion], token: str) -> pb.AssertionGroup:
    return pb.AssertionGroup(assertions=[wire.to_assertion(assertion) for assertion in group], resume_token=token)

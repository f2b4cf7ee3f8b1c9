"""FindingsService of retrieve: recorded findings, in a list or as they change.

Rules: a list is newest first, cut by (first seen, id). Changes come in the order in which they were committed, and none
is passed over; a cursor of a database that was restored elsewhere is refused, because it counts in another order. A
finding of another tenant is not there.
Source: REQUIREMENTS C8.
"""

from candor.memory.v1 import finding_pb2, semantic_pb2
from candor.retrieve.v1 import findings_pb2 as pb
from candor.retrieve.v1.findings_pb2_grpc import FindingsServiceServicer

from services.retrieve.filters import Reader
from services.retrieve.page_tokens import Tokens, from_instant, to_instant
from shared.domain.errors import InvalidArgument, NotFound
from shared.domain.findings import FindingKind, FindingState
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run
from shared.store.reads import findings
from shared.store.reads.findings import Cursor, Finding, Horizon, Wanted

DEFAULT_LIMIT = 20  # the contract's


class Findings(FindingsServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, token_key: bytes) -> None:
        self._pool = pool
        self._token_key = token_key

    async def GetFinding(self, request: pb.GetFindingRequest, context: Context) -> pb.GetFindingResponse:
        """Read one finding. Raises: NotFound FINDING_NOT_FOUND."""
        reader = Reader(request)
        tenant_id, finding_id = wire.tenant(request), reader.label("finding_id") or ""
        reader.check()

        async def read(connection: Connection) -> Finding | None:
            return await findings.get(connection, tenant_id, finding_id)

        found = await run(self._pool, tenant_id, read, read_only=True)
        if found is None:
            named = {"finding_id": finding_id}
            raise NotFound("FINDING_NOT_FOUND", "there is no such finding", metadata=named)
        return pb.GetFindingResponse(finding=_message(found))

    async def ListFindings(self, request: pb.ListFindingsRequest, context: Context) -> pb.ListFindingsResponse:
        """Read one page of findings, or of changes."""
        tenant_id, reader = wire.tenant(request), Reader(request)
        wanted = Wanted(tenant_id, _state(request.state), _kind(request.kind), reader.company())
        limit = reader.limit(DEFAULT_LIMIT)
        reader.check()
        if request.page_token and request.since_cursor:
            raise InvalidArgument.of("since_cursor", "SINCE_CURSOR_INVALID", "cannot be given with page_token")
        # Every filter may be used with any cursor of the tenant: a cursor is a place among all changes.
        cursors = Tokens(self._token_key, tenant_id, pb.ListFindingsRequest(), "since_cursor")
        if request.since_cursor:
            return await self._changes(wanted, cursors, request.since_cursor, limit)
        tokens = Tokens(self._token_key, tenant_id, request, "page_token")
        token = tokens.open(request.page_token)
        after = (to_instant(token[0]), str(token[1])) if token else None

        async def read(connection: Connection) -> tuple[list[Finding], Horizon]:
            return await findings.page(connection, wanted, after, limit + 1), await findings.horizon(connection)

        found, horizon = await run(self._pool, tenant_id, read, read_only=True)
        listed = found[:limit]
        next_token = ""
        if len(listed) < len(found):
            first_seen_at, finding_id = listed[-1].place
            next_token = tokens.seal((from_instant(first_seen_at), finding_id))
        cursor = "" if token else _sealed(cursors, horizon, (horizon.transaction - 1, _AFTER_ALL))
        return pb.ListFindingsResponse(findings=map(_message, listed), next_page_token=next_token, cursor=cursor)

    async def _changes(self, wanted: Wanted, cursors: Tokens, cursor: str, limit: int) -> pb.ListFindingsResponse:
        place = cursors.open(cursor)
        if place is None:
            raise ValueError("changes are read from a cursor")
        after: Cursor = (int(place[1]), str(place[2]))

        async def read(connection: Connection) -> tuple[list[Finding], Horizon]:
            return await findings.changes(connection, wanted, after, limit), await findings.horizon(connection)

        found, horizon = await run(self._pool, wanted.tenant_id, read, read_only=True)
        if str(horizon.cluster) != place[0]:
            raise InvalidArgument.of("since_cursor", "SINCE_CURSOR_INVALID", "is of another copy of the database")
        # Nothing left: everything below the horizon was looked at, whatever the filters.
        seen = found[-1].cursor if found else max(after, (horizon.transaction - 1, _AFTER_ALL))
        return pb.ListFindingsResponse(findings=map(_message, found), cursor=_sealed(cursors, horizon, seen))


_AFTER_ALL = "~"  # after every id, which has hexadecimal digits only


def _sealed(cursors: Tokens, horizon: Horizon, place: Cursor) -> str:
    return cursors.seal((str(horizon.cluster), *place))


def _state(number: int) -> FindingState | None:
    if number not in pb.FindingState.values():
        raise InvalidArgument.of("state", "STATE_INVALID", f"{number} is not one of the values")
    name = pb.FindingState.Name(pb.FindingState.ValueType(number)).removeprefix("FINDING_STATE_")
    return FindingState[name] if number else None


def _kind(number: int) -> FindingKind | None:
    if number not in pb.FindingKind.values():
        raise InvalidArgument.of("kind", "KIND_INVALID", f"{number} is not one of the values")
    name = pb.FindingKind.Name(pb.FindingKind.ValueType(number)).removeprefix("FINDING_KIND_")
    return FindingKind[name] if number else None


def _message(finding: Finding) -> pb.Finding:
    message = pb.Finding(
        finding_id=finding.finding_id,
        kind=pb.FindingKind.Value(f"FINDING_KIND_{finding.kind.name}"),
        state=pb.FindingState.Value(f"FINDING_STATE_{finding.state.name}"),
        subject=finding.subject,
        company=finding.company,
        attribute=finding.attribute,
        memory_ids=map(str, finding.memory_ids),
        first_seen_at=wire.to_timestamp(finding.first_seen_at),
        last_seen_at=wire.to_timestamp(finding.last_seen_at),
        changed_at=wire.to_timestamp(finding.changed_at),
        changed_by=finding.changed_by,
        reason=finding.reason,
        decision_id=finding.decision_id,
    )
    match finding.kind:
        case FindingKind.CONTRADICTION:
            message.contradiction.CopyFrom(finding_pb2.Contradiction.FromString(finding.detail))
        case FindingKind.ABSENCE:
            message.absence.CopyFrom(finding_pb2.Absence.FromString(finding.detail))
        case FindingKind.STALE:
            message.stale.CopyFrom(finding_pb2.StaleDependency.FromString(finding.detail))
        case FindingKind.SEMANTIC:
            message.semantic.CopyFrom(semantic_pb2.SemanticContradiction.FromString(finding.detail))
    return message

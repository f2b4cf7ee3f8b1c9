"""From one message of material to the findings in it.

Rules: each finding comes with the place to go on from when it has arrived: that of its group, given with the group's
last finding; the others bear the place before. A group of many assertions is judged on a thread of its own, so that
other requests are answered meanwhile. It does not know where material comes from nor who asks.
"""

import asyncio
from collections.abc import Iterator, Sequence
from uuid import UUID

from candor.audit.v1.fields_pb2 import AuditFieldsResponse, AuditSummary
from candor.retrieve.v1.conflicts_pb2 import AssertionGroup, StreamConflictsResponse

from shared.domain.dependency import stale
from shared.domain.opposition import judge_group
from shared.domain.setting import Policy
from shared.rpc import wire

OFF_LOOP_MIN_ASSERTIONS = 100  # of one message's largest group; as many take 5 to 20 ms (measured)


async def findings(
    source: StreamConflictsResponse, before: str, tenant_id: UUID, policy: Policy
) -> list[AuditFieldsResponse]:
    """Judge one message; `before` is the place that the stream had come to."""
    largest = max((len(group.assertions) for group in _groups(source)), default=0)
    if largest < OFF_LOOP_MIN_ASSERTIONS:
        return list(_findings(source, before, tenant_id, policy))
    return await asyncio.to_thread(lambda: list(_findings(source, before, tenant_id, policy)))


def count(summary: AuditSummary, line: AuditFieldsResponse) -> None:
    """Count a finding."""
    match line.WhichOneof("item"):
        case "contradiction":
            summary.contradictions += 1
        case "superseded":
            summary.superseded += 1
        case "duplicate":
            summary.duplicates += 1
        case "absence":
            summary.absences += 1
        case "stale":
            summary.stale += 1


def is_ok(summary: AuditSummary) -> bool:
    """Tell whether nothing was found but what only informs."""
    return not (summary.contradictions or summary.absences or summary.stale)


def _groups(source: StreamConflictsResponse) -> Sequence[AssertionGroup]:
    match source.WhichOneof("item"):
        case "groups":
            return source.groups.groups
        case "dependency":
            return source.dependency.groups
    return ()


def _findings(
    source: StreamConflictsResponse, before: str, tenant_id: UUID, policy: Policy
) -> Iterator[AuditFieldsResponse]:
    match source.WhichOneof("item"):
        case "groups":
            for group in source.groups.groups:
                yield from _placed(list(_of_group(group, tenant_id, policy)), before, group.resume_token)
                before = group.resume_token
        case _:
            yield from _placed(list(_of_other(source, tenant_id, policy)), before, source.resume_token)


def _placed(lines: Sequence[AuditFieldsResponse], before: str, after: str) -> Iterator[AuditFieldsResponse]:
    for number, line in enumerate(lines, start=1):
        line.resume_token = after if number == len(lines) else before
        yield line


def _of_group(group: AssertionGroup, tenant_id: UUID, policy: Policy) -> Iterator[AuditFieldsResponse]:
    verdict = judge_group([wire.assertion(message) for message in group.assertions], policy)
    for contradiction in verdict.contradictions:
        yield AuditFieldsResponse(contradiction=wire.contradiction(contradiction, tenant_id))
    for superseded in verdict.superseded:
        yield AuditFieldsResponse(superseded=wire.supersession(superseded, tenant_id))


def _of_other(source: StreamConflictsResponse, tenant_id: UUID, policy: Policy) -> Iterator[AuditFieldsResponse]:
    match source.WhichOneof("item"):
        case "duplicate":
            group = source.duplicate
            subject = group.record if group.HasField("record") else None
            yield AuditFieldsResponse(duplicate=wire.duplicate(wire.duplicate_of(group), tenant_id, subject))
        case "missing":
            yield AuditFieldsResponse(absence=wire.absence(wire.absence_of(source.missing), tenant_id))
        case "counterpart":
            lacking = wire.absence_of(source.counterpart.record, source.counterpart.expected)
            yield AuditFieldsResponse(absence=wire.absence(lacking, tenant_id))
        case "dependency":
            for found in stale(*wire.dependency(source.dependency), policy):
                yield AuditFieldsResponse(stale=wire.stale(found, tenant_id))

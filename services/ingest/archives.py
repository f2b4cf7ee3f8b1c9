"""ArchiveService: whole tenants, from the lines of an export.

Rules: as in ImportService: the first message says how, all may carry lines, and the initial metadata go out when the
first one is accepted. What it may meet in the tenant is refused at once, and looked at again when it is written. How
lines are written is in archive_upload.py.
Source: REQUIREMENTS F6.
"""

from collections.abc import AsyncIterator
from functools import partial

from candor.ingest.v1 import archive_pb2 as pb
from candor.ingest.v1.archive_pb2_grpc import ArchiveServiceServicer

from services.ingest.archive_upload import ArchiveUpload, not_empty
from services.ingest.asking import ACTOR_MAX_CHARS, REASON_MAX_CHARS, REQUEST_ID_MAX_CHARS, Ask, Means, checked
from services.ingest.importing import MESSAGE_LINES_MAX, error_message
from shared.domain.errors import Conflict, InvalidArgument
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.writes import archive, imports
from shared.store.writes.imports import ImportMode, Standing


class ArchiveServicer(ArchiveServiceServicer):
    """Serves ArchiveService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def ImportTenant(
        self, requests: AsyncIterator[pb.ImportTenantRequest], context: Context
    ) -> pb.ImportTenantResponse:
        """Write the lines of an archive, or look at them."""
        first = await anext(requests, None)
        if first is None:
            raise InvalidArgument.of("request", "IMPORT_EMPTY", "must begin with a message that says how")
        actor = checked("actor", first.actor, ACTOR_MAX_CHARS, "ACTOR_TOO_LONG")
        reason = checked("reason", first.reason, REASON_MAX_CHARS, "REASON_TOO_LONG")
        request_id = checked("request_id", first.request_id, REQUEST_ID_MAX_CHARS, "REQUEST_ID_TOO_LONG")
        ask = Ask(wire.tenant(first), actor, reason, request_id or str(self._means.new_id()), None)
        standing = await run(self._means.pool, ask.tenant_id, partial(self._begin, ask=ask, is_dry=first.dry_run))
        next_line = standing.lines + 1 if standing else 1
        if not 0 <= first.first_line <= next_line:
            raise InvalidArgument(
                "IMPORT_GAP",
                f"first_line: the import stands at line {next_line}",
                metadata={"field": "first_line", "next_line": str(next_line)},
            )
        upload = await ArchiveUpload.of(self._means, ask, standing)
        await context.send_initial_metadata(())
        await upload.add(_lines(first))
        async for request in requests:
            await upload.add(_lines(request))
        await upload.finish()
        return pb.ImportTenantResponse(
            import_id="" if first.dry_run else ask.request_id,
            dry_run=first.dry_run,
            lines=upload.lines,
            memories=upload.memories,
            failed=upload.failed,
            errors=map(error_message, upload.faults),
            next_line=upload.lines + 1,
            complete=upload.is_whole and not upload.failed,
            parts=[pb.PartCount(part=part, lines=lines) for part, lines in upload.parts.items()],
        )

    async def _begin(self, connection: Connection, ask: Ask, *, is_dry: bool) -> Standing | None:
        """Find the import or begin it; None for a dry run.

        Raises: Conflict TENANT_NOT_EMPTY, REQUEST_ID_REUSED.
        """
        tenant_id, import_id = ask.tenant_id, ask.request_id
        found = None if is_dry else await imports.find(connection, tenant_id, import_id)
        if found is not None and found.mode is not ImportMode.ARCHIVE:
            raise Conflict("REQUEST_ID_REUSED", "the id is that of an upload of memories")
        if (found is None or found.lines == 0) and not await archive.is_empty(connection, tenant_id):
            raise not_empty()
        if is_dry:
            return None
        mode, now = ImportMode.ARCHIVE, self._means.now()
        return found or await imports.begin(connection, tenant_id, import_id, mode, ask.actor, now)


def _lines(request: pb.ImportTenantRequest) -> list[pb.ArchiveLine]:
    if len(request.lines) > MESSAGE_LINES_MAX:
        raise InvalidArgument.of("lines", "TOO_MANY_LINES", f"holds at most {MESSAGE_LINES_MAX} in one message")
    return list(request.lines)

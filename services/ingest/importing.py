"""ImportService: uploads of any size, line by line, resumable.

Rules: the first message says how; all may carry lines. Its initial metadata go out when the first message is accepted:
the caller then knows that only lines can fail from there on. How lines are written is in upload.py; it does not know
SQL.
Source: REQUIREMENTS A4.
"""

from collections.abc import AsyncIterator
from functools import partial

from candor.ingest.v1 import bulk_pb2 as pb
from candor.ingest.v1.bulk_pb2_grpc import ImportServiceServicer

from services.ingest.asking import ACTOR_MAX_CHARS, REASON_MAX_CHARS, REQUEST_ID_MAX_CHARS, Ask, Means, checked
from services.ingest.upload import Upload
from shared.domain.errors import Conflict, InvalidArgument, NotFound
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import run
from shared.store.writes import imports
from shared.store.writes.imports import ImportMode, LineFault, Standing

MESSAGE_LINES_MAX = 1_000  # as the contract says
_MODES = {
    pb.IMPORT_MODE_UNSPECIFIED: ImportMode.LIVE,
    pb.IMPORT_MODE_LIVE: ImportMode.LIVE,
    pb.IMPORT_MODE_BULK: ImportMode.BULK,
}
_TOLD = {
    ImportMode.LIVE: pb.IMPORT_MODE_LIVE,
    ImportMode.BULK: pb.IMPORT_MODE_BULK,
    ImportMode.ARCHIVE: pb.IMPORT_MODE_ARCHIVE,
}


class ImportServicer(ImportServiceServicer):
    """Serves ImportService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def ImportMemories(
        self, requests: AsyncIterator[pb.ImportMemoriesRequest], context: Context
    ) -> pb.ImportMemoriesResponse:
        """Write the lines of an upload."""
        first = await anext(requests, None)
        if first is None:
            raise InvalidArgument.of("request", "IMPORT_EMPTY", "must begin with a message that says how")
        ask = _ask(first, str(self._means.new_id()))
        if first.mode not in _MODES:
            raise InvalidArgument.of("mode", "IMPORT_MODE_INVALID", "must be live or bulk")
        begin = partial(
            imports.begin,
            tenant_id=ask.tenant_id,
            import_id=ask.request_id,
            mode=_MODES[first.mode],
            actor=ask.actor,
            now=self._means.now(),
        )
        standing = await run(self._means.pool, ask.tenant_id, begin)
        if standing.mode is ImportMode.ARCHIVE:
            raise Conflict("REQUEST_ID_REUSED", "the id is that of an archive")
        if not 0 <= first.first_line <= standing.lines + 1:
            raise InvalidArgument(
                "IMPORT_GAP",
                f"first_line: the upload stands at line {standing.lines + 1}",
                metadata={"field": "first_line", "next_line": str(standing.lines + 1)},
            )
        upload = await Upload.of(self._means, ask, standing)
        await context.send_initial_metadata(())
        try:
            await upload.add(_lines(first))
            async for request in requests:
                await upload.add(_lines(request))
            await upload.finish()
        finally:
            await upload.stop()
        return _answer(ask.request_id, upload)

    async def GetImport(self, request: pb.GetImportRequest, context: Context) -> pb.GetImportResponse:
        """Tell how far an upload is."""
        tenant_id = wire.tenant(request)
        import_id = checked("import_id", request.import_id, REQUEST_ID_MAX_CHARS, "REQUEST_ID_TOO_LONG")
        read = partial(imports.find, tenant_id=tenant_id, import_id=import_id)
        found = await run(self._means.pool, tenant_id, read, read_only=True)
        if found is None:
            raise NotFound("IMPORT_NOT_FOUND", "there is no such upload", metadata={"import_id": import_id})
        return _told(import_id, found)


def _ask(request: pb.ImportMemoriesRequest, new_id: str) -> Ask:
    actor = checked("actor", request.actor, ACTOR_MAX_CHARS, "ACTOR_TOO_LONG")
    reason = checked("reason", request.reason, REASON_MAX_CHARS, "REASON_TOO_LONG")
    request_id = checked("request_id", request.request_id, REQUEST_ID_MAX_CHARS, "REQUEST_ID_TOO_LONG")
    return Ask(wire.tenant(request), actor, reason, request_id or new_id, None)


def _lines(request: pb.ImportMemoriesRequest) -> list[pb.ImportLine]:
    if len(request.lines) > MESSAGE_LINES_MAX:
        raise InvalidArgument.of("lines", "TOO_MANY_LINES", f"holds at most {MESSAGE_LINES_MAX} in one message")
    return list(request.lines)


def _answer(import_id: str, upload: Upload) -> pb.ImportMemoriesResponse:
    return pb.ImportMemoriesResponse(
        import_id=import_id,
        lines=upload.lines,
        written=upload.written,
        existing=upload.existing,
        failed=upload.failed,
        errors=map(error_message, upload.faults),
        next_line=upload.lines + 1,
    )


def _told(import_id: str, standing: Standing) -> pb.GetImportResponse:
    return pb.GetImportResponse(
        import_id=import_id,
        mode=_TOLD[standing.mode],
        lines=standing.lines,
        written=standing.written,
        existing=standing.existing,
        failed=standing.failed,
        errors=map(error_message, standing.faults),
        next_line=standing.lines + 1,
        started_at=wire.to_timestamp(standing.started_at),
        updated_at=wire.to_timestamp(standing.updated_at),
        complete=standing.is_whole,
    )


def error_message(fault: LineFault) -> pb.LineError:
    """Return what is wrong with a line as it is told."""
    return pb.LineError(line=fault.line, field=fault.field, reason=fault.reason, description=fault.description)

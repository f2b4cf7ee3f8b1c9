"""ExportService: a tenant as lines, page by page, from any line on.

Rules: the instant that the lines are told as of is fixed when the stream begins and goes along in the tokens; each page
is a transaction of its own. A line's token names its section, its key and how many lines of the key came before, so
that nothing is repeated. The next page is read while one is sent, and no more is held.
It does not know what the lines say.
Source: REQUIREMENTS F6; DESIGN 5 (long streams).
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from candor.retrieve.v1 import export_pb2 as pb
from candor.retrieve.v1.export_pb2_grpc import ExportServiceServicer

from services.retrieve.conflict_pages import ahead
from services.retrieve.page_tokens import Tokens, from_instant, to_instant
from shared.domain.archive import FORMAT, VERSION
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Pool, run
from shared.store.reads import archive, conflicts
from shared.store.reads.archive import SECTIONS, Keyed

PAGE_SIZE = 200  # keys read at once: some hundred kB of ordinary memories; chosen, untested
_HEAD = f'{{"format":"{FORMAT}","version":{VERSION}}}'
_SECTIONS = tuple(SECTIONS)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a stream stands: in a section, all keys up to `after` told, `done` lines of `key`, `sent` lines in all."""

    section: int = 0
    after: str = ""
    key: str = ""
    done: int = 0
    sent: int = 0


class Export(ExportServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, token_key: bytes, now: Callable[[], datetime], page_size: int = PAGE_SIZE) -> None:
        self._pool = pool
        self._token_key = token_key
        self._now = now
        self._page_size = page_size

    async def ExportTenant(
        self, request: pb.ExportTenantRequest, context: Context
    ) -> AsyncGenerator[pb.ExportTenantResponse, None]:
        """Stream everything the tenant has."""
        tenant_id = wire.tenant(request)
        tokens = Tokens(self._token_key, tenant_id, request, "resume_token")
        token = tokens.open(request.resume_token)
        if token is None:
            known_at, place = await self._begin(tenant_id), _Place()
        else:
            known_at = to_instant(token[0])
            place = _Place(int(token[1]), str(token[2]), str(token[3]), int(token[4]), int(token[5]))
        instant, sent = from_instant(known_at), place.sent

        def line(part: str, record: str, *now_at: str | int) -> pb.ExportTenantResponse:
            resume_token = tokens.seal((instant, *now_at, sent))
            return pb.ExportTenantResponse(part=part, record=record, resume_token=resume_token)

        if sent == 0:
            sent = 1
            yield line("archive", _HEAD, 0, "", "", 0)
        for section in range(place.section, len(_SECTIONS)):
            begun = place if section == place.section else _Place()
            after = begun.after
            pages = self._pages(tenant_id, _SECTIONS[section], after, known_at)
            async with aclosing(_keys(pages)) as keys:
                async for keyed in keys:
                    done = begun.done if keyed.key == begun.key else 0
                    for number, (part, record) in enumerate(keyed.lines[done:], start=done + 1):
                        sent += 1
                        yield line(part, record, section, after, keyed.key, number)
                    after = keyed.key
        if place.section <= len(_SECTIONS):
            lines, sent = sent, sent + 1
            yield line("end", f'{{"lines":{lines}}}', len(_SECTIONS) + 1, "", "", 0)

    async def _begin(self, tenant_id: UUID) -> datetime:
        # The clocks of writers may be ahead of ours: whatever is stored by now belongs to it.
        read = partial(conflicts.newest_at, tenant_id=tenant_id)
        newest_at, now = await run(self._pool, tenant_id, read, read_only=True), self._now()
        return max(now, newest_at or now)

    async def _pages(
        self, tenant_id: UUID, section: str, after: str, known_at: datetime
    ) -> AsyncGenerator[list[Keyed], None]:
        while True:
            read = partial(
                archive.page,
                tenant_id=tenant_id,
                section=section,
                after=after or None,
                limit=self._page_size,
                known_at=known_at,
            )
            page = await run(self._pool, tenant_id, read, read_only=True)
            if not page:
                return
            yield page
            after = page[-1].key


async def _keys(pages: AsyncGenerator[list[Keyed], None]) -> AsyncGenerator[Keyed, None]:
    async for page in ahead(pages):
        for keyed in page:
            yield keyed

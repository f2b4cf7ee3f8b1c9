"""Deriving revisions by the lexicon of the current embedding generation.

Rules: which generation is current is read once in GENERATION_SECONDS: another one comes with a migration. It does not
know what is written.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias
from uuid import UUID

from shared.domain.lexicon import Lexicon, Stems
from shared.domain.revision import Revision, revise
from shared.domain.types import Draft
from shared.store.pool import Pool, run_without_tenant
from shared.store.writes import plans

GENERATION_SECONDS = 30.0  # how long terms may be made for the former model; chosen, untested

Derive: TypeAlias = Callable[[Draft], Revision]


class Revisions:
    """Derives what is stored of drafts."""

    def __init__(self, pool: Pool, term_key: bytes, stems: Stems, *, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._term_key = term_key
        self._stems = stems
        self._now = now
        self._lexicon: tuple[Lexicon, datetime] | None = None

    async def of(self, tenant_id: UUID) -> Derive:
        """Return what derives the revisions of a tenant.

        Raises: FailedPrecondition EMBEDDING_GENERATION_MISSING.
        """
        now = self._now()
        if self._lexicon is None or now >= self._lexicon[1]:
            generation = await run_without_tenant(self._pool, plans.generation)
            lexicon = Lexicon.of(generation.model, self._stems)
            self._lexicon = (lexicon, now + timedelta(seconds=GENERATION_SECONDS))
        return partial(revise, tenant_id, term_key=self._term_key, lexicon=self._lexicon[0])

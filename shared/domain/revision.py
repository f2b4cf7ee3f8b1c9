"""One revision of a memory with everything that follows from its text: keys, claims, references, passages and terms.

Rules: a revision is a pure function of tenant, draft and the key of term ids. Only a memory that names a record claims
anything. References that fold alike are one; a record that the memory depends on is one of them. Expiry is the end of
valid time.
It does not know ids, recorded time, vectors or the database.
Source: DESIGN 4 (memory, assertion, reference).
"""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from uuid import UUID

from shared.domain import bm25, passages, tokens
from shared.domain.claims import Claim, claims_of
from shared.domain.dependency import dependencies_of
from shared.domain.draft import identity_hash
from shared.domain.lexicon import Lexicon
from shared.domain.passages import Passage, embedded_text
from shared.domain.periods import period_bounds
from shared.domain.records import record_key, reference_key
from shared.domain.text import company_key, fold
from shared.domain.types import Draft, MemoryType


@dataclass(frozen=True, slots=True)
class Revision:
    """What is stored of one revision, save ids, times and vectors."""

    draft: Draft
    company_key: str  # empty without a company
    counterparty_key: str | None
    record_key: str | None
    period_start: date | None
    period_end: date | None  # the last day
    content_hash: bytes
    identity_hash: bytes
    claims: tuple[Claim, ...]
    references: tuple[tuple[str, str], ...]  # (key, as written)
    dependencies: frozenset[str]  # the keys of those references that it depends on
    terms: tuple[int, ...]  # in the text's order, repetitions kept

    @property
    def memory_type(self) -> MemoryType:
        """How the memory ages; semantic where its writer did not say."""
        return self.draft.memory_type or MemoryType.SEMANTIC

    def weights(self, average_length: float) -> dict[int, float]:
        """Return the BM25 weights of its terms, given the average number of terms in a memory of the tenant."""
        return bm25.weights(self.terms, length=len(self.terms), average_length=average_length)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """What the embedder reads, piece by piece; cut anew each time, since a given vector needs none."""
        return tuple(passages.cut(self.draft.content))

    def embedded_texts(self) -> list[str]:
        """Return what the embedder reads, one text for each passage."""
        draft = self.draft
        return [
            embedded_text(draft.content, passage, speaker=draft.speaker, valid_from=draft.observed_at)
            for passage in self.passages
        ]


def revise(tenant: UUID, draft: Draft, *, term_key: bytes, lexicon: Lexicon) -> Revision:
    """Derive a revision from a checked draft."""
    record = record_key(draft.record, draft.source_ref)
    company = company_key(draft.company or "")
    start, end = period_bounds(draft.period) if draft.period else (None, None)
    references: dict[str, str] = {}
    depends_on = dependencies_of(draft.metadata_json)
    for target in (*draft.references, *depends_on):
        key = reference_key(target)
        if key:
            references.setdefault(key, target)
    return Revision(
        draft=draft,
        company_key=company,
        counterparty_key=company_key(draft.counterparty or "") or None,
        record_key=record,
        period_start=start,
        period_end=end,
        content_hash=_content_hash(draft.content, company, record),
        identity_hash=identity_hash(tenant, draft),
        claims=claims_of(draft.metadata_json) if record else (),
        references=tuple(references.items()),
        dependencies=frozenset(key for target in depends_on if (key := reference_key(target))),
        terms=tuple(tokens.term_id(tenant, term, term_key) for term in lexicon.memory(draft)),
    )


def whole(content: str) -> tuple[Passage, ...]:
    """Return the one passage that a vector given for a whole content belongs to."""
    return (Passage(0, 0, len(content)),)


def average_length(revisions: Counter[int], *, memories: int, terms: int) -> float:
    """Return the average number of terms in a memory, those about to be written included.

    Units: `revisions` counts the revisions about to be written by their number of terms; `memories` and `terms` are the
    tenant's statistics so far.
    """
    count = memories + revisions.total()
    return (terms + sum(length * times for length, times in revisions.items())) / count if count else 0.0


def _content_hash(content: str, company: str, record: str | None) -> bytes:
    parts = (fold(content), company, record or "")
    return sha256("\0".join(parts).encode()).digest()

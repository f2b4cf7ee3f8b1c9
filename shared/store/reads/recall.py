"""Candidates for a query.

Rules: each arm brings its best; the best of both by their weighted scores are kept, with what the other arm says of
them: until that is looked up, a memory that an arm left out counts with the worst score that the arm brought. A scope
of at most EXACT_LIMIT memories is scored whole, so a filter costs no recall; a larger one is asked through the indexes,
and scored whole after all when the graph gave up before it found enough. As believed at an instant, every scope is
scored whole. Vectors of one generation only.
It does not order what it brings, nor choose among copies: the domain does.
Source: REQUIREMENTS B1, B4; DESIGN 4. The limits are chosen after the measurements there (exact: 1 ms per 1,000 rows).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import NamedTuple
from uuid import UUID

import asyncpg
import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector, SparseVector

from shared.domain.tokens import TERM_ID_LIMIT
from shared.domain.types import MemoryState
from shared.store.pool import Connection
from shared.store.reads.scopes import Scope, compose
from shared.store.reads.statistics import Generation
from shared.store.statements import for_generation, load

_SQL = load("reads/recall")

ARM_LIMIT = 100  # what an arm brings through its index, at least, as many as the graph looks at (pool.py)
WIDE_ARM_LIMIT, WIDE_FROM = (
    160,
    50_000,
)  # the same for tenants of more memories: 100 find 93 % of the best 20 of 100,000
EXACT_LIMIT = 5_000  # memories scored whole instead of through an index (B1)
WHOLE_TENANT_LIMIT = 2_000  # memories of a tenant whose whole memory is scored without asking an index (B4)
MATCHES_MAX = 20_000  # memories with any of the words that are scored through their index: 12 ms at 100,000 (measured)
NO_LIMIT = 2**31 - 2
FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
EVERY_COPY = 2**31 - 1
LOOKED_PER_KEPT = 2  # memories looked up for each that is kept: some are copies of one record, or have expired
WIDENED = 10  # times more are looked at when copies crowd out the others (chosen, untested)

_SCOPE_PARAMETERS = 15
_ARMS = (
    "vector",
    "words",
    "dense_share",
    "lexical_share",
    "floor",
    "full_score",
    "kept",
    "looked",
    "copies",
    "term_ids",
)
_PARAMETERS = {
    "open": (*_ARMS, "most", "matches", "pair_ids"),
    "indexed": (*_ARMS, "most", "matches", "pair_ids"),
    "exact": (*_ARMS, "most"),
    "believed": ("known_at", *_ARMS),  # first, as the fragments of scopes want it
    "turns": ("vector", "words", "turn_ids", "sessions", "moments", "known"),
}
_FRAGMENT = re.compile(
    r"(?<!:):(size_and_arms|best_of_all|best_of_arms|pool|told|slot|score|turn|restated|moment|vectors|waiting"
    r"|with_words)\b"
)
_PARAMETER = re.compile(r"(?<!:):([a-z_]+)\b")


@dataclass(frozen=True)  # without slots: `arms` is made once
class Query:
    """What is looked for: a vector, terms with their inverse document frequencies, or both; None leaves an arm out.

    `indexed_terms` are those whose postings fit the budget, `pairs` are of others; a scope that is scored whole uses
    all terms.
    """

    vector: NDArray[np.float32] | None
    terms: Sequence[tuple[int, float]] | None
    indexed_terms: Sequence[tuple[int, float]] | None
    pairs: Sequence[tuple[int, int]] = ()

    @cached_property
    def arms(self) -> tuple[HalfVector | None, SparseVector | None]:
        """The vector and the words as the statements take them."""
        return (
            None if self.vector is None else HalfVector(self.vector),
            SparseVector(dict(self.terms), TERM_ID_LIMIT) if self.terms else None,
        )


@dataclass(frozen=True, slots=True)
class Keeping:
    """How many candidates are kept and by which weights: the shares of the arms, the cosine that counts as 0, the score
    that counts as 1 where no match is better.

    At most `copies` that say the same of one record; `least` are wanted, so that where copies crowd them out more are
    looked at.
    """

    kept: int
    dense_share: float
    lexical_share: float
    dense_floor: float
    full_score: float = 0.0
    copies: int = EVERY_COPY
    least: int = 0


class Candidate(NamedTuple):
    """A memory that may answer, as a row tells of it.

    `cosine` and its passage are None without vectors, `bm25` without any of the words. Of a turn of a session it is
    told which, when, whether it asks, and how many characters it has.
    """

    memory_id: UUID
    revision: int  # 0: the current one
    company_key: str
    record_key: str | None  # of an explicit record id only
    speaker: str | None
    session: str | None  # of a turn only
    moment: datetime
    restated: int | None  # the same where memories of one record say the same of it; None without such a record
    asks: bool | None
    chars: int | None
    cosine: float | None
    bm25: float | None
    passage_no: int | None
    char_start: int | None
    char_end: int | None

    @property
    def slot(self) -> tuple[str, str, int | None] | None:
        """What it says of which record; None for a memory that names no record by an id of its own."""
        return (self.company_key, self.record_key, self.restated) if self.record_key is not None else None

    @property
    def passage(self) -> tuple[int, int, int] | None:
        """The best passage: its number, first character, character after the last."""
        if self.passage_no is None or self.char_start is None or self.char_end is None:
            return None
        return self.passage_no, self.char_start, self.char_end


@dataclass(frozen=True, slots=True)
class Candidates:
    """What was kept, the best score of each arm, and whether every memory of the scope was scored."""

    found: tuple[Candidate, ...]
    best_cosine: float | None
    best_bm25: float | None
    is_exact: bool
    size: int  # memories in scope where all were scored, else passages that the graph gave
    has_more: bool  # there may be more than were looked up
    is_staged: bool  # vectors that wait for the graph were searched too

    def lacks(self, keeping: Keeping) -> bool:
        """Tell whether fewer were kept than are wanted although there may be more."""
        return self.has_more and len(self.found) < keeping.least


class Neighbour(NamedTuple):
    """A turn beside a candidate; one that is not in scope only lends its score."""

    of: UUID
    in_scope: bool
    candidate: Candidate


async def candidates(
    connection: Connection,
    scope: Scope,
    query: Query,
    generation: Generation,
    keeping: Keeping,
    *,
    tenant_memories: int,
) -> Candidates:
    """Find the memories of a scope that the arms rank high together; `tenant_memories` may lag."""
    staged = False

    async def ask(name: str, terms: Sequence[tuple[int, float]] | None, *more: object, widened: int = 1) -> Candidates:
        nonlocal staged
        arms = (*query.arms, keeping.dense_share, keeping.lexical_share, keeping.dense_floor, keeping.full_score)
        looked = keeping.kept * LOOKED_PER_KEPT * widened
        first = (believed_at,) if name == "believed" else ()
        ids = [term for term, _ in terms or ()]
        given = (*first, *arms, keeping.kept, looked, keeping.copies, ids, *more)
        while True:
            text = statement_of(name, tagged=scope.starts_from_tags, staged=staged)
            rows = await connection.fetch(for_generation(text, generation.number), *scope.parameters(), *given)
            if staged or not rows or not rows[0][1]:
                return _candidates(rows, looked, is_exact=name in ("exact", "believed"), is_staged=staged)
            staged = True  # vectors wait for the graph: the same again, those included

    async def whole(most: int) -> Candidates | None:
        """Score the scope whole; None when it has more memories than that."""
        found = await ask("exact", query.terms, most)
        if found.size > most:
            return None
        return await ask("exact", query.terms, most, widened=WIDENED) if found.lacks(keeping) else found

    believed_at = believed_from(scope)
    if believed_at is not None:
        found = await ask("believed", query.terms)
        return await ask("believed", query.terms, widened=WIDENED) if found.lacks(keeping) else found
    if scope.is_filtered or tenant_memories <= WHOLE_TENANT_LIMIT:
        exact = await whole(EXACT_LIMIT)
        if exact is not None:
            return exact
    wide = tenant_memories > WIDE_FROM and query.vector is not None
    if wide:
        await connection.execute(_SQL["look_wider"])
    most, bounds = (
        max(WIDE_ARM_LIMIT if wide else ARM_LIMIT, keeping.kept),
        (MATCHES_MAX, [term for pair in query.pairs for term in pair]),
    )
    found = await ask("indexed" if scope.is_filtered else "open", query.indexed_terms, most, *bounds)
    if query.vector is not None and found.size < most:
        return await whole(NO_LIMIT) or found
    if found.lacks(keeping):  # what expired or names one record crowds the others out
        return await ask("indexed", query.indexed_terms, most * WIDENED, *bounds, widened=WIDENED)
    return found


async def neighbours(
    connection: Connection,
    scope: Scope,
    query: Query,
    generation: Generation,
    brought: Candidates,
    turns: Sequence[Candidate],
) -> list[Neighbour]:
    """Read the turns before and after each of these; of those brought already no scores are read.

    From here to its end a transaction keeps its plans: what follows are probes by key, alike for all values, and to
    plan this one anew takes longer than to run it (0.9 ms against 0.7 ms).
    """
    await connection.execute(_SQL["probes_follow"])
    statement = for_generation(statement_of("turns", staged=brought.is_staged), generation.number)
    known = [candidate.memory_id for candidate in brought.found]
    columns = ([t.memory_id for t in turns], [t.session for t in turns], [t.moment for t in turns])
    rows = await connection.fetch(statement, *scope.parameters(), *query.arms, *columns, known)
    return [Neighbour(row[0], row[1], Candidate._make(row[2:])) for row in rows]


@cache
def statement_of(name: str, *, tagged: bool = False, staged: bool = False) -> str:
    """Return a statement that finds candidates, with fragments and numbers of parameters put in.

    `staged`: vectors that wait for the graph are searched too; else it is told whether there are any.
    """
    put_in = {
        **_SQL,
        "vectors": _SQL["graph_and_staging" if staged else "graph"],
        "waiting": "false" if staged else _SQL["waiting"],
    }
    text = _SQL[name]
    while _FRAGMENT.search(text):
        text = _FRAGMENT.sub(lambda place: put_in[place[1]], text)
    text = compose(text, tagged=tagged)
    numbers = {parameter: place for place, parameter in enumerate(_PARAMETERS[name], _SCOPE_PARAMETERS + 1)}
    return _PARAMETER.sub(lambda place: f"${numbers[place[1]]}" if place[1] in numbers else place[0], text)


def believed_from(scope: Scope) -> datetime | None:
    """Return the instant as of which a scope is scored from the histories; None for what is active now.

    What is not active has its vectors and terms there, whenever it ended.
    """
    return scope.known_at or (None if scope.state is MemoryState.ACTIVE else FOREVER)


def _candidates(rows: Sequence[asyncpg.Record], looked: int, *, is_exact: bool, is_staged: bool) -> Candidates:
    if not rows:
        return Candidates((), None, None, is_exact, 0, False, is_staged)
    size, _, best_cosine, best_bm25, *_ = rows[0]
    found = tuple(Candidate._make(row[4:]) for row in rows if row[4] is not None)
    return Candidates(found, best_cosine, best_bm25, is_exact, size, size >= looked, is_staged)

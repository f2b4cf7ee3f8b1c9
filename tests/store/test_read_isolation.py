"""Row-level security alone keeps tenants apart: every read gives the same rows with its tenant predicates taken out."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import numpy as np
import pytest

from shared.domain.draft import check
from shared.domain.types import MemoryState
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool, run
from shared.store.reads.hits import CONTESTED_PROBE_LIMIT
from shared.store.reads.recall import _PARAMETERS, ARM_LIMIT, EXACT_LIMIT, MATCHES_MAX, Query, statement_of
from shared.store.reads.scopes import Scope, compose
from shared.store.statements import for_generation, load
from tests.store.remembering import DIMENSIONS, Book, term

pytestmark = pytest.mark.anyio

MINE, THEIRS = UUID(int=1), UUID(int=2)
START = datetime(2026, 1, 1, tzinfo=UTC)
LATER = START + timedelta(days=9)
PREDICATE = re.compile(r"(?:\b\w+\.)?\btenant_id = \$1(?!\d)")
BEGINNING = ("", "", "")
FRAGMENTS = {
    "size_and_arms",
    "best_of_all",
    "best_of_arms",
    "pool",
    "told",
    "slot",
    "restated",
    "score",
    "turn",
    "moment",
    "graph",
    "graph_and_staging",
    "waiting",
    "with_words",
}


@pytest.fixture
async def reader(database: migrate.Dsns) -> AsyncIterator[Pool]:
    """Two tenants that wrote the very same things."""
    writer = await open_pool(database.writer, size=1, application_name="test")
    pool = await open_pool(database.reader, size=1, application_name="test")
    for tenant in (MINE, THEIRS):
        book = Book(writer, tenant)
        drafts = [
            check(
                kind="turn",
                content="zebra",
                speaker="Ann",
                company="Acme",
                record=f"R-{n // 2}",
                session=str(n // 3),
                tags=["red"],
                metadata_json=f'{{"total": {n}}}',
                references=["GONE"],
            )
            for n in range(6)
        ]
        dice = np.random.default_rng(1)
        ids = await book.add(drafts, START, [dice.standard_normal(DIMENSIONS, np.float32) for _ in drafts])
        await book.patch(ids[0], START + timedelta(days=1), metadata_json='{"total": 77}')
        await book.end(ids[5], START + timedelta(days=2), MemoryState.SUPERSEDED)
    yield pool
    await pool.close()
    await writer.close()


def reads(mine: list[UUID]) -> dict[str, tuple[object, ...]]:
    """Every statement that reads a tenant, with arguments under which it finds something."""
    now = Scope(MINE, expired_at=LATER).parameters()
    tagged = Scope(MINE, tags=("red",), expired_at=LATER).parameters()
    terms = [(term(MINE, "zebra"), 1.0), (term(THEIRS, "zebra"), 1.0)]
    query = Query(np.ones(DIMENSIONS, np.float32), terms, terms)
    ids = [number for number, _ in terms]
    arms = (*query.arms, 0.5, 0.5, -0.1, 0.0, 40, 80, 3, ids)  # shares, floor, full score, kept, looked up, copies
    turns = (mine[1:3], ["0", "1"], [START, START], mine[:1])
    keys = (["acme"] * 3, [f"r-{n}" for n in range(3)], ["total"] * 3)
    day_one = START + timedelta(hours=1)
    return {
        "memories.get": (MINE, mine[0]),
        "memories.get_believed": (MINE, mine[0], day_one),
        "memories.newest": (MINE,),
        "memories.page": (*tagged, 100),
        "memories.page_believed": (*now, day_one, None, None, 100),
        "memories.count": tagged,
        "memories.count_believed": (*now, day_one),
        "memories.stream": (*now, day_one, UUID(int=0), 100),
        "events.page": (MINE, mine[0], 0, START, UUID(int=0), 100),
        "statistics.frequencies": (MINE, ids),
        "statistics.speakers": (MINE, 100),
        "recall.open": (*now, *arms, ARM_LIMIT, MATCHES_MAX, ids),
        "recall.indexed": (*now, *arms, ARM_LIMIT, MATCHES_MAX, ids),
        "recall.exact": (*tagged, *arms, EXACT_LIMIT),
        "recall.believed": (*now, day_one, *arms),
        "recall.turns": (*now, *query.arms, *turns),
        "hits.chosen": (MINE, mine, CONTESTED_PROBE_LIMIT),
        "hits.chosen_believed": (MINE, mine, [1] * len(mine), day_one),
        "conflicts.totals": (MINE, None, None, None),
        "conflicts.newest": (MINE,),
        "conflicts.small_assertions": (MINE, *keys, None, None, day_one),
        "conflicts.superseded_groups": (MINE, None, None, None, *BEGINNING, 100),
        "conflicts.contested_groups": (MINE, None, None, None, *BEGINNING, 100, None, None, None),
        "conflicts.assertions": (MINE, *keys, None, None, day_one, 100),
        "conflicts.repeated_contents": (MINE, None, None, None, b"", 100),
        "conflicts.duplicates": (MINE, None, None, None, None, LATER, 100),
        "conflicts.missing_records": (MINE, None, "", "", 100),
        "conflicts.referrers": (MINE, ["acme"], ["gone"], None, None, LATER, 100),
    }


def test_every_statement_is_looked_at() -> None:
    names = {
        f"{noun}.{name}"
        for noun in ("memories", "events", "recall", "hits", "conflicts", "statistics")
        for name in load(f"reads/{noun}")
    }
    of_no_tenant = {"statistics.current_generation", "recall.probes_follow", "recall.look_wider"}
    assert names - reads([UUID(int=1)] * 3).keys() == of_no_tenant | {f"recall.{name}" for name in FRAGMENTS}


async def test_row_level_security_alone_keeps_tenants_apart(reader: Pool) -> None:
    async def look(connection: Connection) -> None:
        mine = [row["memory_id"] for row in await connection.fetch("SELECT memory_id FROM memory")]
        assert len(mine) == 6
        contents = [row["content_hash"] for row in await connection.fetch("SELECT DISTINCT content_hash FROM memory")]
        for name, values in reads(mine).items():
            noun, _, statement = name.partition(".")
            tagged = "red" in str(values)
            composed = (
                statement_of(statement, tagged=tagged)
                if statement in _PARAMETERS
                else compose(load(f"reads/{noun}")[statement], tagged=tagged)
            )
            text = for_generation(composed, 1)
            given = [contents if name == "conflicts.duplicates" and n == 4 else v for n, v in enumerate(values)]
            bare, taken_out = PREDICATE.subn("$1::uuid IS NOT NULL", text)
            assert taken_out > 0, name
            honest = await connection.fetch(text, *given)
            careless = await connection.fetch(bare, *given)
            assert honest, name
            assert sorted(map(repr, honest)) == sorted(map(repr, careless)), name

    await run(reader, MINE, look, read_only=True)


async def test_a_read_without_a_tenant_is_an_error(reader: Pool) -> None:
    connection = await reader.acquire()
    try:
        await connection.execute("BEGIN; SELECT set_config('candor.tenant', '', true)")
        with pytest.raises(asyncpg.InvalidTextRepresentationError):
            await connection.fetch("SELECT * FROM memory")
        await connection.execute("ROLLBACK")
    finally:
        await reader.release(connection)

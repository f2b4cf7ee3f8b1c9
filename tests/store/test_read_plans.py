"""Plans of the reads, as the reader role with row-level security on: the indexes that make them bounded are used.

One tenant has 10,000 memories: below that, or for frequent words, a scan of the whole is right, and tests would say
nothing.
"""

import random
import re
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import asyncpg
import numpy as np
import pytest

from shared.domain.draft import check
from shared.domain.types import MemoryKind
from shared.domain.vectors import Vector
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool, run
from shared.store.reads.hits import CONTESTED_PROBE_LIMIT
from shared.store.reads.recall import ARM_LIMIT, EXACT_LIMIT, MATCHES_MAX, Query, statement_of
from shared.store.reads.scopes import Scope, compose
from shared.store.statements import for_generation, load
from tests.store.remembering import DIMENSIONS, Book, term

pytestmark = pytest.mark.anyio

TENANT = UUID(int=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
LATER = START + timedelta(days=300)
MEMORIES = 10_000
BATCH = 1_000
CLUSTERS = 100
# What a partition's index is called: the table, its number, the columns.
SCAN = r"Seq Scan on (?!memory_revision|memory_vector_g1_staging)"
VECTORS, WORDS = r"memory_vector_g1_p\d+_embedding_idx", r"memory_lexical_p\d+_terms_idx"


def word(number: int) -> str:
    """Letters only, so that a word is one term."""
    return "q" + "".join("bdfgklmnpr"[int(digit)] + "aeiou"[int(digit) % 5] for digit in f"{number:04}")


def a_vector(dice: np.random.Generator, centres: Vector) -> Vector:
    """A perturbation of one of the centres: what embeddings look like."""
    noise: Vector = dice.standard_normal(DIMENSIONS, np.float32)
    centre: Vector = centres[dice.integers(CLUSTERS)]
    return centre + np.float32(0.5) * noise


@pytest.fixture
async def reader(database: migrate.Dsns) -> AsyncIterator[Pool]:
    writer = await open_pool(database.writer, size=1, application_name="test")
    pool = await open_pool(database.reader, size=1, application_name="test")
    owner = await asyncpg.connect(database.migrator, server_settings={"search_path": "candor,public"})
    dice, vectors = random.Random(1), np.random.default_rng(1)
    centres = vectors.standard_normal((CLUSTERS, DIMENSIONS), np.float32)
    book = Book(writer, TENANT)
    definition = await owner.fetchval("SELECT pg_get_indexdef('memory_vector_g1_hnsw'::regclass)")
    await owner.execute("DROP INDEX memory_vector_g1_hnsw")  # filled at once instead of row by row
    for start in range(0, MEMORIES, BATCH):
        drafts = [
            check(
                kind=dice.choice(list(MemoryKind)),
                content=f"{' '.join(word(dice.randrange(3000)) for _ in range(6))} {word(number % 3000)}",
                company=f"Company {number % 100}",
                period=f"20{number % 90:02}-{1 + number % 12:02}",
                record=f"INV-{number}",
                source_ref=f"mail/{number // 10}",
                speaker=f"Speaker {number % 150}",
                session=f"s{number % 300}",
                tags=[f"t{number % 200}"],
                importance=number / MEMORIES,
                metadata_json=f'{{"total": {number}, "status": "open"}}',
            )
            for number in range(start, start + BATCH)
        ]
        await book.add(drafts, START + timedelta(seconds=start), [a_vector(vectors, centres) for _ in drafts])
    await owner.execute(definition.replace(" ON ONLY ", " ON "))
    await owner.execute(
        "INSERT INTO memory_use (tenant_id, memory_id, recall_count, last_used_at)"
        " SELECT tenant_id, memory_id, 1, recorded_at FROM memory"
        " ON CONFLICT (tenant_id, memory_id) DO UPDATE SET recall_count = 1"
    )
    await owner.execute("VACUUM ANALYZE")  # so that no terms wait beside the inverted index
    yield pool
    await owner.close()
    await pool.close()
    await writer.close()


async def plan(pool: Pool, name: str, *values: object, tagged: bool = False, staged: bool = False) -> str:
    noun, _, statement = name.partition(".")
    composed = (
        statement_of(statement, tagged=tagged, staged=staged)
        if statement in ("open", "indexed", "exact", "turns")
        else compose(load(f"reads/{noun}")[statement], tagged=tagged)
    )
    text = for_generation(composed, 1)

    async def explain(connection: Connection) -> str:
        rows = await connection.fetch(f"EXPLAIN (COSTS OFF) {text}", *values)
        return "\n".join(row[0] for row in rows)

    return await run(pool, TENANT, explain, read_only=True)


def check_plan(found: str, *wanted: str, never: str = "no other") -> None:
    """Find what must be in a plan; no table is scanned but empty ones: of earlier revisions, of vectors that wait."""
    for pattern in wanted:
        assert re.search(pattern, found), f"{pattern} is not in\n{found}"
    assert never not in found, found
    assert not re.search(SCAN, found), found


async def test_reads_use_their_indexes(reader: Pool) -> None:
    terms = [(term(TENANT, word(number)), 5.0) for number in (7, 1234)]
    vector, sparse = Query(np.random.default_rng(2).standard_normal(DIMENSIONS, np.float32), terms, terms).arms
    ids = [number for number, _ in terms]
    weighing = (0.5, 0.5, -0.1, 0.0, 40, 80, 3)  # shares, floor, full score, kept, looked up, copies
    everything = Scope(TENANT, expired_at=LATER)

    # A whole tenant: the graph, the inverted index, and the memories of the candidates by their key.
    by_key = r"Index Scan using memory_p\d+_pkey"
    most: tuple[object, ...] = (ARM_LIMIT, MATCHES_MAX, [])
    asked = (*everything.parameters(), vector, sparse, *weighing, ids, *most)
    for statement in ("open", "indexed"):
        whole = await plan(reader, f"recall.{statement}", *asked)
        check_plan(whole, f"Index Scan using {VECTORS}", f"Bitmap Index Scan on {WORDS}", by_key)
        assert not re.search(r"_p(\d+)_.*_p(?!\1)\d+_", whole.replace("\n", " ")), "other partitions are pruned"
        # Memories with both words of a pair are found by the same index, the places of other pairs cost nothing.
        pairs = [term(TENANT, word(number)) for number in (11, 12, 13, 14)]
        with_pairs = await plan(reader, f"recall.{statement}", *asked[:-1], pairs)
        assert len(re.findall(f"Bitmap Index Scan on {WORDS}", with_pairs)) == 3, with_pairs
        assert len(re.findall(r"terms @> '\{\d+,\d+\}'", with_pairs)) >= 2, with_pairs
        assert "terms @> NULLIF" not in with_pairs, with_pairs

        # An arm that is not asked costs nothing.
        words = await plan(
            reader,
            f"recall.{statement}",
            *everything.parameters(),
            None,
            sparse,
            *weighing,
            ids,
            ARM_LIMIT,
            MATCHES_MAX,
            [],
        )
        check_plan(words, WORDS, never="embedding")
        meaning = await plan(
            reader,
            f"recall.{statement}",
            *everything.parameters(),
            vector,
            None,
            *weighing,
            ids,
            ARM_LIMIT,
            MATCHES_MAX,
            [],
        )
        check_plan(meaning, VECTORS, never="_terms_idx")

        # Vectors that wait for the graph are searched beside it.
        waiting = await plan(reader, f"recall.{statement}", *asked, staged=True)
        assert re.search(f"Index Scan using {VECTORS}", waiting), waiting
        assert "memory_vector_g1_staging_p" in waiting
        assert not re.search(r"Seq Scan on memory_vector_g1_p", waiting), waiting

    # The turns around a turn: two steps in the order of its session, however long that is.
    turns = (*everything.parameters(), vector, sparse, [UUID(int=1 << 64)], ["s1"], [START], [UUID(int=2 << 64)])
    beside = await plan(reader, "recall.turns", *turns)
    in_order = r"memory_p\d+_tenant_id_session_valid_from_memory_id_idx"
    moment = r"ROW\(CASE WHEN \(valid_from IS NULL\) THEN recorded_at ELSE valid_from END, memory_id\) [<>] ROW"
    check_plan(
        beside,
        f"Index Scan using {in_order}",
        f"Index Scan Backward using {in_order}",
        by_key.replace("memory_p", "memory_lexical_p"),
    )
    assert len(re.findall(rf"Index Cond: .*{moment}", beside)) == 2, beside
    assert not re.search(f"Index Scan using {VECTORS}", beside), "never by the graph"

    # A filter leads to its memories, and those are scored without the graph.
    filters: list[tuple[Scope, str]] = [
        (Scope(TENANT, company_key="company 7"), r"memory_p\d+_tenant_id_company_key_record_key_\w*idx"),
        (Scope(TENANT, record_key="inv-77"), r"memory_p\d+_tenant_id_record_key_idx"),
        (Scope(TENANT, source_ref="mail/7"), r"memory_p\d+_tenant_id_source_ref_idx"),
        (Scope(TENANT, speaker="Speaker 7"), r"memory_p\d+_tenant_id_speaker_idx"),
        (Scope(TENANT, session="s7"), r"memory_p\d+_tenant_id_session_valid_from_memory_id_idx"),
        (Scope(TENANT, min_importance=0.99), r"memory_p\d+_tenant_id_importance_idx"),
        (
            Scope(TENANT, period_from=date(2012, 1, 1), period_to=date(2012, 2, 28)),
            r"memory_p\d+_tenant_id_period_start_period_end_idx",
        ),
        (Scope(TENANT, period="2007-08"), r"memory_p\d+_tenant_id_period_idx"),
        (Scope(TENANT, kind=MemoryKind.NOTE, company_key="company 7"), "company_key"),
        (Scope(TENANT, tags=("t7",)), r"memory_tag_p\d+_pkey"),
    ]
    for scope, index in filters:
        tagged = scope.starts_from_tags
        found = await plan(
            reader, "recall.exact", *scope.parameters(), vector, sparse, *weighing, ids, EXACT_LIMIT, tagged=tagged
        )
        assert "_embedding_idx" not in found, found
        if scope.period_from is None:
            check_plan(found, index, r"memory_vector_g1_p\d+_pkey")
        else:  # two bounds are thought to leave more than they do, so that a scan of the vectors seems as good
            assert re.search(index, found), found
        counted = await plan(reader, "memories.count", *scope.parameters(), tagged=tagged)
        check_plan(counted, index)

    # Lists are read in their order, not sorted; streams by key.
    recorded = r"Index Scan using memory_p\d+_tenant_id_recorded_at_memory_id_idx"
    check_plan(await plan(reader, "memories.page", *everything.parameters(), 21), recorded, never="Sort")
    second = (*everything.parameters(), LATER, START + timedelta(seconds=5000), UUID(int=0), 21)
    check_plan(await plan(reader, "memories.page_believed", *second), recorded)
    streamed = await plan(reader, "memories.stream", *everything.parameters(), LATER, UUID(int=0), 500)
    check_plan(streamed, r"Index Scan using memory_p\d+_pkey")

    # The audit passes once over an index, unsorted; only what one record was given in several periods or by several
    # counterparties is sorted, group by group (the subplan). A hit's conflicts are one probe of the same index.
    open_index = r"assertion_p\d+_tenant_id_company_key_record_key_attribute_ca?\w*idx"
    groups = await plan(
        reader, "conflicts.contested_groups", TENANT, None, None, None, "", "", "", 500, None, None, None
    )
    check_plan(re.split(r"\n +SubPlan 1\n", groups)[0], f"Index Only Scan using {open_index}", never="Sort")
    hits = await plan(reader, "hits.chosen", TENANT, [UUID(int=n << 64) for n in range(10)], CONTESTED_PROBE_LIMIT)
    check_plan(hits, f"Index Only Scan using {open_index}", r"memory_p\d+_pkey", r"memory_use_p\d+_pkey")
    keys = (["company 7"], ["inv-7"], ["total"])
    assertions = await plan(reader, "conflicts.assertions", TENANT, *keys, None, None, LATER, 1000)
    check_plan(assertions, f"Index Scan using {open_index}", r"memory_p\d+_pkey")
    repeated = await plan(reader, "conflicts.repeated_contents", TENANT, None, None, None, b"", 500)
    check_plan(repeated, r"Index Only Scan using memory_p\d+_tenant_id_content_hash_idx", never="Sort")


async def test_what_was_before_and_the_last_turns_of_a_talk_are_read_by_key_and_in_order(reader: Pool) -> None:
    everything = Scope(TENANT, expired_at=LATER)
    asked = (*everything.parameters(), None, [UUID(int=n << 64) for n in range(10)], 8, 200)
    before = await plan(reader, "predecessors.predecessors", *asked)
    check_plan(before, r"Index (?:Only )?Scan using memory_p\d+_tenant_id_superseded_by_idx")
    talk = await plan(reader, "session.last_turns", TENANT, "s7", LATER, 40)
    check_plan(talk, r"Index Scan Backward using memory_p\d+_tenant_id_session_valid_from_memory_id_idx", never="Sort")


async def test_what_keeps_the_ledger_follows_the_memories_that_change(reader: Pool) -> None:
    ids = [UUID(int=n << 64) for n in range(1, 11)]
    decided = r"attribute_idx\d* on assertion_p\d+ \w+\n +Index Cond: .*\(company_key = a.company_key\)"
    wanted = {"lock": (r"memory_p\d+_pkey", decided), "borrowers": (decided,), "lost": (), "standing": ()}
    for name, patterns in wanted.items():
        statement = load("writes/ledger")[name].replace("FOR UPDATE OF m", "")  # its plan is the same for the reader

        async def explain(connection: Connection, statement: str = statement) -> str:
            rows = await connection.fetch(f"EXPLAIN (COSTS OFF) {statement}", TENANT, ids)
            return "\n".join(row[0] for row in rows)

        check_plan(await run(reader, TENANT, explain, read_only=True), *patterns, never="_kind_")

"""Ingest with the real local model: vectors of the right space, the tail of a long text included."""

import asyncpg
import numpy as np
import pytest

from services.embed.main import mount as mount_embed
from services.ingest.main import mount as mount_ingest
from shared.clock import new_id
from shared.config import ProviderChoice, Settings
from shared.rpc import clients
from shared.rpc.probe import is_serving
from shared.rpc.server import start
from shared.store import migrate
from tests.services.ingest.workplace import batch, memory

pytestmark = pytest.mark.anyio

FILLER = "The meeting went on about the usual matters of the office and nobody said anything new. " * 12
FACTS = [
    "The supplier's invoice has not been paid yet.",
    "We still owe the vendor money for the bill.",
    "Penguins live in the southern hemisphere.",
    FILLER + "The launch code is kept in the blue safe.",
    FILLER + "The cat has eaten all of the tuna.",
]


async def test_like_facts_are_near_and_the_tail_of_a_text_counts(module_database: migrate.Dsns) -> None:
    drain = {"drain_seconds": 0.2}
    embed = await start(
        "embed", mount_embed, Settings.model_validate({"embed_provider": ProviderChoice.LOCAL, **drain})
    )
    given = {"writer_dsn": module_database.writer, "embed_target": f"127.0.0.1:{embed.port}", "secret": "s" * 32}
    ingest = await start("ingest", mount_ingest, Settings.model_validate({**given, **drain}))
    tenant = new_id()
    try:
        async with clients.channel(f"127.0.0.1:{ingest.port}") as channel:
            assert await is_serving(channel)
            request = batch(tenant, [memory(fact) for fact in FACTS])
            answer = await clients.memory_writer(channel).BatchCreateMemories(request)
    finally:
        await ingest.stop()
        await embed.stop()
    look = await asyncpg.connect(module_database.migrator, server_settings={"search_path": "candor,public"})
    rows = await look.fetch(
        """SELECT memory_id::text AS id, embedding::text AS v FROM memory_vector_g1
           WHERE tenant_id = $1 ORDER BY 1, passage_no""",
        tenant,
    )
    await look.close()
    vectors = [
        np.array([[float(x) for x in row["v"][1:-1].split(",")] for row in rows if row["id"] == wrote.memory_id])
        for wrote in answer.memories
    ]
    assert [len(passages) for passages in vectors[:3]] == [1, 1, 1]
    assert all(abs(np.linalg.norm(passage) - 1) < 1e-2 for passages in vectors for passage in passages)
    invoice, bill, penguins, code, cat = (passages[-1] for passages in vectors)
    assert invoice @ bill > 0.5 > invoice @ penguins
    assert len(vectors[3]) == len(vectors[4]) > 1
    assert code @ cat < 0.97

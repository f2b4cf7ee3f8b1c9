"""Turns through the real services: the local embedder, the local judge, ingest and its worker, simulated time.

What one enrichment takes of processors is printed: all roles and their clients, which are in this process, and the
database's part.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import asyncpg
import numpy as np
import pytest
from candor.embed.v1 import embeddings_pb2
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceStub
from candor.ingest.v1 import turns_pb2 as pb
from candor.ingest.v1.turns_pb2_grpc import TurnsServiceStub

from services.embed.main import mount as mount_embed
from services.ingest.main import mount as mount_ingest
from services.ingest.worker import mount as mount_worker
from services.judge.contradictions import Contradictions
from services.judge.contradictions_rules import RuleJudge
from services.judge.main import mount as mount_judge
from services.judge.models import LOCAL_JUDGE, Models
from shared.clock import new_id
from shared.config import Clock, ProviderChoice, Settings
from shared.rpc import clients
from shared.rpc.context import NOW_TIME_KEY
from shared.rpc.server import Host, Running, start
from shared.store import migrate
from tests.services.ingest.conversation import Extractor, fact

pytestmark = pytest.mark.anyio
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
FACTS = """SELECT content, state, valid_from, valid_to FROM memory
    WHERE tenant_id = $1 AND kind = 'note' ORDER BY valid_from"""
COLOURS = ("green", "grey", "blue", "black", "oak", "beech")
ALL_JOBS = "SELECT count(*) FROM job WHERE tenant_id = $1 AND kind = 'enrich_turn'"


@dataclass(frozen=True)
class Life:
    """Somebody's conversations with the real services; nobody reads them until the worker is started."""

    turns: TurnsServiceStub
    embed: EmbeddingsServiceStub
    work: Callable[[], Awaitable[Running]]
    look: "asyncpg.Connection[asyncpg.Record]"
    tenant: UUID

    async def say(self, day: float, text: str) -> None:
        now = START + timedelta(days=day)
        request = pb.ObserveTurnRequest(tenant_id=str(self.tenant), user_text=text, session=f"day {int(day)}")
        await self.turns.ObserveTurn(request, metadata=((NOW_TIME_KEY, now.isoformat()),))

    async def read(self) -> None:
        """Read all that was said, and tell what the second half took: by then everything is warm."""
        jobs = await self.look.fetchval(ALL_JOBS, self.tenant)
        worker = await self.work()
        try:
            await self._until_left(jobs // 2)
            left, services, database = await self._left(), time.process_time(), await self._database_ms()
            await self._until_left(0)
            services, database = (time.process_time() - services) * 1000, await self._database_ms() - database
        finally:
            await worker.stop()
        assert not await self.look.fetchval(f"{ALL_JOBS} AND attempts > 1", self.tenant)
        told = f"{services / left:.1f} ms in the services, {database / left:.1f} ms in the database"
        print(f"\n{left} of {jobs} turns: each {told}")

    async def _left(self) -> int:
        return int(await self.look.fetchval(f"{ALL_JOBS} AND status <> 'done'", self.tenant))

    async def _until_left(self, jobs: int) -> None:
        async with asyncio.timeout(120):
            while await self._left() > jobs:  # noqa: ASYNC110  # what a worker has done is only seen by looking
                await asyncio.sleep(0.02)

    async def _database_ms(self) -> float:
        """Return the processor time of the worker's backends so far."""
        named = "SELECT pid FROM pg_stat_activity WHERE application_name = 'candor-worker' AND datname = $1"
        database = await self.look.fetchval("SELECT current_database()")
        return sum([_ticks(row["pid"]) for row in await self.look.fetch(named, database)]) * TICK_MS

    async def rows(self, query: str) -> Sequence[tuple[object, ...]]:
        return [tuple(row) for row in await self.look.fetch(query, self.tenant)]

    async def cosine(self, one: str, other: str) -> float:
        request = embeddings_pb2.EmbedTextsRequest(
            tenant_id=str(self.tenant), texts=[one, other], purpose=embeddings_pb2.PURPOSE_DOCUMENT
        )
        vectors = np.frombuffer((await self.embed.EmbedTexts(request)).vectors, "<f4").reshape(2, -1)
        return float(vectors[0] @ vectors[1])


def _ticks(pid: int) -> int:
    """Return how long a process has run, in the system's ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@asynccontextmanager
async def living(database: migrate.Dsns, judge_mount: Callable[[Host], Awaitable[None]]) -> AsyncIterator[Life]:
    """Start the roles, each with its own mount but judge, and a worker when it is asked for."""
    plain = {"drain_seconds": 0.2, "clock": Clock.REQUEST, "secret": "s" * 32}
    local = {"embed_provider": ProviderChoice.LOCAL, "judge_provider": ProviderChoice.LOCAL, **plain}
    embed = await start("embed", mount_embed, Settings.model_validate(local))
    judge = await start("judge", judge_mount, Settings.model_validate(local))
    targets = {"embed_target": f"127.0.0.1:{embed.port}", "judge_target": f"127.0.0.1:{judge.port}"}
    given = {"writer_dsn": database.writer, **targets, **plain}
    ingest = await start("ingest", mount_ingest, Settings.model_validate({**given, "worker_jobs": 0}))
    work = partial(
        start, "worker", mount_worker, Settings.model_validate({**given, "worker_jobs": int(os.environ.get("WJ", "2"))})
    )
    look = await asyncpg.connect(database.migrator, server_settings={"search_path": "candor,public"})
    try:
        async with (
            clients.channel(f"127.0.0.1:{ingest.port}", caller="test") as writing,
            clients.channel(f"127.0.0.1:{embed.port}", caller="test") as embedding,
        ):
            yield Life(clients.turns(writing), clients.embeddings(embedding), work, look, new_id())
    finally:
        await look.close()
        for role in (ingest, judge, embed):
            await role.stop()


async def test_forty_four_days_in_seconds(module_database: migrate.Dsns) -> None:
    async with living(module_database, mount_judge) as life:
        for number in range(44):
            await life.say(number, f"The weather on day {number} was rather grey, was it not?")
            if number % 11 == 0:
                await life.say(number + 0.1, f"I live in {('Berlin', 'Lisbon', 'Porto', 'Oslo')[number // 11]}.")
            if number % 4 == 0:
                await life.say(number + 0.2, "I am allergic to peanuts.")
        await life.read()
        homes = [row for row in await life.rows(FACTS) if "live" in str(row[0])]
        moves = [START + timedelta(days=11 * n + 0.1) for n in range(4)]
        assert [row[1] for row in homes] == ["superseded"] * 3 + ["active"]
        assert [row[2] for row in homes] == moves
        assert [row[3] for row in homes] == [*moves[1:], None]
        shown = """SELECT m.state, m.recorded_at, m.protection, u.recall_count, u.mentioned_at, u.fades_at
            FROM memory AS m JOIN memory_use AS u USING (tenant_id, memory_id)
            WHERE tenant_id = $1 AND m.kind = 'note' AND m.content LIKE '%peanuts%'"""
        first, last = START + timedelta(days=0.2), START + timedelta(days=40.2)
        assert await life.rows(shown) == [("active", first, "safety", 10, last, None)]


async def test_a_contradiction_at_cosine_059_is_judged_and_superseded(module_database: migrate.Dsns) -> None:
    earlier, later = "Maya is User's landlord.", "Tom is User's landlord."
    extractor = Extractor()
    extractor.script = {text: [fact(text)] for text in (earlier, later)}

    async def judge(host: Host) -> None:
        meaning = Contradictions(RuleJudge(), timeout_seconds=8, concurrent_pairs=4)
        for servicer in (extractor, meaning, Models([LOCAL_JUDGE])):
            host.add(servicer)

    async with living(module_database, judge) as life:
        assert round(await life.cosine(earlier, later), 2) == 0.59
        for day, text in ((9, later), (1, earlier)):  # the older is told last
            await life.say(day, text)
        await life.read()
        assert [row[:2] for row in await life.rows(FACTS)] == [(earlier, "superseded"), (later, "active")]


async def test_what_new_facts_take(module_database: migrate.Dsns) -> None:
    """Each of these turns tells something new that has neighbours; printed, not asserted."""
    things = ("kettle", "bicycle", "sofa", "lamp", "window", "stove", "shelf", "carpet", "mirror", "chair")
    extractor = Extractor()
    texts = [f"User bought a {colour} {thing}." for colour in COLOURS for thing in things]
    extractor.script = {text: [fact(text)] for text in texts}

    async def judge(host: Host) -> None:
        meaning = Contradictions(RuleJudge(), timeout_seconds=8, concurrent_pairs=4)
        for servicer in (extractor, meaning, Models([LOCAL_JUDGE])):
            host.add(servicer)

    async with living(module_database, judge) as life:
        for number, text in enumerate(texts):
            await life.say(number, text)
        await life.read()
        assert len([row for row in await life.rows(FACTS) if row[1] == "active"]) == len(texts)

"""The real services in this process, under simulated time, on an embedded database of their own.

Rules: what runs is what `services/<role>/main.py` mounts, on the local models; a call says what time it is. Jobs and
statistics go on only when told (`work`, `flush`), so that a probe never races with them. A policy is switched off for
a tenant at the judge's door: no slots and no contradictions (no supersession), or no protection. What tenants ask of
judge is counted there, and the facts they were given are kept.
It does not know agents, lives or keys.
Source: REQUIREMENTS D7, D9.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

import grpc
from candor.judge.v1 import contradictions_pb2, extraction_pb2
from candor.judge.v1.contradictions_pb2_grpc import ContradictionsServiceServicer
from candor.judge.v1.extraction_pb2_grpc import ExtractionServiceServicer
from candor.memory.v1 import verdict_pb2

from services.embed import main as embed
from services.ingest import main as ingest
from services.ingest import worker
from services.ingest.runner import JobRunner
from services.ingest.term_statistics import TermStatistics
from services.judge import main as judge
from services.judge.contradictions import Contradictions
from services.judge.extraction import Extraction
from services.retrieve import main as retrieve
from shared.config import Clock, ProviderChoice, Settings
from shared.rpc import clients, server
from shared.store import embedded, migrate

DATABASE_SETTINGS = {"fsync": "off", "full_page_writes": "off"}  # what is lost with the machine can be made again
PARTITIONS = 4  # a life has a thousand memories
GENERATIONS = [("all-MiniLM-L6-v2", 384)]
LIVES_AT_ONCE = 5  # they wait for the database in turn; more than two cores can carry out (chosen)
SECRET = "of-a-benchmark-and-nothing-else-0123456789"


@dataclass(slots=True)
class Ledger:
    """What a tenant's memory asked of judge. `facts` are the texts found, by what the user said and when."""

    calls: Counter[str] = field(default_factory=Counter)
    facts: dict[tuple[int, str], tuple[str, ...]] = field(default_factory=dict)
    fact_texts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Door:
    """The judge's door: which tenants go without a policy, and what each asked."""

    without_supersession: set[str] = field(default_factory=set)
    without_protection: set[str] = field(default_factory=set)
    ledgers: dict[str, Ledger] = field(default_factory=lambda: defaultdict(Ledger))


class _Extraction(ExtractionServiceServicer):
    def __init__(self, inner: Extraction, door: Door) -> None:
        self._inner, self._door = inner, door

    async def ExtractFacts(
        self, request: extraction_pb2.ExtractFactsRequest, context: Any
    ) -> extraction_pb2.ExtractFactsResponse:
        answer = await self._inner.ExtractFacts(request, context)
        ledger = self._door.ledgers[request.tenant_id]
        ledger.calls["extract"] += 1
        texts = tuple(fact.text for fact in answer.facts)
        ledger.facts[request.observed_at.seconds, request.user_text] = texts
        ledger.fact_texts += texts
        if request.tenant_id in self._door.without_supersession:
            for fact in answer.facts:
                fact.slot, fact.value, fact.former_value, fact.ends, fact.multi = "", "", "", False, False
        return answer

    async def ScoreImportance(
        self, request: extraction_pb2.ScoreImportanceRequest, context: Any
    ) -> extraction_pb2.ScoreImportanceResponse:
        answer = await self._inner.ScoreImportance(request, context)
        self._door.ledgers[request.tenant_id].calls["score"] += 1
        if request.tenant_id in self._door.without_protection:
            for score in answer.scores:
                score.protection = extraction_pb2.PROTECTION_NONE
        return answer


class _Contradictions(ContradictionsServiceServicer):
    def __init__(self, inner: Contradictions, door: Door) -> None:
        self._inner, self._door = inner, door

    async def JudgeContradictions(
        self, request: contradictions_pb2.JudgeContradictionsRequest, context: Any
    ) -> contradictions_pb2.JudgeContradictionsResponse:
        answer = await self._inner.JudgeContradictions(request, context)
        calls = self._door.ledgers[request.tenant_id].calls
        calls["judge"] += 1
        calls["pairs judged"] += len(request.pairs)
        if request.tenant_id in self._door.without_supersession:
            for verdict in answer.verdicts:
                verdict.verdict = verdict_pb2.VERDICT_CONSISTENT
        return answer


class _Flushed(Protocol):
    async def flush(self) -> None: ...


@dataclass(slots=True)
class Services:
    """Channels to the running roles, and their background work."""

    door: Door
    ingest: grpc.aio.Channel
    retrieve: grpc.aio.Channel
    runners: list[JobRunner]
    statistics: list[TermStatistics]
    running: set["asyncio.Task[bool]"] = field(default_factory=set)

    async def work(self) -> None:
        """Carry out the jobs that are due, and wait for those that others have taken."""
        while any([await self._step(runner) for runner in self.runners]):
            pass
        if self.running:
            await asyncio.wait(set(self.running))

    async def _step(self, runner: JobRunner) -> bool:
        task = asyncio.ensure_future(runner.step())
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return await task

    async def flush(self) -> None:
        """Write down how often terms occur."""
        for each in self.statistics:
            await each.flush()


class _Host:
    """A host whose jobs and statistics wait to be told, and whose judge stands behind the door."""

    def __init__(self, host: server.Host, services: Services) -> None:
        self._host, self._services = host, services

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    def background(self, work: Callable[[], Any]) -> None:
        owner = getattr(work, "__self__", None)
        if isinstance(owner, JobRunner):
            self._services.runners.append(owner)
        elif isinstance(owner, TermStatistics):
            self._services.statistics.append(owner)
        else:
            self._host.background(work)

    def add(self, servicer: object) -> None:
        if isinstance(servicer, Extraction):
            servicer = _Extraction(servicer, self._services.door)
        elif isinstance(servicer, Contradictions):
            servicer = _Contradictions(servicer, self._services.door)
        self._host.add(servicer)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Services]:
    """Start database and roles with their data in a folder; stop them and remove the data at the end."""
    data = folder / "pg"
    try:
        database = await asyncio.to_thread(embedded.start, data, settings=DATABASE_SETTINGS)
        passwords = {role: f"{role}-of-the-benchmark" for role in migrate.ROLES}
        dsns = await migrate.migrate(
            database.dsn(), partitions=PARTITIONS, passwords=passwords, generations=GENERATIONS
        )
        async with AsyncExitStack() as stack:
            yield await _roles(stack, dsns)
    finally:
        await asyncio.to_thread(embedded.stop, data)
        await asyncio.to_thread(embedded.remove, data)


async def _roles(stack: AsyncExitStack, dsns: migrate.Dsns) -> Services:
    given: dict[str, Any] = {
        "clock": Clock.REQUEST,
        "writer_dsn": dsns.writer,
        "reader_dsn": dsns.reader,
        "secret": SECRET,
        "embed_provider": ProviderChoice.LOCAL,
        "judge_provider": ProviderChoice.LOCAL,
        "worker_jobs": 0,  # in ingest itself
        "drain_seconds": 0.2,
    }
    services = Services(Door(), cast(Any, None), cast(Any, None), [], [])

    async def start(role: str, mount: Callable[[server.Host], Awaitable[None]]) -> str:
        async def watched(host: server.Host) -> None:
            await mount(cast(server.Host, _Host(host, services)))

        running_role = await server.start(role, watched, Settings(**given))
        stack.push_async_callback(running_role.stop)
        return f"127.0.0.1:{running_role.port}"

    async def channel(target: str) -> grpc.aio.Channel:
        return await stack.enter_async_context(clients.channel(target, caller="bench"))

    given["embed_target"] = await start("embed", embed.mount)
    given["judge_target"] = await start("judge", judge.mount)
    given["ingest_target"] = await start("ingest", ingest.mount)
    services.ingest = await channel(given["ingest_target"])
    services.retrieve = await channel(await start("retrieve", retrieve.mount))
    given["worker_jobs"] = LIVES_AT_ONCE  # connections for so many; they are stepped all the same
    await start("worker", worker.mount)
    return services

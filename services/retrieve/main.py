"""The mount of retrieve: reader's pool and the channels to embed, judge and ingest → servicers."""

from services.retrieve.access import Access
from services.retrieve.answers import Answers
from services.retrieve.conflicts import Conflicts
from services.retrieve.decisions import Decisions
from services.retrieve.findings import Findings
from services.retrieve.hints import Hints
from services.retrieve.memories import Memories
from services.retrieve.narrating import Narrator
from services.retrieve.pairs import Pairs
from services.retrieve.question import Questions
from services.retrieve.ranking import Ranker
from services.retrieve.recall import Recall
from services.retrieve.reinforcement import Reinforcement
from services.retrieve.reranking import Reranker
from services.retrieve.timeline import Timeline
from shared import clock
from shared.domain.errors import UpstreamUnavailable
from shared.rpc import clients
from shared.rpc.server import Host, StartRefused, run
from shared.stemmer import stemmer
from shared.store.pool import open_pool, run_without_tenant
from shared.store.reads.statistics import current_generation


async def mount(host: Host) -> None:
    """Connect to the database as its reader, and to the roles that help to recall and answer."""
    settings = host.settings
    if (dsn := settings.reader_dsn) is None:
        raise StartRefused("CANDOR_READER_DSN is not set")
    pool = await open_pool(dsn.get_secret_value(), size=settings.pool_size, application_name="candor-retrieve")
    host.close_with(pool.close)
    embed, judge, ingest = map(clients.channel, (settings.embed_target, settings.judge_target, settings.ingest_target))
    for channel in (embed, judge, ingest):
        host.close_with(channel.close)

    async def database() -> None:
        if await run_without_tenant(pool, current_generation) is None:
            raise UpstreamUnavailable("SCHEMA_INCOMPLETE", "the database has no embedding generation yet")

    host.check("database", database)
    questions = Questions(clients.embeddings(embed), settings.key("term-id"), stemmer)
    token_key = settings.key("page-token")
    reranker = Reranker(Ranker(pool, questions, Hints()), clients.reranker(judge), settings.rerank_timeout_seconds)
    host.background((reinforcement := Reinforcement(clients.reinforcement(ingest))).run)
    host.close_with(reinforcement.drain)
    host.add(Recall(pool, reranker, token_key, host.now))
    host.add(Answers(pool, reranker, Narrator(clients.narrator(judge)), reinforcement, host.now))
    for timed in (Memories, Conflicts):
        host.add(timed(pool, token_key, host.now))
    for listed in (Decisions, Findings):
        host.add(listed(pool, token_key))
    host.add(Timeline(pool, host.now))
    host.add(Pairs(pool, token_key=token_key, statement_key=settings.key("statement-hash"), now=host.now))
    host.add(Access(pool, settings.key("api-key"), clock.now))


if __name__ == "__main__":
    run("retrieve", mount)

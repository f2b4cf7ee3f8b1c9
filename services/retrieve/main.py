"""The mount of retrieve: reader's pool and the channels to embed, judge and ingest → servicers."""

from services.retrieve.hints import Hints
from services.retrieve.question import Questions
from services.retrieve.ranking import Ranker
from services.retrieve.reinforcement import Reinforcement
from services.retrieve.reranking import Reranker
from services.retrieve.serving import servicers
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
    reranker = Reranker(Ranker(pool, questions, Hints()), clients.reranker(judge), settings.rerank_timeout_seconds)
    reinforcement = Reinforcement(clients.reinforcement(ingest))
    host.background(reinforcement.run)
    host.close_with(reinforcement.drain)
    for servicer in servicers(host, pool, reranker, reinforcement, embed, judge, ingest):
        host.add(servicer)


if __name__ == "__main__":
    run("retrieve", mount)

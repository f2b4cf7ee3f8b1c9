"""The mount of retrieve: reader's pool and embed's channel → servicers."""

from services.retrieve.access import Access
from services.retrieve.conflicts import Conflicts
from services.retrieve.hints import Hints
from services.retrieve.memories import Memories
from services.retrieve.question import Questions
from services.retrieve.ranking import Ranker
from services.retrieve.recall import Recall
from shared import clock
from shared.domain.errors import UpstreamUnavailable
from shared.rpc import clients
from shared.rpc.server import Host, StartRefused, run
from shared.stemmer import stemmer
from shared.store.pool import open_pool, run_without_tenant
from shared.store.reads.statistics import current_generation


async def mount(host: Host) -> None:
    """Connect to the database as its reader, and to embed."""
    settings = host.settings
    if settings.reader_dsn is None:
        raise StartRefused("CANDOR_READER_DSN is not set")
    dsn = settings.reader_dsn.get_secret_value()
    pool = await open_pool(dsn, size=settings.pool_size, application_name="candor-retrieve")
    host.close_with(pool.close)
    embed = clients.channel(settings.embed_target)
    host.close_with(embed.close)

    async def database() -> None:
        if await run_without_tenant(pool, current_generation) is None:
            raise UpstreamUnavailable("SCHEMA_INCOMPLETE", "the database has no embedding generation yet")

    host.check("database", database)
    questions = Questions(clients.embeddings(embed), settings.key("term-id"), stemmer())
    token_key = settings.key("page-token")
    host.add(Recall(Ranker(pool, questions, Hints()), clock.now))
    host.add(Memories(pool, token_key, clock.now))
    host.add(Conflicts(pool, token_key, clock.now))
    host.add(Access(pool, settings.key("api-key"), clock.now))


if __name__ == "__main__":
    run("retrieve", mount)

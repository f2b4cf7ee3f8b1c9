"""Ingest: the only role that writes the database."""

from functools import partial

from services.ingest import documents_mounting, serving, worker
from services.ingest.asking import Means
from services.ingest.embedder import Embedder
from services.ingest.revising import Revisions
from services.ingest.term_statistics import TermStatistics
from services.ingest.upkeep import Upkeep
from shared import clock
from shared.rpc import clients
from shared.rpc.server import Host, StartRefused, run
from shared.stemmer import stemmer
from shared.store.pool import open_pool, run_without_tenant
from shared.store.schema import check_schema
from shared.store.writes import plans


async def mount(host: Host) -> None:
    """Put the role together."""
    settings = host.settings
    if settings.writer_dsn is None:
        raise StartRefused("ingest writes the database: give it CANDOR_WRITER_DSN")
    dsn = settings.writer_dsn.get_secret_value()
    pool = await open_pool(dsn, size=settings.pool_size, application_name="candor-ingest", also=settings.storage)
    host.close_with(pool.close)
    channel = clients.channel(settings.embed_target)
    host.close_with(channel.close)
    embedder = Embedder(clients.embeddings(channel))
    statistics, upkeep = TermStatistics(pool), Upkeep(pool, now=clock.now, new_id=clock.new_id)
    for noted in (statistics, upkeep):
        host.background(noted.run)
        host.close_with(noted.flush)

    async def same_generation() -> None:
        await embedder.check(await run_without_tenant(pool, plans.generation))

    host.check("schema", partial(run_without_tenant, pool, check_schema))
    host.check("embedding generation", same_generation)
    means = Means(
        pool=pool,
        embedder=embedder,
        statistics=statistics,
        upkeep=upkeep,
        revisions=Revisions(pool, settings.key("term-id"), stemmer, now=clock.now),
        request_key=settings.key("request-hash"),
        now=host.now,
        real_now=clock.now,
        new_id=clock.new_id,
    )
    own = serving.servicers(means, pepper=settings.key("api-key"), new_secret=clock.new_secret)
    for servicer in (*own, *documents_mounting.servicers(host, means)):
        host.add(servicer)
    if settings.worker_jobs:
        await worker.mount(host)


if __name__ == "__main__":
    run("ingest", mount)

"""The background work of ingest, beside its servicers or as a process of its own: `python -m services.ingest.worker`.

Rules: it has a pool of its own, so that jobs and requests never wait for each other's connections. Any number of
workers may run at the same time. As a process of its own it serves health and reflection only.
"""

from functools import partial

from services.ingest import documents_mounting, expiry, indexing, ledger_filling, recount, refreshing
from services.ingest.embedder import Embedder
from services.ingest.enriching import enriching, means_of
from services.ingest.runner import Handler, JobRunner
from services.ingest.sweeping import sweeping
from services.ingest.upkeep import EXPIRE_KIND, RECOUNT_KIND
from services.ingest.vector_filling import VectorFiller
from shared import clock
from shared.rpc import clients
from shared.rpc.server import Host, StartRefused, run
from shared.store.pool import open_pool, run_without_tenant
from shared.store.schema import check_schema

SPARE_CONNECTIONS = 3  # beside one for each job: leases, pending vectors, depth


async def mount(host: Host) -> None:
    """Put the background work together."""
    settings = host.settings
    if settings.writer_dsn is None:
        raise StartRefused("the worker writes the database: give it CANDOR_WRITER_DSN")
    size = settings.worker_jobs + SPARE_CONNECTIONS
    dsn = settings.writer_dsn.get_secret_value()
    pool = await open_pool(dsn, size=size, application_name="candor-worker", also=settings.storage)
    host.close_with(pool.close)
    channel = clients.channel(settings.embed_target)
    host.close_with(channel.close)
    embedder = Embedder(clients.embeddings(channel))
    host.background(VectorFiller(pool, embedder, now=clock.now).run)
    means = means_of(host, pool, embedder)
    handlers: dict[str, Handler] = {
        RECOUNT_KIND: recount.handle,
        EXPIRE_KIND: partial(expiry.handle, new_id=clock.new_id),
        indexing.KIND: indexing.handle,
        refreshing.KIND: partial(refreshing.handle, new_id=clock.new_id),
        ledger_filling.KIND: partial(ledger_filling.handle, new_id=clock.new_id),
    }
    handlers |= enriching(host, means) | sweeping(host, pool) | documents_mounting.reading(host, means)
    host.background(JobRunner(pool, handlers, now=clock.now, at_once=max(1, settings.worker_jobs)).run)
    host.check("worker schema", partial(run_without_tenant, pool, check_schema))


if __name__ == "__main__":
    run("worker", mount)

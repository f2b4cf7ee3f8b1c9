"""What jobs of the worker write with, and those that ask judge, put together for its mount."""

from functools import partial

from services.ingest import consolidation_job, enrichment
from services.ingest.asking import Means
from services.ingest.embedder import Embedder
from services.ingest.enrichment import Enrichment
from services.ingest.enrichment_judge import Judge
from services.ingest.revising import Revisions
from services.ingest.runner import Handler
from services.ingest.term_statistics import TermStatistics
from services.ingest.upkeep import CONSOLIDATE_KIND, Upkeep
from shared import clock
from shared.rpc import clients, life_stubs, meaning_stubs
from shared.rpc.server import Host
from shared.stemmer import stemmer
from shared.store.pool import Pool


def means_of(host: Host, pool: Pool, embedder: Embedder) -> Means:
    """Return what jobs write with, and keep its statistics and upkeep going."""
    settings = host.settings
    statistics, upkeep = TermStatistics(pool), Upkeep(pool, now=clock.now, new_id=clock.new_id)
    for noted in (statistics, upkeep):
        host.background(noted.run)
        host.close_with(noted.flush)
    return Means(
        pool=pool,
        embedder=embedder,
        statistics=statistics,
        upkeep=upkeep,
        revisions=Revisions(pool, settings.key("term-id"), stemmer, now=clock.now),
        request_key=settings.key("request-hash"),
        now=clock.now,
        real_now=clock.now,
        new_id=clock.new_id,
    )


def enriching(host: Host, means: Means) -> dict[str, Handler]:
    """Return what carries out enrich_turn and consolidate_memories."""
    settings = host.settings
    channel = clients.channel(settings.judge_target)
    host.close_with(channel.close)
    judge = Judge(clients.extraction(channel), meaning_stubs.contradictions(channel), clients.models(channel))
    handlers: dict[str, Handler] = {
        enrichment.KIND: Enrichment(means, judge, statement_key=settings.key("statement-hash")).handle
    }
    if not settings.simulates_time:  # real time must not date digests of memories that have a time of their own
        summaries = life_stubs.summaries(channel)
        handlers[CONSOLIDATE_KIND] = partial(consolidation_job.handle, means=means, summaries=summaries)
    return handlers

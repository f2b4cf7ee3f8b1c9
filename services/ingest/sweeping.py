"""The sweep, put together for the worker's mount."""

from functools import partial

from services.ingest import sweep
from services.ingest.revising import Revisions
from services.ingest.runner import Handler
from services.ingest.term_statistics import TermStatistics
from services.ingest.upkeep import SWEEP_KIND
from shared import clock
from shared.rpc.server import Host
from shared.stemmer import stemmer
from shared.store.pool import Pool


def sweeping(host: Host, pool: Pool) -> dict[str, Handler]:
    """Return what carries out sweep_memories, and keep its statistics going.

    Where requests say what time it is there is none: real time must not forget what has a time of its own.
    """
    settings = host.settings
    if settings.simulates_time:
        return {}
    statistics = TermStatistics(pool)
    host.background(statistics.run)
    host.close_with(statistics.flush)
    revisions = Revisions(pool, settings.key("term-id"), stemmer, now=clock.now)
    return {SWEEP_KIND: partial(sweep.handle, revisions=revisions, statistics=statistics, new_id=clock.new_id)}

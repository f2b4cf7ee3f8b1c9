"""The services of ingest that work with its means, put together for the mount."""

from collections.abc import Callable

from services.ingest import deciding
from services.ingest.admin import AdminServicer
from services.ingest.archives import ArchiveServicer
from services.ingest.asking import Means
from services.ingest.consolidation import ConsolidationServicer
from services.ingest.erasure import ErasureServicer
from services.ingest.forgetting import ForgettingServicer
from services.ingest.importing import ImportServicer
from services.ingest.jobs import JobsServicer
from services.ingest.keys import KeysServicer
from services.ingest.memories import MemoriesServicer
from services.ingest.quota import QuotaServicer
from services.ingest.reinforcement import ReinforcementServicer
from services.ingest.turns import TurnsServicer
from services.ingest.verdicts import Verdicts


def servicers(means: Means, *, pepper: bytes, new_secret: Callable[[], str]) -> tuple[object, ...]:
    """Return the servicers."""
    return (
        AdminServicer(means, pepper=pepper, new_secret=new_secret),
        KeysServicer(means, pepper=pepper, new_secret=new_secret),
        MemoriesServicer(means),
        ImportServicer(means),
        ArchiveServicer(means),
        TurnsServicer(means),
        ReinforcementServicer(means.pool, means.upkeep, now=means.now),
        JobsServicer(means.pool),
        ForgettingServicer(means),
        ConsolidationServicer(means),
        ErasureServicer(means),
        QuotaServicer(means.pool, key=means.request_key, now=means.real_now),
        Verdicts(means.pool, now=means.now),
        *deciding.servicers(means),
    )

"""DocumentsService, the demonstration's papers and the job, put together for the mounts of ingest and its worker."""

from functools import partial

from services.ingest import document_job
from services.ingest.asking import Means
from services.ingest.demo import DemoServicer
from services.ingest.document_reading import DocumentReader
from services.ingest.documents import DocumentsServicer
from services.ingest.runner import Handler
from shared.domain.money.rules import RuleBands
from shared.rpc import clients, life_stubs
from shared.rpc.server import Host


def servicers(host: Host, means: Means) -> tuple[object, ...]:
    """Return the servicers."""
    return DocumentsServicer(means, _reader(host), _bands(host)), DemoServicer(means, _bands(host))


def reading(host: Host, means: Means) -> dict[str, Handler]:
    """Return what carries out ingest_documents."""
    return {document_job.KIND: partial(document_job.handle, means=means, reader=_reader(host), bands=_bands(host))}


def _reader(host: Host) -> DocumentReader:
    channel = clients.channel(host.settings.judge_target)
    host.close_with(channel.close)
    return DocumentReader(life_stubs.document_reader(channel))


def _bands(host: Host) -> RuleBands:
    settings = host.settings
    return RuleBands(
        net_difference_max_pct=settings.payroll_net_difference_max_pct,
        cost_ratio_min=settings.payroll_cost_ratio_min,
        cost_ratio_max=settings.payroll_cost_ratio_max,
        payment_grace_days=settings.payroll_grace_days,
        total_difference_max_pct=settings.payroll_total_difference_max_pct,
    )

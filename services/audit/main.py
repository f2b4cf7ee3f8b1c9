"""Starts audit: it reads through retrieve and holds no address of the database."""

from services.audit.field_audit import FieldAudit
from services.audit.meaning import MeaningAudit
from services.audit.meaning_judging import Judging
from services.audit.recording import Recording
from services.audit.signing import Signer
from shared import clock
from shared.rpc import clients, meaning_stubs
from shared.rpc.server import Host, run


async def mount(host: Host) -> None:
    """Connect to retrieve, to judge, and to ingest, which records."""
    retrieve = clients.channel(host.settings.retrieve_target)
    ingest = clients.channel(host.settings.ingest_target)
    judge = clients.channel(host.settings.judge_target)
    for channel in (retrieve, ingest, judge):
        host.close_with(channel.close)
    signer = Signer(host.settings.key("report-signature"), clock.new_salt)
    audit = FieldAudit(clients.conflicts(retrieve), signer)
    judging = Judging(clients.models(judge), meaning_stubs.contradictions(judge), meaning_stubs.verdicts(ingest))
    meaning = MeaningAudit(meaning_stubs.pairs(retrieve), judging, signer)
    host.add(audit)
    host.add(meaning)
    host.add(Recording(audit, meaning, clients.findings(ingest)))


if __name__ == "__main__":
    run("audit", mount)

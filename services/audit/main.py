"""Starts audit: it reads through retrieve and holds no address of the database."""

from services.audit.field_audit import FieldAudit
from services.audit.recording import Recording
from shared.rpc import clients
from shared.rpc.server import Host, run


async def mount(host: Host) -> None:
    """Connect to retrieve, and to ingest, which records."""
    retrieve = clients.channel(host.settings.retrieve_target)
    ingest = clients.channel(host.settings.ingest_target)
    for channel in (retrieve, ingest):
        host.close_with(channel.close)
    audit = FieldAudit(clients.conflicts(retrieve))
    host.add(audit)
    host.add(Recording(audit, clients.findings(ingest)))


if __name__ == "__main__":
    run("audit", mount)

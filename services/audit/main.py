"""Starts audit: it reads through retrieve and holds no address of the database."""

from services.audit.field_audit import FieldAudit
from shared.rpc import clients
from shared.rpc.server import Host, run


async def mount(host: Host) -> None:
    """Connect to retrieve."""
    retrieve = clients.channel(host.settings.retrieve_target)
    host.close_with(retrieve.close)
    host.add(FieldAudit(clients.conflicts(retrieve)))


if __name__ == "__main__":
    run("audit", mount)

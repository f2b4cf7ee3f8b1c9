"""The first key of a tenant on one machine, before anybody has a key to ask with.

Rules: it asks ingest over gRPC as any internal caller does. The same machine gets the same key again, because the key
is derived from the request id and the machine's secret.
"""

from candor.ingest.v1.admin_pb2 import CreateKeyRequest, CreateTenantRequest
from candor.options.v1.options_pb2 import Access

from shared.rpc import clients

KEY_NAME = "local-admin"


async def ensure_key(ingest_target: str, *, tenant_name: str) -> str:
    """Return an admin key of the named tenant, making tenant and key where they are missing."""
    channel = clients.channel(ingest_target)
    async with channel:
        admin = clients.admin(channel)
        tenant = await admin.CreateTenant(CreateTenantRequest(name=tenant_name))
        made = await admin.CreateKey(
            CreateKeyRequest(
                tenant_id=tenant.tenant_id,
                actor=KEY_NAME,
                request_id=KEY_NAME,
                name=KEY_NAME,
                scopes=[Access.ACCESS_ADMIN],
            )
        )
        return made.key

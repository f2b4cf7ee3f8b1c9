"""The first key of a tenant, before anybody has a key to ask with: `python -m shared.rpc.local_key TENANT` prints it.

Rules: whoever can reach ingest's inner port may make one; the port is for internal callers only. It asks ingest over
gRPC as they do. The same deployment gets the same key again, because the key is derived from the request id and its
secret.
"""

import asyncio
import sys

from candor.ingest.v1.admin_pb2 import CreateKeyRequest, CreateTenantRequest
from candor.options.v1.options_pb2 import Access

from shared import config
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


def main() -> None:
    """Print an admin key of the tenant that the command line names."""
    if len(sys.argv) != 2 or not sys.argv[1].strip():
        raise SystemExit("usage: python -m shared.rpc.local_key TENANT")
    sys.stdout.write(asyncio.run(ensure_key(config.load().ingest_target, tenant_name=sys.argv[1])) + "\n")


if __name__ == "__main__":
    main()

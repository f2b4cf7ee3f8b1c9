"""Starts judge: the only role that asks generative models. So far it says which it would ask."""

from services.judge.models import LOCAL_JUDGE, Models
from shared.rpc.server import Host, run


async def mount(host: Host) -> None:
    """Put the local judge in place of an online one."""
    host.local_stand_in("judge")
    host.add(Models([LOCAL_JUDGE]))


if __name__ == "__main__":
    run("judge", mount)

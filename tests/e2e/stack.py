"""A whole Candor to test against: one started here, on a home and ports of its own, or the one that E2E_URL names.

Rules: what is started here runs on the local models, whatever the environment offers, and leaves nothing behind. With
E2E_URL (and E2E_KEY, an admin key; E2E_OTHER_KEY, one of another tenant) there is no hold on processes and no gRPC:
tests that need them are skipped and say so.
"""

import asyncio
import json
import os
import signal
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import grpc
import httpx2
import pytest
from candor.ingest.v1.admin_pb2 import CreateKeyRequest, CreateTenantRequest
from candor.options.v1.options_pb2 import Access

from services import dev
from shared.config import Settings, load
from shared.rpc import clients
from shared.store import embedded

T = TypeVar("T")
TIMEOUT_SECONDS = 60.0  # the machine may be busy with other things; no test waits for it
PARTITIONS = 4  # as in the other tests; 32 make the first start longer


@dataclass(frozen=True, slots=True)
class Tenant:
    """Somebody with a memory of their own. `tenant_id` is empty where only the key is known."""

    key: str
    tenant_id: str = ""


@dataclass(frozen=True, slots=True)
class Stack:
    """Where a Candor answers, and the settings by which its processes can be reached; None: they are not ours."""

    url: str
    key: str
    settings: Settings | None

    @property
    def own(self) -> Settings:
        """The settings of our own processes; without them the test is skipped."""
        if self.settings is None:
            pytest.skip("E2E_URL names a Candor whose processes and inner ports are out of reach")
        return self.settings

    def client(self, key: str | None = None) -> httpx2.Client:
        """Return an HTTP client with a key; by default the stack's own."""
        return httpx2.Client(base_url=self.url, headers=bearer(key or self.key), timeout=TIMEOUT_SECONDS)

    def target(self, role: str) -> str:
        """Return where a role listens for gRPC."""
        return str(getattr(self.own, f"{role}_target"))

    def call(self, role: str, work: Callable[[grpc.aio.Channel], Awaitable[T]]) -> T:
        """Run some gRPC calls to a role."""

        async def connected() -> T:
            async with clients.channel(self.target(role), caller="test") as channel:
                return await work(channel)

        return asyncio.run(connected())

    def new_tenant(self, *, key_name: str = "tester") -> Tenant:
        """Make a tenant that nobody else uses, with an admin key."""

        async def make(channel: grpc.aio.Channel) -> Tenant:
            admin = clients.admin(channel)
            made = await admin.CreateTenant(CreateTenantRequest(name=f"test-{uuid.uuid4()}"))
            key = await admin.CreateKey(
                CreateKeyRequest(
                    tenant_id=made.tenant_id,
                    actor="the-tests",
                    request_id=str(uuid.uuid4()),
                    name=key_name,
                    scopes=[Access.ACCESS_ADMIN],
                )
            )
            return Tenant(key.key, made.tenant_id)

        return self.call("ingest", make)

    def kill_role(self, role: str) -> None:
        """End the process of one role as a crash would."""
        pid, _ = json.loads((self.own.home / "run" / f"{role}.json").read_text())
        os.kill(pid, signal.SIGKILL)

    def restart(self) -> None:
        """Start what is not running and wait until all is ready."""
        with local_models():
            dev.up(self.own)


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def named_by_environment() -> Stack | None:
    """Return the Candor that E2E_URL names, if it does."""
    url = os.environ.get("E2E_URL")
    return Stack(url.rstrip("/"), os.environ["E2E_KEY"], None) if url else None


@contextmanager
def local_models(*, partitions: int = PARTITIONS) -> Iterator[None]:
    """Let what is started meanwhile run on the local models and on a database of its own.

    What a test has set itself stays. Only meanwhile: other tests of the session read the environment too.
    """
    with pytest.MonkeyPatch.context() as environment:
        for name, value in (("EMBED_PROVIDER", "local"), ("JUDGE_PROVIDER", "local"), ("PARTITIONS", str(partitions))):
            if f"CANDOR_{name}" not in os.environ:
                environment.setenv(f"CANDOR_{name}", value)
        environment.delenv("DATABASE_URL", raising=False)
        yield


@contextmanager
def started(folder: Path, *, partitions: int = PARTITIONS) -> Iterator[Stack]:
    """Start a Candor of our own in a folder; stop it and remove its data at the end."""
    with local_models(partitions=partitions):
        settings = dev.apart(load(), folder / "home")
    try:
        with local_models(partitions=partitions):
            key = dev.up(settings)
        yield Stack(f"http://{settings.gateway_listen}", key, settings)
    finally:
        dev.down(settings)
        embedded.remove(settings.home / "pg")

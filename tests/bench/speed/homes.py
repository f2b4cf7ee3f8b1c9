"""The Candors that are measured: each size in a home and a database of its own, kept and used again where asked.

Rules: what is started runs on the local models and in 32 partitions. A home is filled through the product: by an upload
in bulk, which goes on where it was cut, and measured when nothing of it waits for the index any more. A home says what
it holds in `loaded.json`, written last. Without a folder to keep them in, homes are removed at the end.
It does not know what is measured.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import asyncpg
import numpy as np
from candor.embed.v1.embeddings_pb2 import PURPOSE_DOCUMENT, EmbedTextsRequest, Purpose
from candor.ingest.v1.admin_pb2 import CreateKeyRequest, CreateTenantRequest
from candor.options.v1.options_pb2 import Access
from numpy.typing import NDArray

from services import dev
from shared.config import Settings, load
from shared.rpc import clients
from shared.store import embedded, migrate
from shared.store.migrate import DATABASE, Dsns
from tests.bench.speed.texts import Texts
from tests.e2e.stack import local_models

PARTITIONS = 32
EMBED_TEXTS_MAX = 512  # of one call: within its deadline on two cores
EMBED_TIMEOUT_SECONDS = 300
NO_TENANT = str(UUID(int=0))


@dataclass(frozen=True, slots=True)
class Home:
    """A running Candor and the tenants in it, by the name that the benchmark gives them."""

    settings: Settings
    tenants: dict[str, str]

    @property
    def address(self) -> str:
        return self.settings.gateway_listen

    @property
    def dsns(self) -> Dsns:
        """The addresses of the roles' connections."""
        secrets = json.loads((self.settings.home / "secrets.json").read_text())
        return migrate.addresses(self.server().dsn(), {role: secrets[role] for role in migrate.ROLES})

    def server(self) -> embedded.Server:
        """Return the database's server. Raises: SystemExit when it is not running."""
        server = embedded.attach(self.settings.home / "pg")
        if server is None:
            raise SystemExit("speed: the embedded database is not running")
        return server

    def key_of_terms(self) -> bytes:
        """Return the key of term ids on this machine."""
        secret = json.loads((self.settings.home / "secrets.json").read_text())["secret"]
        return Settings(secret=secret).key("term-id")

    async def api_key(self, tenant: str) -> str:
        """Return an API key of a tenant: always the same."""
        async with clients.channel(self.settings.ingest_target, caller="bench") as channel:
            request = CreateKeyRequest(
                tenant_id=self.tenants[tenant],
                actor="bench",
                request_id=f"bench-{tenant}",
                name="bench",
                scopes=[Access.ACCESS_ADMIN],
            )
            return str((await clients.admin(channel).CreateKey(request)).key)

    async def new_tenant(self, name: str) -> str:
        """Make a tenant and remember it, also over restarts."""
        async with clients.channel(self.settings.ingest_target, caller="bench") as channel:
            made = await clients.admin(channel).CreateTenant(CreateTenantRequest(name=f"bench-{name}"))
        self.tenants[name] = made.tenant_id
        (self.settings.home / "tenants.json").write_text(json.dumps(self.tenants))
        return str(made.tenant_id)

    async def settle(self) -> None:
        """Do what autovacuum does within minutes, so that every run asks the same plans."""
        connection = await asyncpg.connect(self.server().dsn(DATABASE))
        try:
            await connection.execute("VACUUM (ANALYZE)")
        finally:
            await connection.close()


Fill = Callable[[Home], Awaitable[None]]


@contextmanager
def opened(folder: Path, name: str, fill: Fill | None, *, keep: bool) -> Iterator[Home]:
    """Start a Candor in a folder of this name, fill it if it is not filled yet, stop it at the end."""
    with local_models(partitions=PARTITIONS):
        settings = dev.apart(load(), folder / name)
    try:
        with local_models(partitions=PARTITIONS):
            dev.up(settings)
        known = settings.home / "tenants.json"
        home = Home(settings, json.loads(known.read_text()) if known.exists() else {})
        if fill is not None and not (settings.home / "loaded.json").exists():
            asyncio.run(_filled(home, fill))
        yield home
    finally:
        dev.down(settings)
        if not keep:
            embedded.remove(settings.home / "pg")


async def _filled(home: Home, fill: Fill) -> None:
    await fill(home)
    await home.settle()
    (home.settings.home / "loaded.json").write_text(json.dumps(home.tenants))


async def embed(home: Home, texts: list[str], purpose: Purpose.ValueType) -> tuple[NDArray[np.float32], str]:
    """Return the vectors of texts from the embed service, and their model."""
    async with clients.channel(home.settings.embed_target, caller="bench") as channel:
        stub, parts, model = clients.embeddings(channel), [], ""
        for start in range(0, len(texts), EMBED_TEXTS_MAX):
            part = texts[start : start + EMBED_TEXTS_MAX]
            request = EmbedTextsRequest(tenant_id=NO_TENANT, texts=part, purpose=purpose)
            answer = await stub.EmbedTexts(request, timeout=EMBED_TIMEOUT_SECONDS)
            model = answer.generation.model
            parts.append(np.frombuffer(answer.vectors, "<f4").reshape(len(part), -1))
    return np.concatenate(parts), model


async def origins(home: Home, folder: Path, texts: Texts) -> tuple[NDArray[np.float32], str]:
    """Return the vectors of the texts that all others are made of, and their model; kept in the folder."""
    path = folder / f"origins-{len(texts.origins)}.npz"
    if path.exists():
        with np.load(path) as kept:
            return kept["vectors"], str(kept["model"])
    vectors, model = await embed(home, texts.origins, PURPOSE_DOCUMENT)
    np.savez(path, vectors=vectors, model=np.array(model))
    return vectors, model

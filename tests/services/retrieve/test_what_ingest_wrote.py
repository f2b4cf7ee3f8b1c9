"""Both roles as they are mounted: what ingest acknowledged is read at once, by its words, its vector and its key."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from uuid import uuid4

import grpc
import pytest
from candor.ingest.v1 import admin_pb2, keys_pb2, reinforcement_pb2
from candor.ingest.v1 import memories_pb2 as ingest_pb
from candor.memory.v1 import memory_pb2
from candor.options.v1 import options_pb2
from candor.retrieve.v1 import access_pb2, memories_pb2, recall_pb2
from pydantic import SecretStr

from services.ingest.main import mount as mount_ingest
from services.retrieve.main import mount as mount_retrieve
from shared import config
from shared.rpc import clients, life_stubs, server
from shared.store import migrate
from tests.services.ingest.stand_in import StandIn

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True)
class Roles:
    ingest: grpc.aio.Channel
    retrieve: grpc.aio.Channel
    tenant_id: str


@pytest.fixture
async def roles(database: migrate.Dsns) -> AsyncIterator[Roles]:
    async def mount_embed(host: server.Host) -> None:
        host.add(StandIn())

    async with AsyncExitStack() as stack:

        async def started(name: str, mount: server.Mount, embed_target: str = "") -> str:
            settings = config.Settings(
                writer_dsn=SecretStr(database.writer),
                reader_dsn=SecretStr(database.reader),
                secret=SecretStr("s" * 32),
                embed_target=embed_target,
                drain_seconds=0.2,
            )
            running = await server.start(name, mount, settings)
            stack.push_async_callback(running.stop)
            return f"127.0.0.1:{running.port}"

        embed = await started("embed", mount_embed)
        ingest = clients.channel(await started("ingest", mount_ingest, embed), caller="test")
        retrieve = clients.channel(await started("retrieve", mount_retrieve, embed), caller="test")
        stack.push_async_callback(ingest.close)
        stack.push_async_callback(retrieve.close)
        made = await clients.admin(ingest).CreateTenant(admin_pb2.CreateTenantRequest(name="acme"))
        yield Roles(ingest, retrieve, made.tenant_id)


async def create(roles: Roles, content: str, **given: object) -> str:
    memory = ingest_pb.NewMemory(**{"kind": memory_pb2.KIND_INVOICE, "content": content, **given})  # type: ignore[arg-type]
    request = ingest_pb.CreateMemoryRequest(tenant_id=roles.tenant_id, actor="ann", memory=memory)
    return str((await clients.memory_writer(roles.ingest).CreateMemory(request)).memory.memory_id)


async def recall(roles: Roles, query: str, mode: recall_pb2.Mode.ValueType) -> recall_pb2.RecallMemoriesResponse:
    request = recall_pb2.RecallMemoriesRequest(tenant_id=roles.tenant_id, query=query, mode=mode)
    response: recall_pb2.RecallMemoriesResponse = await clients.recall(roles.retrieve).RecallMemories(request)
    return response


async def test_a_key_that_ingest_made_opens(roles: Roles) -> None:
    wanted = admin_pb2.CreateKeyRequest(
        tenant_id=roles.tenant_id, actor="root", name="laptop", scopes=[options_pb2.ACCESS_WRITE]
    )
    made = await clients.admin(roles.ingest).CreateKey(wanted)
    found = await clients.access(roles.retrieve).AuthenticateKey(access_pb2.AuthenticateKeyRequest(key=made.key))
    assert (found.tenant_id, found.key_id, found.name) == (roles.tenant_id, made.key_id, "laptop")
    assert list(found.scopes) == [options_pb2.ACCESS_WRITE]


async def test_a_write_is_found_at_once_by_either_arm(roles: Roles) -> None:
    await create(roles, "The lawyers are paid on Fridays.", company="Acme")
    wanted = await create(roles, "Payments to Globex were delayed by 8,400 USD.", record="INV-5521", company="Acme")
    for query in ("delaying payment", "8400 USD", "inv-5521"):
        hits = (await recall(roles, query, recall_pb2.MODE_LEXICAL)).hits
        assert [hit.memory.id for hit in hits] == [wanted], query
    dense = await recall(roles, "payments to globex were late", recall_pb2.MODE_DENSE)
    assert dense.hits[0].memory.id == wanted
    assert not (await recall(roles, "weather", recall_pb2.MODE_LEXICAL)).hits


async def test_use_that_ingest_counted_decides_near_ties_and_nothing_else(roles: Roles) -> None:
    fact = await create(roles, "The zebra crossing in Elm Street was painted on Friday")
    ties = [await create(roles, f"The crossing in Oak Street was painted {day}") for day in ("Monday", "Sunday")]
    query = "when was the zebra crossing in Elm Street painted"
    for favourite in (*ties, *ties):
        for _ in range(20):
            await clients.reinforcement(roles.ingest).ReinforceMemories(
                reinforcement_pb2.ReinforceMemoriesRequest(
                    tenant_id=roles.tenant_id, request_id=str(uuid4()), memory_ids=[favourite]
                )
            )
    first, *others = (await recall(roles, query, recall_pb2.MODE_HYBRID)).hits
    assert first.memory.id == fact
    assert {hit.memory.id for hit in others} == set(ties)
    assert min(hit.explanation.salience for hit in others) > first.explanation.salience > 0


async def test_a_patch_is_read_with_its_history(roles: Roles) -> None:
    first = await create(roles, "INV-1: 8400", record="INV-1", metadata='{"total": 8400}', session="a")
    await create(roles, "INV-1: 8900", record="INV-1", metadata='{"total": 8900}', session="b")
    before = await recall(roles, "INV-1", recall_pb2.MODE_HYBRID)
    assert [value.value for value in before.conflicts[0].values] == ["8400", "8900"]
    patch = ingest_pb.MemoryPatch(metadata='{"total": 8900}', content="INV-1: now 8900")
    await clients.memory_writer(roles.ingest).UpdateMemory(
        ingest_pb.UpdateMemoryRequest(tenant_id=roles.tenant_id, actor="bo", memory_id=first, patch=patch)
    )
    after = await recall(roles, "INV-1", recall_pb2.MODE_HYBRID)
    assert not after.conflicts
    reader = clients.memory_reader(roles.retrieve)
    asked = memories_pb2.ListMemoryEventsRequest(tenant_id=roles.tenant_id, memory_id=first)
    created, updated = (await reader.ListMemoryEvents(asked)).events
    assert (created.action, created.actor, created.changes) == ("created", "ann", "{}")
    assert (updated.action, updated.actor, updated.revision) == ("updated", "bo", 2)
    assert json.loads(updated.changes)["content"] == {"before": "INV-1: 8400", "after": "INV-1: now 8900"}
    then = memories_pb2.GetMemoryRequest(tenant_id=roles.tenant_id, memory_id=first, known_at=before.retrieval.known_at)
    assert (await reader.GetMemory(then)).memory.content == "INV-1: 8400"


async def test_another_form_of_a_word_finds_a_memory_in_its_language(roles: Roles) -> None:
    content = "Die Lieferungen der Spedition sind nicht vor Montag fertig."
    wanted = await create(roles, content, company="Bluebird Bakeries")
    for query in ("Wann ist die Lieferung fertig?", "Was ist mit den Speditionen?", "the Bakery at Bluebird"):
        answer = await recall(roles, query, recall_pb2.MODE_LEXICAL)
        assert [hit.memory.id for hit in answer.hits] == [wanted], query
    assert not (await recall(roles, "Welche Lieferanten?", recall_pb2.MODE_LEXICAL)).hits


async def test_keys_are_listed_with_their_use_and_never_themselves(roles: Roles) -> None:
    admin, keys, access = clients.admin(roles.ingest), life_stubs.keys(roles.ingest), clients.access(roles.retrieve)
    scopes, tenant_id = [options_pb2.ACCESS_READ], roles.tenant_id
    made = [
        await admin.CreateKey(
            admin_pb2.CreateKeyRequest(tenant_id=roles.tenant_id, actor="a", name=name, scopes=scopes)
        )
        for name in ("one", "two", "three")
    ]
    other = await admin.CreateTenant(admin_pb2.CreateTenantRequest(name="other"))
    counters = [str(uuid4()), str(uuid4())]
    for tenant_id, counter_id, requests, recorded in (
        (roles.tenant_id, counters[0], 3, 1),
        (roles.tenant_id, counters[0], 4, 1),
        (roles.tenant_id, counters[0], 3, 1),  # late: it counts nothing twice and takes nothing back
        (roles.tenant_id, counters[1], 2, 1),
        (other.tenant_id, counters[0], 9, 0),
    ):
        uses = [keys_pb2.KeyUse(key_id=key_id, requests=requests) for key_id in (made[0].key_id, str(uuid4()))]
        report = keys_pb2.RecordKeyUseRequest(tenant_id=tenant_id, counter_id=counter_id, uses=uses)
        assert (await keys.RecordKeyUse(report)).recorded == recorded
    listed: list[access_pb2.Key] = []
    token = ""
    while True:
        request = access_pb2.ListKeysRequest(tenant_id=roles.tenant_id, limit=2, page_token=token)
        page = await access.ListKeys(request)
        listed += page.keys
        if not (token := page.next_page_token):
            break
    assert [(key.name, key.recent_requests, key.HasField("last_used_at")) for key in listed] == [
        ("one", 6, True),
        ("two", 0, False),
        ("three", 0, False),
    ]
    assert not any(key.key in str(listed) for key in made)
    assert not (await access.ListKeys(access_pb2.ListKeysRequest(tenant_id=other.tenant_id))).keys

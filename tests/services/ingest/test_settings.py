"""What a tenant declares: version by version, by whom, and nothing wrong of it."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import settings_pb2 as pb
from candor.memory.v1.memory_pb2 import KIND_INVOICE
from candor.memory.v1.setting_pb2 import HalfLifeHours, Settings, Tolerance
from google.protobuf.field_mask_pb2 import FieldMask

from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, InvalidArgument, NotFound
from shared.rpc import clients
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio


async def declare(
    ingest: Workplace, tenant: UUID, *, mask: list[str] | None = None, tolerances: Any = (), **given: Any
) -> pb.UpdateSettingsResponse:
    ingest.clock.tick()
    declared = {name: given.pop(name) for name in tuple(given) if name in Settings.DESCRIPTOR.fields_by_name}
    settings = Settings(tolerances=[Tolerance(attribute=a, value=v) for a, v in tolerances], **declared)
    request = pb.UpdateSettingsRequest(
        tenant_id=str(tenant),
        actor="root",
        settings=settings,
        update_mask=FieldMask(paths=mask) if mask is not None else None,
        **{"reason": "as we work"} | given,
    )
    with rpc_errors():
        return await clients.settings(ingest.via).UpdateSettings(request)


async def in_force(ingest: Workplace, tenant: UUID, version: int = 0) -> pb.SettingsVersion:
    with rpc_errors():
        answer = await clients.settings(ingest.via).GetSettings(
            pb.GetSettingsRequest(tenant_id=str(tenant), version=version)
        )
    return answer.settings


async def test_what_is_not_sent_stays_and_every_version_is_kept(ingest: Workplace, tenant: UUID) -> None:
    assert (await in_force(ingest, tenant)).version == 0
    first = await declare(ingest, tenant, stateful_attributes=["status"], tolerances=[("width", "2.50")])
    assert (first.settings.version, first.settings.actor, first.settings.reason) == (1, "root", "as we work")
    second = await declare(ingest, tenant, multi_valued_attributes=["tag", "alias"], reason="more")
    current = await in_force(ingest, tenant)
    assert (current, current.version) == (second.settings, 2)
    assert list(current.settings.stateful_attributes) == ["status"]
    assert list(current.settings.multi_valued_attributes) == ["alias", "tag"]
    assert [(t.attribute, t.value) for t in current.settings.tolerances] == [("width", "2.50")]
    await declare(ingest, tenant, mask=["stateful_attributes"])
    assert list((await in_force(ingest, tenant)).settings.stateful_attributes) == []
    assert await in_force(ingest, tenant, 1) == first.settings
    assert (await in_force(ingest, new_id())).version == 0


async def test_what_changes_nothing_makes_no_version(ingest: Workplace, tenant: UUID) -> None:
    await declare(ingest, tenant, stateful_attributes=["a", "b"])
    before = await ingest.contents(tenant)
    answer = await declare(ingest, tenant, stateful_attributes=["b", "a"])
    assert (answer.settings.version, answer.operation_id) == (1, "")
    assert await ingest.contents(tenant) == before


async def test_keys_of_others_stay(ingest: Workplace, tenant: UUID) -> None:
    await ingest.look.execute(
        "INSERT INTO tenant_setting VALUES ($1, 1, $2, 'a', 'r', $1, now() - interval '1 year')",
        tenant,
        '{"zone": "Asia/Seoul"}',
    )
    await declare(ingest, tenant, stateful_attributes=["status"])
    kept = await ingest.value(
        "SELECT settings->>'zone' FROM tenant_setting WHERE tenant_id = $1 AND version = 2", tenant
    )
    assert kept == "Asia/Seoul"


async def test_parallel_changes_lose_nothing(ingest: Workplace, tenant: UUID) -> None:
    names = ["stateful_attributes", "multi_valued_attributes"]
    await asyncio.gather(
        *(declare(ingest, tenant, **{names[n % 2]: [f"{names[n % 2]}-{n}"]}) for n in range(8)),
        declare(ingest, tenant, tolerances=[("x", "1")]),
    )
    current = await in_force(ingest, tenant)
    assert current.version == 9
    assert len(current.settings.stateful_attributes) == len(current.settings.multi_valued_attributes) == 1
    assert len(current.settings.tolerances) == 1
    with pytest.raises(Conflict) as caught:
        await declare(ingest, tenant, stateful_attributes=["late"], expected_version=8)
    assert (caught.value.reason, caught.value.metadata["current_version"]) == ("SETTINGS_VERSION_MISMATCH", "9")


async def test_a_repeated_request_gets_the_same_answer(ingest: Workplace, tenant: UUID) -> None:
    first = await declare(ingest, tenant, stateful_attributes=["a"], request_id="once")
    await declare(ingest, tenant, stateful_attributes=["b"])
    assert await declare(ingest, tenant, stateful_attributes=["a"], request_id="once") == first
    assert (await in_force(ingest, tenant)).version == 2


@pytest.mark.parametrize(
    ("options", "reason", "field"),
    [
        ({}, "SETTINGS_EMPTY", "settings"),
        ({"mask": ["zone"]}, "UPDATE_MASK_INVALID", "update_mask"),
        ({"stateful_attributes": [""]}, "ATTRIBUTE_INVALID", "settings.stateful_attributes[0]"),
        ({"stateful_attributes": ["a", "x" * 257]}, "ATTRIBUTE_INVALID", "settings.stateful_attributes[1]"),
        ({"multi_valued_attributes": ["\0"]}, "ATTRIBUTE_INVALID", "settings.multi_valued_attributes[0]"),
        ({"stateful_attributes": ["a"] * 1001}, "TOO_MANY_ATTRIBUTES", "settings.stateful_attributes"),
        ({"tolerances": [("a", "-1")]}, "TOLERANCE_INVALID", "settings.tolerances[0].value"),
        ({"tolerances": [("a", "1e5")]}, "TOLERANCE_INVALID", "settings.tolerances[0].value"),
        ({"tolerances": [("a", "NaN")]}, "TOLERANCE_INVALID", "settings.tolerances[0].value"),
        ({"tolerances": [("a", "")]}, "TOLERANCE_INVALID", "settings.tolerances[0].value"),
        ({"tolerances": [("a", "1"), ("a", "2")]}, "ATTRIBUTE_REPEATED", "settings.tolerances[1].attribute"),
        (
            {"stateful_attributes": ["a"], "multi_valued_attributes": ["a"]},
            "SETTINGS_CONTRADICTORY",
            "settings.multi_valued_attributes",
        ),
        ({"stateful_attributes": ["a"], "expected_version": -1}, "SETTINGS_VERSION_INVALID", "expected_version"),
        ({"stateful_attributes": ["a"], "reason": "x" * 501}, "REASON_TOO_LONG", "reason"),
    ],
)
async def test_a_wrong_declaration_is_named_and_nothing_written(
    ingest: Workplace, tenant: UUID, options: dict[str, Any], reason: str, field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await declare(ingest, tenant, **options)
    assert (caught.value.reason, caught.value.violations[0].field) == (reason, field)
    assert await ingest.contents(tenant) == {}


@pytest.mark.parametrize(("version", "kind"), [(1, NotFound), (2**31 - 1, NotFound), (-1, InvalidArgument)])
async def test_a_version_that_is_not_there(
    ingest: Workplace, tenant: UUID, version: int, kind: type[CandorError]
) -> None:
    with pytest.raises(kind):
        await in_force(ingest, tenant, version)


async def test_forgetting_is_declared_beside_the_rest_and_dates_memories_anew(ingest: Workplace, tenant: UUID) -> None:
    asked = Settings(
        half_life_hours=HalfLifeHours(episodic=10, semantic=100.5),
        salience_floor=0.1,
        capacity=5,
        fading_kinds=[KIND_INVOICE],
    )
    given = {field.name: value for field, value in asked.ListFields()}
    first = await declare(ingest, tenant, stateful_attributes=["status"], **given)
    assert list(first.settings.settings.stateful_attributes) == ["status"]
    for name, value in given.items():
        assert getattr(first.settings.settings, name) == value
    jobs = "SELECT kind, status FROM job WHERE tenant_id = $1"
    assert await ingest.rows(jobs, tenant) == [("refresh_fading", "queued")]
    again = await declare(ingest, tenant, capacity=5)
    assert again.operation_id == ""
    await declare(ingest, tenant, mask=["capacity", "half_life_hours", "fading_kinds"], salience_floor=0.5)
    left = (await in_force(ingest, tenant)).settings
    assert left == Settings(stateful_attributes=["status"], salience_floor=0.1)
    await declare(ingest, tenant, salience_floor=0.0)
    assert (await in_force(ingest, tenant)).settings.salience_floor == 0.0


@pytest.mark.parametrize(
    ("given", "field", "reason"),
    [
        ({"half_life_hours": {"semantic": 0.5}}, "settings.half_life_hours.semantic", "HALF_LIFE_INVALID"),
        ({"half_life_hours": {"episodic": float("nan")}}, "settings.half_life_hours.episodic", "HALF_LIFE_INVALID"),
        ({"salience_floor": 1.1}, "settings.salience_floor", "SALIENCE_FLOOR_INVALID"),
        ({"capacity": -1}, "settings.capacity", "CAPACITY_INVALID"),
        ({"fading_kinds": [99]}, "settings.fading_kinds[0]", "KIND_INVALID"),
    ],
)
async def test_what_is_wrong_about_forgetting_is_named(
    ingest: Workplace, tenant: UUID, given: dict[str, Any], field: str, reason: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await declare(ingest, tenant, **given)
    [violation] = caught.value.violations
    assert (violation.field, violation.reason) == (field, reason)
    assert (await in_force(ingest, tenant)).version == 0

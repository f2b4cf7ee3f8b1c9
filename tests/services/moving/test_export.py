"""An export tells everything, once, in one order, from any line on, and of one tenant only."""

import json
from collections import Counter
from uuid import UUID

import pytest

from shared.clock import new_id
from shared.domain.errors import InvalidArgument
from tests.services.ingest.judging import invalidate, invoice
from tests.services.moving.lives import ODD, Both, exported, live_all, patched, records

pytestmark = pytest.mark.anyio


async def test_everything_is_told_once_and_the_same_each_time(both: Both, tenant: UUID) -> None:
    ids = await live_all(both.ingest, tenant)
    lines = records(await exported(both, tenant))
    assert lines == records(await exported(both, tenant))
    parts = Counter(part for part, _ in lines)
    tables = {
        "setting": "tenant_setting", "event": "memory_event", "assertion": "assertion", "entry": "ledger_entry",
        "operation": "operation", "decision": "decision", "decision_memory": "decision_memory",
        "decision_assertion": "decision_assertion", "finding": "finding", "finding_memory": "finding_memory",
    }  # fmt: skip
    for part, table in tables.items():
        count = await both.ingest.value(f"SELECT count(*) FROM {table} WHERE tenant_id = $1", tenant)
        assert parts[part] == count > 0, part
    revisions = """SELECT (SELECT count(*) FROM memory WHERE tenant_id = $1)
        + (SELECT count(*) FROM memory_revision WHERE tenant_id = $1)"""
    assert parts["memory"] == await both.ingest.value(revisions, tenant)
    assert (lines[0], lines[-1]) == (
        ("archive", '{"format":"candor-archive","version":1}'),
        ("end", json.dumps({"lines": len(lines) - 1}, separators=(",", ":"))),
    )
    assert not any("\n" in record for _, record in lines)
    told = [json.loads(record) for part, record in lines if part == "memory"]
    current = {one["memory_id"]: one for one in told if one["current"]}
    states = {name: current[memory_id]["state"] for name, memory_id in ids.items()}
    assert states == {
        "patched": "active", "odd": "active", "won": "active", "lost": "active", "corrected": "incorrect",
        "ended": "superseded", "restored": "active", "forgotten": "forgotten", "merged": "merged",
        "unmerged": "active", "erased": "erased", "faded": "forgotten", "last": "active",
    }  # fmt: skip
    assert sum(one["memory_id"] == ids["patched"] for one in told) == 3
    assert current[ids["odd"]]["metadata"] == ODD
    assert "a secret of" not in repr(lines)


async def test_a_stream_goes_on_behind_any_line(both: Both, tenant: UUID) -> None:
    ids = [await invoice(both.ingest, tenant, number, record=f"R-{number}") for number in range(4)]
    await patched(both.ingest, tenant, ids[2], content="another word")
    lines = await exported(both, tenant)
    for number, line in enumerate(lines):
        assert records(await exported(both, tenant, line.resume_token)) == records(lines[number + 1 :])


async def test_what_happens_later_does_not_show_behind_a_token(both: Both, tenant: UUID) -> None:
    ids = [await invoice(both.ingest, tenant, number, record=f"R-{number}") for number in range(5)]
    lines = await exported(both, tenant)
    both.ingest.clock.tick()
    await invoice(both.ingest, tenant, 7, record="R-7")
    await patched(both.ingest, tenant, ids[1], content="a later word", metadata="{}")
    await invalidate(both.ingest, tenant, ids[2])
    assert records(await exported(both, tenant, lines[0].resume_token)) == records(lines[1:])
    assert records(await exported(both, tenant)) != records(lines)


async def test_an_empty_tenant_has_a_head_and_an_end(both: Both, tenant: UUID) -> None:
    assert [part for part, _ in records(await exported(both, tenant))] == ["archive", "end"]


async def test_a_token_is_of_its_tenant(both: Both, tenant: UUID) -> None:
    await invoice(both.ingest, tenant, 1)
    lines = await exported(both, tenant)
    for token in (lines[1].resume_token, "x", lines[1].resume_token[:-2] + "AA"):
        with pytest.raises(InvalidArgument, match="resume_token"):
            await exported(both, new_id(), token)

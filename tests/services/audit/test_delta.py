"""An audit of what was written since: every sort of change is looked at, nothing else, and it says when it cannot."""

import asyncio

import pytest

from shared.domain.errors import InvalidArgument
from shared.domain.types import MemoryState
from shared.store.pool import Connection, run
from shared.store.writes import settings
from shared.store.writes.events import Operation
from tests.services.audit.conftest import Audited, memory
from tests.services.retrieve.serving import MINE, THEIRS
from tests.store.remembering import new_id

pytestmark = pytest.mark.anyio


async def point(audited: Audited) -> str:
    """The place of now in the order of commits."""
    return (await audited.audit())[1].next_since


async def test_nothing_was_written_since(audited: Audited) -> None:
    await audited.add(memory("INV-1", '{"total": 1}'), memory("INV-1", '{"total": 2}'))
    lines, summary = await audited.audit(since=await point(audited))
    assert (lines, summary.ok, summary.delta, summary.audited) == ([], True, True, 0)


async def test_what_was_found_before_comes_again_only_where_it_was_touched(audited: Audited) -> None:
    await audited.add(
        memory("OLD", '{"total": 1}'),
        memory("OLD", '{"total": 2}'),
        memory("TOUCHED", '{"total": 1, "vendor": "A"}'),
        memory("TOUCHED", '{"total": 2, "vendor": "B"}'),
    )
    since = await point(audited)
    await audited.add(memory("TOUCHED", '{"total": 3}'), memory("NEW", '{"total": 1}'), memory("NEW", '{"total": 2}'))
    lines, summary = await audited.audit(since=since)
    assert [line.contradiction.subject for line in lines] == ["NEW", "TOUCHED"]
    assert lines[1].contradiction.value_count == 3
    assert (summary.audited, summary.subjects, summary.delta) == (3, 2, True)
    assert await audited.told() == [
        "contradiction NEW total: 1, 2",
        "contradiction OLD total: 1, 2",
        "contradiction TOUCHED total: 1, 2, 3",
        'contradiction TOUCHED vendor: "A", "B"',
    ]


async def test_a_patch_touches_what_it_changed_and_what_it_left(audited: Audited) -> None:
    await audited.add(memory("INV-1", '{"total": 1}'), memory("A", '{"total": 1}'))
    moved, weighed = (await audited.add(memory("INV-1", '{"total": 1}', session="s"), memory("A", '{"total": 2}')))[:2]
    book, now = audited.serving.mine, audited.serving.clock.now()
    since = await point(audited)
    ids = {str(memory_id): memory_id for memory_id in book.kept}
    await book.patch(ids[moved], now, metadata_json='{"total": 5}')
    assert await audited.told(since=since) == ["contradiction INV-1 total: 1, 5", "superseded INV-1 total: 1 by 5"]
    since = await point(audited)
    # Only the weight of a side changes: the recommendation must be given anew.
    await book.patch(ids[weighed], now, importance=0.9)
    (line,), _ = await audited.audit(since=since)
    assert line.contradiction.resolution.rule == "importance"


async def test_the_end_of_a_memory_touches_its_record(audited: Audited) -> None:
    target, _ = await audited.add(memory("PO-1", '{"total": 1}'), memory(None, references=["PO-1"]))
    since = await point(audited)
    book = audited.serving.mine
    ids = {str(memory_id): memory_id for memory_id in book.kept}
    await book.end(ids[target], audited.serving.clock.now(), MemoryState.INCORRECT)
    assert await audited.told(since=since) == ["absence PO-1"]


async def test_a_record_that_moved_away_leaves_its_references_dangling(audited: Audited) -> None:
    target, _ = await audited.add(memory("PO-1", '{"total": 1}'), memory(None, references=["PO-1"]))
    since = await point(audited)
    book = audited.serving.mine
    ids = {str(memory_id): memory_id for memory_id in book.kept}
    await book.patch(ids[target], audited.serving.clock.now(), record="PO-2")
    assert "absence PO-1" in await audited.told(since=since)


async def test_references_copies_counterparts_and_dependencies(audited: Audited) -> None:
    await audited.add(memory("LEAD", '{"name": "Ann"}'), memory("INV-1", '{"status": "open"}', kind="invoice"))
    await audited.add(memory("RULE", '{"depends_on": "LEAD"}'), memory("TWIN", content="the same"))
    since = await point(audited)
    book = audited.serving.mine
    lead = next(iter(book.kept))
    audited.serving.clock.pass_days(1)
    await book.patch(lead, audited.serving.clock.now(), metadata_json='{"name": "Bo"}')
    await audited.add(
        memory("INV-1", '{"status": "paid"}', kind="invoice"),
        memory("TWIN", content="the same", session="b"),
        memory(None, references=["GONE"]),
    )
    found = await audited.told(since=since)
    assert found == [
        "absence GONE",
        "absence INV-1 payment",
        'contradiction INV-1 status: "open", "paid"',
        "duplicate TWIN",
        'stale RULE on LEAD name: "Ann" to "Bo"',
        'superseded LEAD name: "Ann" by "Bo"',
    ]
    assert found == await audited.told()


async def test_a_write_that_commits_after_the_point_is_not_missed(audited: Audited) -> None:
    pool, written, may_commit = audited.serving.mine.pool, asyncio.Event(), asyncio.Event()
    await audited.add(memory("INV-1", '{"total": 1}'))
    (slow,) = await audited.add(memory("INV-1", '{"total": 1}', session="s"))

    async def work(connection: Connection) -> None:
        await connection.execute(
            "UPDATE assertion SET raw = '2', canonical = '2', number = 2, commit_xid = pg_current_xact_id() "
            "WHERE tenant_id = $1 AND memory_id = $2",
            MINE,
            slow,
        )
        written.set()
        await may_commit.wait()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(run(pool, MINE, work))
        await written.wait()
        await audited.add(memory("LATER", '{"total": 1}'))  # a greater number, committed before
        since = await point(audited)
        may_commit.set()
    assert await audited.told(since=since) == ["contradiction INV-1 total: 1, 2"]


async def test_a_delta_goes_on_after_any_line(audited: Audited) -> None:
    since = await point(audited)
    for number in range(4):
        await audited.add(memory(f"INV-{number}", '{"total": 1}'), memory(f"INV-{number}", '{"total": 2}'))
    await audited.add(memory(None, references=["GONE-1", "GONE-2"]))
    lines, summary = await audited.audit(since=since)
    assert len(lines) == 6 and summary.delta
    for number, line in enumerate(lines):
        resumed, again = await audited.audit(since=since, resume_token=line.resume_token)
        assert resumed == lines[number + 1 :]
        assert again.delta and again.next_since == summary.next_since


async def test_filters_hold_for_a_delta_and_points_for_all_filters(audited: Audited) -> None:
    since = await point(audited)
    await audited.add(
        memory("INV-1", '{"total": 1}', company="Acme"),
        memory("INV-1", '{"total": 2}', company="Acme"),
        memory("INV-1", '{"total": 1}', company="Globex"),
        memory("INV-1", '{"total": 3}', company="Globex"),
    )
    assert await audited.told(since=since, company="acme") == ["contradiction INV-1 total: 1, 2"]
    assert await audited.told(since=since, period="2026-01") == await audited.told(since=since)


async def test_other_settings_make_everything_count(audited: Audited) -> None:
    await audited.add(memory("INV-1", '{"total": 1}'), memory("INV-1", '{"total": 2}'))
    since = await point(audited)
    operation = Operation(MINE, new_id(), "update-settings", "tester", "", "", audited.serving.clock.now())

    async def declare(connection: Connection) -> None:
        await settings.insert(connection, operation, 1, '{"stateful_attributes": ["total"]}')

    await run(audited.serving.mine.pool, MINE, declare)
    lines, summary = await audited.audit(since=since)
    assert (len(lines), summary.delta, summary.audited) == (1, False, 2)
    assert (await audited.audit(since=summary.next_since))[1].delta


async def test_too_much_makes_everything_count(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    since = await point(audited)
    monkeypatch.setattr("services.retrieve.conflicts.TOUCHED_MAX", 2)
    await audited.add(memory("A", '{"total": 1}'), memory("A", '{"total": 2}'), memory("B", '{"total": 2}'))
    lines, summary = await audited.audit(since=since)
    assert (len(lines), summary.delta, summary.audited) == (1, False, 3)


async def test_a_point_is_of_one_tenant_and_cannot_be_made_up(audited: Audited) -> None:
    since = await point(audited)
    await audited.add(memory("A", '{"total": 1}'), memory("A", '{"total": 2}'))
    (line,), _ = await audited.audit()
    for given in ({"tenant_id": str(THEIRS), "since": since}, {"since": "abc"}, {"since": line.resume_token}):
        with pytest.raises(InvalidArgument) as caught:
            await audited.audit(**given)
        assert caught.value.reason == "SINCE_INVALID"

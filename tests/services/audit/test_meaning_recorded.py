"""Findings of meaning with a life: recorded, acknowledged, gone, back, decided and undone, through all roles."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import pytest
from candor.audit.v1 import meaning_pb2, recording_pb2
from candor.audit.v1.recording_pb2_grpc import RecordingServiceStub
from candor.ingest.v1 import decisions_pb2, findings_pb2, lifecycle_pb2, memories_pb2
from candor.judge.v1 import contradictions_pb2, contradictions_pb2_grpc
from candor.memory.v1 import decision_pb2, memory_pb2, verdict_pb2
from candor.retrieve.v1 import findings_pb2 as listing_pb2
from google.protobuf.json_format import MessageToDict

from services.audit import verify
from services.audit.verify import Refused
from services.judge.models import MEANING, Models, Role
from shared.domain.errors import CandorError, Conflict, InvalidArgument
from shared.rpc import clients, meaning_stubs, server
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context
from shared.store import migrate
from tests.services.audit.mounted import ACKNOWLEDGED, OPEN, RESOLVED, Roles, mounted, rows

pytestmark = pytest.mark.anyio

SEMANTIC = listing_pb2.FINDING_KIND_SEMANTIC
JUDGE = Role(MEANING, "scripted", prompt_version="1")  # local: nothing it says is kept
LATE, ON_TIME = "Globex pays its bills late", "Globex pays its bills on time"


@dataclass
class Scripted(contradictions_pb2_grpc.ContradictionsServiceServicer):
    """Calls every pair opposed, but for those with a text that it is told of."""

    agreeing: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    is_down: bool = False

    async def JudgeContradictions(
        self, request: contradictions_pb2.JudgeContradictionsRequest, context: Context
    ) -> contradictions_pb2.JudgeContradictionsResponse:
        if self.is_down:
            raise Conflict("SCRIPTED", "no")
        return contradictions_pb2.JudgeContradictionsResponse(
            model=JUDGE.model, prompt_version=JUDGE.prompt_version, verdicts=map(self._verdict, request.pairs)
        )

    def _verdict(self, pair: contradictions_pb2.StatementPair) -> verdict_pb2.PairVerdict:
        texts = {pair.first.text, pair.second.text}
        if texts & self.unsure:
            return verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_INCONCLUSIVE, cause="UNSURE", reason="so")
        found = verdict_pb2.VERDICT_CONSISTENT if texts & self.agreeing else verdict_pb2.VERDICT_CONTRADICTION
        return verdict_pb2.PairVerdict(verdict=found, confidence=0.9, reason="so")


@dataclass(frozen=True, slots=True)
class Ground:
    """What a test talks to."""

    roles: Roles
    judge: Scripted

    async def say(self, text: str, **given: Any) -> str:
        memory = memories_pb2.NewMemory(kind=memory_pb2.KIND_INSIGHT, company="Globex", content=text, **given)
        request = memories_pb2.CreateMemoryRequest(tenant_id=self.roles.tenant_id, actor="ann", memory=memory)
        return (await clients.memory_writer(self.roles.ingest).CreateMemory(request)).memory.memory_id

    async def change(self, memory_id: str, text: str) -> None:
        request = memories_pb2.UpdateMemoryRequest(
            tenant_id=self.roles.tenant_id, memory_id=memory_id, patch=memories_pb2.MemoryPatch(content=text)
        )
        await clients.memory_writer(self.roles.ingest).UpdateMemory(request)

    async def lines(self, resume_token: str = "") -> list[recording_pb2.RecordMeaningAuditResponse]:
        request = recording_pb2.RecordMeaningAuditRequest(tenant_id=self.roles.tenant_id, resume_token=resume_token)
        with rpc_errors():
            return [line async for line in RecordingServiceStub(self.roles.audit).RecordMeaningAudit(request)]

    async def record(self) -> tuple[int, int, int]:
        """Have an audit recorded; return how many findings were opened, reopened and resolved."""
        last = (await self.lines())[-1]
        return last.opened, last.reopened, last.resolved

    async def finding(self) -> listing_pb2.Finding:
        [found] = (await self.roles.findings(kind=SEMANTIC)).findings
        return found

    async def acknowledge(self, finding_id: str) -> None:
        request = findings_pb2.AcknowledgeFindingRequest(
            tenant_id=self.roles.tenant_id, actor="bo", finding_id=finding_id, reason="known"
        )
        await clients.findings(self.roles.ingest).AcknowledgeFinding(request)

    async def decide(self, selected: str, other: str, **given: Any) -> decisions_pb2.ResolveConflictResponse:
        return await self.roles.resolve(selected, target_memory_ids=[other], subject="", attribute="", **given)

    async def undo(self, decision_id: str) -> None:
        request = decisions_pb2.UndoDecisionRequest(
            tenant_id=self.roles.tenant_id, actor="cy", decision_id=decision_id, reason="no"
        )
        with rpc_errors():
            await clients.decisions(self.roles.ingest).UndoDecision(request)

    async def report(self, **given: Any) -> meaning_pb2.AuditMeaningResponse:
        request = meaning_pb2.AuditMeaningRequest(tenant_id=self.roles.tenant_id, **given)
        return await meaning_stubs.meaning_audit(self.roles.audit).AuditMeaning(request)


@pytest.fixture
async def ground(database: migrate.Dsns) -> AsyncIterator[Ground]:
    judge = Scripted()

    async def mount_judge(host: server.Host) -> None:
        host.add(judge)
        host.add(Models([JUDGE]))

    async with mounted(database, mount_judge) as roles:
        yield Ground(roles, judge)


async def test_a_finding_is_opened_once_and_is_what_the_audit_reports(ground: Ground) -> None:
    late, on_time = await ground.say(LATE), await ground.say(ON_TIME)
    before = await rows(ground.roles)
    cursor = (await ground.roles.findings()).cursor
    assert await ground.record() == (1, 0, 0)
    finding = await ground.finding()
    assert (finding.state, finding.kind, finding.company) == (OPEN, SEMANTIC, "Globex")
    assert not (finding.HasField("subject") or finding.HasField("attribute") or finding.HasField("changed_by"))
    assert list(finding.memory_ids) == sorted((late, on_time))
    [reported] = (await ground.report()).semantic_contradictions
    assert finding.semantic == reported and finding.finding_id == reported.finding_id
    assert [one.finding_id for one in (await ground.roles.findings(since_cursor=cursor)).findings] == [
        finding.finding_id
    ]
    cursor = (await ground.roles.findings(since_cursor=cursor)).cursor
    assert await ground.record() == (0, 0, 0)
    assert not (await ground.roles.findings(since_cursor=cursor)).findings  # seen again is no change
    assert await rows(ground.roles) == before


async def test_it_is_acknowledged_until_a_text_changes_gone_when_they_agree_and_back(ground: Ground) -> None:
    late, _ = await ground.say(LATE), await ground.say(ON_TIME)
    await ground.record()
    finding_id = (await ground.finding()).finding_id
    await ground.acknowledge(finding_id)
    await ground.change(late, LATE.upper())
    assert await ground.record() == (0, 0, 0)  # another spelling is no change
    assert (await ground.finding()).state == ACKNOWLEDGED
    await ground.change(late, "Globex pays its bills a month late")
    assert await ground.record() == (0, 1, 0)
    ground.judge.agreeing.add(ON_TIME)
    assert await ground.record() == (0, 0, 1)
    assert (await ground.finding()).state == RESOLVED
    ground.judge.agreeing.clear()
    assert await ground.record() == (0, 1, 0)
    found = await ground.finding()
    assert (found.state, found.finding_id) == (OPEN, finding_id)


async def test_what_has_no_verdict_stands_as_it_stands(ground: Ground) -> None:
    await ground.say(LATE), await ground.say(ON_TIME)
    await ground.record()
    ground.judge.unsure.add(LATE)
    last = (await ground.lines())[-1]
    assert (last.resolved, last.summary.failed, last.summary.status) == (0, 1, "inconclusive")
    ground.judge.is_down = True
    assert await ground.record() == (0, 0, 0)
    assert (await ground.finding()).state == OPEN
    ground.judge.is_down, ground.judge.unsure = False, set()
    ground.judge.agreeing.add(LATE)
    assert await ground.record() == (0, 0, 1)


async def test_it_is_gone_with_a_memory_and_waits_for_a_vector(ground: Ground) -> None:
    late, _ = await ground.say(LATE), await ground.say(ON_TIME)
    await ground.record()
    connection = await asyncpg.connect(ground.roles.dsns.migrator)
    await connection.execute("UPDATE candor.memory SET vector_pending = true WHERE memory_id = $1", late)
    assert await ground.record() == (0, 0, 0)  # nobody could look at it
    await connection.execute("UPDATE candor.memory SET vector_pending = false WHERE memory_id = $1", late)
    await connection.close()
    request = lifecycle_pb2.InvalidateMemoryRequest(tenant_id=ground.roles.tenant_id, memory_id=late)
    await clients.lifecycle(ground.roles.ingest).InvalidateMemory(request)
    assert await ground.record() == (0, 0, 1)


async def test_each_audit_resolves_its_own_kind_only(ground: Ground) -> None:
    await ground.say(LATE), await ground.say(ON_TIME)
    await ground.roles.write(1), await ground.roles.write(2)
    assert await ground.record() == (1, 0, 0)
    assert await ground.roles.record() == (1, 0, 0)
    assert await ground.record() == await ground.roles.record() == (0, 0, 0)
    kinds = [found.kind for found in (await ground.roles.findings(state=OPEN)).findings]
    assert sorted(kinds) == [listing_pb2.FINDING_KIND_CONTRADICTION, SEMANTIC]


async def test_a_cut_recording_goes_on_and_only_its_end_resolves(ground: Ground) -> None:
    gone = await ground.say("Globex pays its bills never")
    for number in range(9):
        await ground.say(f"Globex pays its bills on day {number}")
    lines = await ground.lines()
    assert [line.WhichOneof("item") for line in lines] == ["progress"] * 3 + ["summary"]
    assert [line.opened for line in lines] == [0, 25, 45, 45]
    first = lines[0].progress  # known before the first pair is judged
    assert (first.compared, first.candidate_pairs, first.total_memories, first.audited) == (0, 45, 10, 10)
    assert (lines[-1].summary.status, lines[-1].summary.compared, lines[-1].summary.ok) == ("complete", 45, False)
    request = lifecycle_pb2.InvalidateMemoryRequest(tenant_id=ground.roles.tenant_id, memory_id=gone)
    await clients.lifecycle(ground.roles.ingest).InvalidateMemory(request)
    asked = recording_pb2.RecordMeaningAuditRequest(tenant_id=ground.roles.tenant_id)
    call = RecordingServiceStub(ground.roles.audit).RecordMeaningAudit(asked)
    async for cut in call:
        if cut.progress.compared:
            call.cancel()
            break
    assert cut.progress.compared == 25 and cut.resolved == 0
    assert len((await ground.roles.findings(state=OPEN, limit=100)).findings) == 45
    rest = await ground.lines(cut.resume_token)
    assert (rest[-1].summary.compared, rest[-1].opened, rest[-1].resolved) == (11, 0, 9)
    assert len((await ground.roles.findings(state=OPEN, limit=100)).findings) == 36


async def test_the_token_of_an_audit_that_records_nothing_is_refused(ground: Ground) -> None:
    await ground.say(LATE), await ground.say(ON_TIME)
    asked = meaning_pb2.StreamMeaningAuditRequest(tenant_id=ground.roles.tenant_id)
    stream = meaning_stubs.meaning_audit(ground.roles.audit).StreamMeaningAudit(asked)
    token = [line.resume_token async for line in stream][-1]
    with pytest.raises(InvalidArgument) as caught:
        await ground.lines(token)
    assert caught.value.reason == "RESUME_TOKEN_INVALID"


@pytest.mark.parametrize("state", ["superseded", "incorrect"])
async def test_a_side_is_accepted_and_the_decision_undone(ground: Ground, state: str) -> None:
    late, on_time = await ground.say(LATE), await ground.say(ON_TIME)
    await ground.record()
    finding, before = await ground.finding(), await rows(ground.roles)
    number = memory_pb2.State.Value(f"STATE_{state.upper()}")
    answer = await ground.decide(on_time, late, loser_state=number, finding_id=finding.finding_id)
    assert answer.action == decision_pb2.DECISION_ACTION_ACCEPT  # the later one is recommended
    assert list(answer.superseded_memory_ids) == [late] and list(answer.finding_ids) == [finding.finding_id]
    settled = await ground.finding()
    assert (settled.state, settled.changed_by, settled.decision_id) == (RESOLVED, "bo", answer.decision_id)
    assert await ground.record() == (0, 0, 0)
    assert (await ground.report()).ok
    await ground.undo(answer.decision_id)
    assert (await ground.finding()).state == OPEN
    assert await ground.record() == (0, 0, 0)
    assert [one.memory_id for one in (await ground.finding()).semantic.memories] == [late, on_time]
    assert len(await rows(ground.roles)) >= len(before)  # the history has grown, nothing is lost
    assert len((await ground.report()).semantic_contradictions) == 1


async def test_the_other_side_overrides(ground: Ground) -> None:
    late, on_time = await ground.say(LATE), await ground.say(ON_TIME)
    await ground.record()
    answer = await ground.decide(late, on_time)
    assert (answer.action, (await ground.finding()).state) == (decision_pb2.DECISION_ACTION_OVERRIDE, RESOLVED)
    with pytest.raises(CandorError) as caught:
        await ground.decide(on_time, late)
    assert caught.value.reason == "MEMORY_ENDED"


async def test_a_recommendation_is_accepted_only_while_it_is_given(ground: Ground) -> None:
    late, on_time = await ground.say(LATE), await ground.say(ON_TIME)
    with pytest.raises(Conflict) as caught:
        await ground.decide(late, on_time, action=decision_pb2.DECISION_ACTION_ACCEPT)
    assert (caught.value.reason, caught.value.metadata["recommended_memory_id"]) == ("RECOMMENDATION_CHANGED", on_time)
    with pytest.raises(Conflict) as caught:
        await ground.decide(on_time, late, finding_id="0" * 64)
    assert caught.value.reason == "CONFLICT_CHANGED"


@pytest.mark.parametrize("is_recorded", [True, False])
async def test_a_deferral_acknowledges_whether_or_not_an_audit_was_there_before(
    ground: Ground, is_recorded: bool
) -> None:
    late, on_time = await ground.say(LATE), await ground.say(ON_TIME)
    if is_recorded:
        await ground.record()
    answer = await ground.decide(on_time, late, action=decision_pb2.DECISION_ACTION_DEFER)
    found = await ground.finding()
    assert (found.state, found.reason, found.decision_id) == (ACKNOWLEDGED, "seen", answer.decision_id)
    assert [one.content for one in found.semantic.memories] == [LATE, ON_TIME]
    assert found.semantic.HasField("judge") == is_recorded
    assert found.semantic.resolution.recommended_memory_id == on_time
    assert await ground.record() == (0, 0, 0)
    found = await ground.finding()
    assert (found.state, found.semantic.HasField("judge")) == (ACKNOWLEDGED, True)
    await ground.undo(answer.decision_id)
    assert (await ground.finding()).state == (OPEN if is_recorded else RESOLVED)
    assert await ground.record() == ((0, 0, 0) if is_recorded else (0, 1, 0))


async def test_a_report_about_meaning_is_signed_on_request_and_verifies(ground: Ground) -> None:
    await ground.say(LATE), await ground.say(ON_TIME)
    assert not (await ground.report()).HasField("attestation")
    report = await ground.report(sign=True)
    given = MessageToDict(report.attestation)
    verified = verify.verify(given, report.attestation.public_key)
    finding, summary = verified.statements
    assert (finding["kind"], finding["findingId"]) == ("semantic", report.semantic_contradictions[0].finding_id)
    assert [one["content"] for one in finding["memories"]] == [LATE, ON_TIME]
    assert (summary["status"], summary["ok"], summary["judgeModel"]) == ("complete", False, "scripted")
    erased = json.loads(json.dumps(given))
    del erased["entries"][0]["statement"], erased["entries"][0]["salt"]
    assert verify.verify(erased).taken_out == 1
    given["entries"][0]["statement"] = given["entries"][0]["statement"].replace("late", "soon")
    with pytest.raises(Refused):
        verify.verify(given)

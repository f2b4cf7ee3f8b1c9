"""A signed report verifies, whole and with statements taken out; changed in any other way it does not."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from candor.audit.v1.fields_pb2 import GetAuditPolicyRequest, GetAuditReportRequest, GetAuditReportResponse
from google.protobuf.json_format import MessageToDict

from services.audit import verify
from services.audit.verify import Refused
from shared.domain.ladder import POLICY_VERSION
from tests.services.audit.conftest import Audited, memory
from tests.services.audit.source import SIGNER, TENANT
from tests.services.retrieve.serving import MINE

pytestmark = pytest.mark.anyio


async def signed(audited: Audited) -> GetAuditReportResponse:
    await audited.add(
        memory("INV-1", '{"total": 1}'),
        memory("INV-1", '{"total": 2}'),
        memory("TWIN", content="same"),
        memory("TWIN", content="same", session="b"),
        memory(None, references=["GONE"]),
    )
    return await audited.stub.GetAuditReport(GetAuditReportRequest(tenant_id=str(MINE), sign=True))


def as_read(report: GetAuditReportResponse) -> dict[str, Any]:
    given: dict[str, Any] = MessageToDict(report.attestation)
    return given


async def test_a_report_verifies_and_says_what_was_found(audited: Audited) -> None:
    report = await signed(audited)
    found = verify.verify(as_read(report), SIGNER.public_key)
    assert [one["kind"] for one in found.statements] == ["contradiction", "absence", "duplicate", "summary"]
    assert [one["findingId"] for one in found.statements[:-1]] == [
        report.contradictions[0].finding_id,
        report.absences[0].finding_id,
        report.duplicates[0].finding_id,
    ]
    contradiction, summary = found.statements[0], found.statements[-1]
    assert [value["value"] for value in contradiction["values"]] == ["1", "2"]
    assert contradiction["recommendedMemoryId"] == report.contradictions[0].resolution.recommended_memory_id
    assert (summary["tenantId"], summary["ok"], summary["policyVersion"]) == (str(MINE), False, POLICY_VERSION)
    assert (summary["contradictions"], summary["absences"], summary["audited"]) == (1, 1, 5)


async def test_a_report_is_signed_on_request_only(audited: Audited) -> None:
    report = await audited.stub.GetAuditReport(GetAuditReportRequest(tenant_id=str(MINE)))
    assert not report.HasField("attestation")


async def test_a_statement_can_be_taken_out_and_nothing_else(audited: Audited) -> None:
    whole = as_read(await signed(audited))
    erased = copy.deepcopy(whole)
    for entry in erased["entries"][:2]:
        del entry["salt"], entry["statement"]
    found = verify.verify(erased, SIGNER.public_key)
    assert (found.taken_out, [one["kind"] for one in found.statements]) == (2, ["duplicate", "summary"])

    def changed(change: Any) -> dict[str, Any]:
        given = copy.deepcopy(whole)
        change(given)
        return given

    def other(text: str) -> str:
        return ("0" if text[0] != "0" else "1") + text[1:]

    changes = [
        lambda g: g["entries"][0].update(statement=g["entries"][0]["statement"].replace('"2"', '"3"')),
        lambda g: g["entries"][0].pop("salt"),
        lambda g: g["entries"][0].update(salt=other(g["entries"][0]["salt"])),
        lambda g: g["entries"][0].update(commitment=other(g["entries"][0]["commitment"])),
        lambda g: g["entries"].pop(1),
        lambda g: g["entries"].reverse(),
        lambda g: g["entries"].append(g["entries"][0]),
        lambda g: g.update(head=other(g["head"])),
        lambda g: g.update(signature=other(g["signature"])),
        lambda g: g.update(publicKey=other(g["publicKey"])),
        lambda g: g.update(format="candor-report-2"),
        lambda g: g.pop("entries"),
        lambda g: g["entries"][0].update(salt="00"),
    ]
    for change in changes:
        with pytest.raises(Refused):
            verify.verify(changed(change))


async def test_another_key_is_named(audited: Audited) -> None:
    with pytest.raises(Refused, match="another key"):
        verify.verify(as_read(await signed(audited)), "0" * 64)


async def test_equal_reports_have_different_salts_and_one_key(audited: Audited) -> None:
    first = await signed(audited)
    second = await audited.stub.GetAuditReport(GetAuditReportRequest(tenant_id=str(MINE), sign=True))
    assert first.attestation.public_key == second.attestation.public_key
    pairs = zip(first.attestation.entries, second.attestation.entries, strict=True)
    assert all(a.commitment != b.commitment for a, b in pairs)


async def test_the_command_says_what_holds(
    audited: Audited, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"ok": False, "attestation": as_read(await signed(audited))}))
    assert verify.main([str(report), "--key", SIGNER.public_key]) == 0
    assert "4 statements, 0 taken out" in capsys.readouterr().out
    assert verify.main([str(report), "--key", "0" * 64]) == 1
    assert "does not hold" in capsys.readouterr().out


async def test_the_policy_names_rungs_expectations_and_the_key(audited: Audited) -> None:
    policy = await audited.stub.GetAuditPolicy(GetAuditPolicyRequest(tenant_id=str(TENANT)))
    assert [rung.rule for rung in policy.rungs] == ["importance", "source-authority", "recency"]
    assert [one.expected for one in policy.expectations] == ["payment", "bank_confirmation"]
    leaves_ok = {rule.kind: rule.leaves_ok for rule in policy.findings}
    assert leaves_ok == {
        "contradiction": False,
        "superseded": True,
        "duplicate": True,
        "absence": False,
        "stale": False,
    }
    assert (policy.policy_version, policy.report_public_key) == (POLICY_VERSION, SIGNER.public_key)

"""The tables that findings and recommendations follow from, as the contract shows them. They live in the domain."""

from collections.abc import Mapping
from types import MappingProxyType

from candor.audit.v1.fields_pb2 import ExpectedCounterpart, FindingRule, GetAuditPolicyResponse, PolicyRung

from shared.domain.counterpart import EXPECTATIONS
from shared.domain.findings import LEAVES_OK, FindingKind
from shared.domain.ladder import POLICY, POLICY_VERSION

_MEANINGS: Mapping[FindingKind, str] = MappingProxyType(
    {
        FindingKind.CONTRADICTION: "one record and attribute with different values that may hold at the same time",
        FindingKind.SUPERSEDED: "a value that its writer, or a later observation of a stateful attribute, has replaced",
        FindingKind.DUPLICATE: "memories of one record with the same content",
        FindingKind.ABSENCE: "a record referred to and not stored, or an expected counterpart never captured",
        FindingKind.STALE: "a memory that depends on a fact which has changed since the memory was recorded",
    }
)


def policy_message(report_public_key: str) -> GetAuditPolicyResponse:
    """Write the tables."""
    return GetAuditPolicyResponse(
        policy_version=POLICY_VERSION,
        rungs=[
            PolicyRung(
                order=rung.order,
                rule=rung.rule,
                reads=rung.reads,
                decides_when=rung.decides_when,
                confidence=rung.confidence,
            )
            for rung in POLICY
        ],
        expectations=[
            ExpectedCounterpart(expected=one.expected, called_for_by=one.called_for_by, answered_by=one.answered_by)
            for one in EXPECTATIONS
        ],
        findings=[
            FindingRule(kind=kind, meaning=meaning, leaves_ok=kind in LEAVES_OK) for kind, meaning in _MEANINGS.items()
        ],
        report_public_key=report_public_key,
    )

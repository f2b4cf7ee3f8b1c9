"""Signs a report: its findings and its summary become statements, and the chain over them is signed with Ed25519.

Rules: the key follows from the deployment's secret, so every replica signs alike; the public one is no secret. A
statement is one JSON object with sorted keys; values stand in it as their writers wrote them. Nothing is kept here: who
keeps a report and must erase a memory takes statement and salt of the entries that name it out. It does not know how
the chain is built (shared/domain/attestation) and who keeps reports.
Source: RFC 8032; REQUIREMENTS C8.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from candor.audit.v1.attestation_pb2 import Attestation, AttestedEntry
from candor.audit.v1.fields_pb2 import GetAuditReportResponse
from candor.memory.v1.finding_pb2 import AssertedValue
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.domain import attestation
from shared.domain.findings import FindingKind
from shared.rpc import wire


class Signer:
    """Holds the private key."""

    def __init__(self, seed: bytes, new_salt: Callable[[], bytes]) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self._new_salt = new_salt

    @property
    def public_key(self) -> str:
        """The public key: 64 hexadecimal digits."""
        return self._key.public_key().public_bytes_raw().hex()

    def attest(self, statements: Iterable[dict[str, Any]]) -> Attestation:
        """Return a report's statements, signed."""
        entries = [attestation.entry(self._new_salt(), _text(one)) for one in statements]
        head = attestation.head([entry.commitment for entry in entries])
        return Attestation(
            format=attestation.FORMAT,
            public_key=self.public_key,
            entries=[
                AttestedEntry(
                    commitment=entry.commitment.hex(),
                    salt=entry.salt.hex() if entry.salt else None,
                    statement=entry.statement,
                )
                for entry in entries
            ],
            head=head.hex(),
            signature=self._key.sign(attestation.signed_bytes(head)).hex(),
        )


def _text(statement: dict[str, Any]) -> str:
    return json.dumps(statement, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def field_statements(report: GetAuditReportResponse, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield what a field audit's report states: its findings, and the summary last."""
    for found in report.contradictions:
        yield {
            **_subject(FindingKind.CONTRADICTION, found),
            "attribute": found.attribute,
            "values": [_value(value) for value in found.values],
            "valueCount": found.value_count,
            "recommendedMemoryId": found.resolution.recommended_memory_id,
            "recommendedValue": found.resolution.recommended_value,
            "rule": found.resolution.rule,
            "confidence": found.resolution.confidence,
        }
    for absence in report.absences:
        yield {
            **_subject(FindingKind.ABSENCE, absence),
            "expected": absence.expected,
            "referencedBy": [referrer.memory_id for referrer in absence.referenced_by],
            "referrerCount": absence.referrer_count,
        }
    for dependency in report.stale:
        yield {
            **_subject(FindingKind.STALE, dependency),
            "memoryId": dependency.memory_id,
            "dependsOn": dependency.depends_on,
            "attribute": dependency.attribute,
            "former": _value(dependency.former),
            "current": _value(dependency.current),
        }
    for superseded in report.superseded:
        yield {
            **_subject(FindingKind.SUPERSEDED, superseded),
            "attribute": superseded.attribute,
            "former": _value(superseded.former),
            "current": _value(superseded.current),
        }
    for duplicate in report.duplicates:
        yield {
            **_subject(FindingKind.DUPLICATE, duplicate),
            "memoryIds": list(duplicate.memory_ids),
            "memoryCount": duplicate.memory_count,
        }
    known_at = wire.instant(report, "known_at")
    yield {
        "kind": "summary",
        "tenantId": tenant_id,
        "audited": report.audited,
        "subjects": report.subjects,
        "contradictions": len(report.contradictions),
        "absences": len(report.absences),
        "stale": len(report.stale),
        "superseded": len(report.superseded),
        "duplicates": len(report.duplicates),
        "ok": report.ok,
        "truncated": report.truncated,
        "delta": report.delta,
        "policyVersion": report.policy_version,
        "settingsVersion": report.settings_version,
        "knownAt": known_at.isoformat() if known_at else None,
    }


def _subject(kind: FindingKind, found: Any) -> dict[str, Any]:
    return {"kind": kind.value, "findingId": found.finding_id, "company": found.company, "subject": found.subject}


def _value(value: AssertedValue) -> dict[str, Any]:
    carriers = list(value.carrier_memory_ids)
    return {
        "value": value.value,
        "memoryId": value.memory_id,
        "carriers": carriers,
        "carrierCount": value.carrier_count,
    }

"""Builds assertions for the audit tests, and reads the public sets where they lie beside the repo."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

import pytest

from shared.domain.claims import Claim, claims_of
from shared.domain.findings import Absence, Contradiction, Reference, Referrer, absences
from shared.domain.ladder import Carrier
from shared.domain.opposition import Assertion, judge_group
from shared.domain.records import record_key, record_label, reference_key
from shared.domain.text import company_key
from shared.domain.types import MemoryKind

DATA = Path(__file__).parents[2].parent / "shared" / "data"
START = datetime(2026, 5, 1, 9, tzinfo=UTC)


def read(*parts: str) -> Any:
    path = DATA.joinpath(*parts)
    if not path.is_file():
        pytest.skip(f"the public data set {'/'.join(parts)} is not beside the repo")
    text = path.read_text(encoding="utf-8")
    return json.loads(text) if path.suffix == ".json" else text


def memory_id(name: str) -> UUID:
    return uuid5(NAMESPACE_OID, name)


def claim(value: object, attribute: str = "total", **others: object) -> Claim:
    return next(c for c in claims_of(json.dumps({attribute: value, **others})) if c.attribute == attribute)


def assertion(value: object, name: str, *, currency: str | None = None, **fields: Any) -> Assertion:
    """Return an open assertion of INV-1's total; `fields` replace those of the assertion or its carrier."""
    found = claim(value, **({"currency": currency} if currency else {}))
    of_carrier = {
        k: fields.pop(k)
        for k in ("kind", "memory_type", "derived", "importance", "observed_at", "recorded_at")
        if k in fields
    }
    carrier = Carrier(memory_id(name), MemoryKind.DOCUMENT, None, False, None, None, START, "INV-1", found.raw)
    built = Assertion(replace(carrier, **of_carrier), found, "Acme", "acme", "INV-1", "inv-1")
    return replace(built, **fields)


def of_memories(memories: Sequence[dict[str, Any]]) -> tuple[list[Assertion], list[Reference]]:
    """Read the reference product's memories: record, refs, importance are fields, createdAt is observed_at."""
    assertions, references = [], []
    for memory in memories:
        metadata = dict(memory["metadata"])
        record, refs, importance = metadata.get("record"), metadata.get("refs", []), metadata.get("importance")
        label, key = record_label(record, memory["sourceRef"]), record_key(record, memory["sourceRef"])
        assert label is not None and key is not None
        company = memory["company"]
        observed_at = datetime.fromisoformat(memory["createdAt"])
        own = memory_id(memory["id"])
        for found in claims_of(json.dumps(metadata)):
            carrier = Carrier(
                own,
                MemoryKind(memory["kind"]),
                None,
                False,
                importance,
                observed_at,
                START,
                memory["sourceRef"],
                found.raw,
            )
            assertions.append(
                Assertion(carrier, found, company, company_key(company), label, key, period=memory["period"])
            )
        for ref in refs:
            target_key = reference_key(ref)
            assert target_key is not None
            references.append(
                Reference(Referrer(own, memory["sourceRef"]), company, company_key(company), ref, target_key)
            )
    return assertions, references


def contradictions_of(assertions: Sequence[Assertion]) -> list[Contradiction]:
    groups: defaultdict[tuple[str, str, str], list[Assertion]] = defaultdict(list)
    for one in assertions:
        groups[one.company_key, one.record_key, one.claim.attribute].append(one)
    found = [c for group in groups.values() for c in judge_group(group).contradictions]
    return sorted(found, key=lambda c: (c.subject, c.attribute))


def absences_of(references: Sequence[Reference], memories: Sequence[dict[str, Any]]) -> tuple[Absence, ...]:
    known = {
        (company_key(m["company"]), record_key(m["metadata"].get("record"), m["sourceRef"]) or "") for m in memories
    }
    return absences(references, known)

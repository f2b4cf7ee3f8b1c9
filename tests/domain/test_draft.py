"""Checking and identifying drafts (A2, A3)."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain import draft as drafts
from shared.domain.errors import InvalidArgument
from shared.domain.periods import canonical_period
from shared.domain.records import record_key, record_label, reference_key
from shared.domain.types import Draft, MemoryKind, MemoryType

TENANT = UUID(int=1)
OTHER = UUID(int=2)


def make(**fields: Any) -> Draft:
    return drafts.check(**{"kind": "document", "content": "Invoice INV-1", **fields})


def refusals(**fields: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidArgument) as caught:
        make(**fields)
    return [(violation.field, violation.reason) for violation in caught.value.violations]


def test_a_draft_is_normalised() -> None:
    draft = make(
        content="Cafe\u0301 😀 漢字 שלום",
        company="  Acme ",
        period="2026-q2",
        record=" ",
        tags=["a", "a ", "b"],
        observed_at=datetime(2026, 5, 1, 9, tzinfo=timezone(timedelta(hours=2))),
        memory_type="semantic",
        metadata_json='{"total": 8400.00}',
    )
    assert draft.content == "Café 😀 漢字 שלום"
    assert (draft.kind, draft.company, draft.period, draft.record) == (MemoryKind.DOCUMENT, "Acme", "2026-Q2", None)
    assert draft.tags == ("a", "b")
    assert draft.observed_at == datetime(2026, 5, 1, 7, tzinfo=UTC)
    assert draft.memory_type is MemoryType.SEMANTIC
    assert draft.metadata_json == '{"total": 8400.00}'


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"kind": "letter"}, "kind", "KIND_UNKNOWN"),
        ({"kind": ""}, "kind", "KIND_MISSING"),
        ({"content": " \n"}, "content", "CONTENT_EMPTY"),
        ({"content": "x" * 32_001}, "content", "CONTENT_TOO_LONG"),
        ({"content": "a\0b"}, "content", "FORBIDDEN_CHARACTER"),
        ({"speaker": "\ud800"}, "speaker", "FORBIDDEN_CHARACTER"),
        ({"tags": ["ok", "\0"]}, "tags[1]", "FORBIDDEN_CHARACTER"),
        ({"company": "x" * 257}, "company", "LABEL_TOO_LONG"),
        ({"company": "\ufdfa" * 256}, "company", "LABEL_TOO_LONG"),
        ({"record": "x" * 513}, "record", "LABEL_TOO_LONG"),
        ({"tags": ["t"] * 65}, "tags", "TOO_MANY_TAGS"),
        ({"references": ["r"] * 65}, "references", "TOO_MANY_REFERENCES"),
        ({"derived_from": [TENANT] * 65}, "derived_from", "TOO_MANY_IDS"),
        ({"importance": 1.01}, "importance", "IMPORTANCE_OUT_OF_RANGE"),
        ({"importance": float("nan")}, "importance", "IMPORTANCE_OUT_OF_RANGE"),
        ({"period": "2026-13"}, "period", "PERIOD_INVALID"),
        ({"memory_type": "eternal"}, "memory_type", "TYPE_UNKNOWN"),
        ({"observed_at": datetime(2026, 5, 1)}, "observed_at", "TIME_NAIVE"),  # noqa: DTZ001
        ({"observed_at": datetime.min.replace(tzinfo=timezone(timedelta(hours=2)))}, "observed_at", "TIME_INVALID"),
        (
            {"observed_at": datetime(2026, 5, 2, tzinfo=UTC), "expires_at": datetime(2026, 5, 1, tzinfo=UTC)},
            "expires_at",
            "TIME_INVALID",
        ),
        ({"metadata_json": "[]"}, "metadata", "METADATA_INVALID"),
        ({"metadata_json": "{"}, "metadata", "METADATA_INVALID"),
        ({"metadata_json": '{"a":1,"a":2}'}, "metadata", "METADATA_INVALID"),
        ({"metadata_json": '{"a":{"b":1,"b":2}}'}, "metadata", "METADATA_INVALID"),
        ({"metadata_json": '{"a":NaN}'}, "metadata", "METADATA_INVALID"),
        ({"metadata_json": '{"a":1e999999999999}'}, "metadata", "METADATA_INVALID"),
        ({"metadata_json": '{"a":%s}' % ("9" * 5000)}, "metadata", "METADATA_INVALID"),
        ({"metadata_json": '{"a":"%s"}' % ("é" * 33_000)}, "metadata", "METADATA_TOO_LARGE"),
        ({"metadata_json": '{"a":' * 8 + "{}" + "}" * 8}, "metadata", "METADATA_TOO_DEEP"),
        ({"metadata_json": '{"a":' + "[" * 30_000}, "metadata", "METADATA_TOO_DEEP"),
        ({"metadata_json": '{"a":{"b":["x","\\u0000"]}}'}, "metadata.a.b[1]", "FORBIDDEN_CHARACTER"),
        ({"metadata_json": '{"a":"\\ud800"}'}, "metadata.a", "FORBIDDEN_CHARACTER"),
        ({"metadata_json": '{"\\u0000":1}'}, "metadata", "FORBIDDEN_CHARACTER"),
    ],
)
def test_each_wrong_field_is_named(fields: dict[str, Any], field: str, reason: str) -> None:
    assert refusals(**fields) == [(field, reason)]


def test_the_limits_themselves_are_allowed() -> None:
    make(content="x" * 32_000, company="x" * 256, importance=1.0, tags=[str(n) for n in range(64)])
    make(metadata_json='{"a":' * 7 + "{}" + "}" * 7)
    make(metadata_json='{"a":"[[[[[[[[[[\\"{{{{{{"}')
    make(metadata_json='{"a":"\\ud83d\\ude00"}')


def test_all_violations_come_at_once_and_at_most_twenty() -> None:
    assert refusals(content="", importance=2, prefix="memories[3].") == [
        ("memories[3].content", "CONTENT_EMPTY"),
        ("memories[3].importance", "IMPORTANCE_OUT_OF_RANGE"),
    ]
    assert len(refusals(tags=["\0"] * 40)) == 20


def test_a_tenants_zone_reads_naive_times() -> None:
    naive = datetime(2026, 5, 1, 9)  # noqa: DTZ001
    assert make(observed_at=naive, zone=timezone(timedelta(hours=9))).observed_at == datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize("period", ["2026", "2026-05", "2026-05-31", "2026-Q1"])
def test_periods_have_four_spellings(period: str) -> None:
    assert canonical_period(period) == period


@pytest.mark.parametrize("period", ["26", "2026-00", "2026-02-30", "2026-Q5", "2026-5", "May 2026", "0000", "٢٠٢٦"])
def test_other_periods_are_refused(period: str) -> None:
    assert canonical_period(period) is None


def test_the_record_is_the_explicit_id_else_the_source() -> None:
    assert record_key("INV\u20115521 ", "x.pdf") == record_key(None, "inv-5521") == reference_key("Inv-5521")
    assert record_key(" ", None) is None
    assert record_label("", "INV-1") == "INV-1"
    long_key = reference_key("漢" * 512)
    assert long_key is not None
    assert len(long_key.encode()) <= 1024
    assert long_key != reference_key("漢" * 511)


def test_identity_holds_what_is_said_and_not_how_it_is_kept() -> None:
    base = make(company="Acme", record="INV-1", metadata_json='{"a":8400.00,"b":"x"}')
    same = make(
        company="ACME", record="inv-1", metadata_json='{"b": "x", "a": 8.4e3}', importance=0.9, tags=["t"], pinned=True
    )
    assert drafts.identity_hash(TENANT, base) == drafts.identity_hash(TENANT, same)
    assert len(drafts.identity_hash(TENANT, base)) == 32
    assert drafts.identity_hash(OTHER, base) != drafts.identity_hash(TENANT, base)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "note"},
        {"content": "other"},
        {"company": "Other"},
        {"period": "2026-06"},
        {"record": "INV-2"},
        {"source_ref": "b"},
        {"counterparty": "Other"},
        {"speaker": "Bo"},
        {"session": "s2"},
        {"metadata_json": '{"a":2}'},
        {"observed_at": datetime(2026, 5, 2, tzinfo=UTC)},
    ],
)
def test_each_part_of_the_identity_counts(change: dict[str, Any]) -> None:
    fields: dict[str, Any] = {
        "company": "Acme",
        "period": "2026-05",
        "record": "INV-1",
        "source_ref": "a",
        "counterparty": "Vendor",
        "speaker": "Al",
        "session": "s1",
        "metadata_json": '{"a":1}',
        "observed_at": datetime(2026, 5, 1, tzinfo=UTC),
    }
    assert drafts.identity_hash(TENANT, make(**fields)) != drafts.identity_hash(TENANT, make(**{**fields, **change}))


@given(st.lists(st.sampled_from(["", "a", "ab", "b"]), min_size=2, max_size=2, unique=True))
def test_neighbouring_parts_do_not_run_together(parts: list[str]) -> None:
    one = make(speaker=parts[0], session=parts[1])
    two = make(speaker=parts[1], session=parts[0])
    assert drafts.identity_hash(TENANT, one) != drafts.identity_hash(TENANT, two)

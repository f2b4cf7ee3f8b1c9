"""Revisions, patches and keys: pure functions of their arguments."""

from collections import Counter
from datetime import UTC, datetime
from json import loads
from uuid import UUID

import pytest

from shared.domain import api_keys, patch
from shared.domain.draft import check
from shared.domain.errors import InvalidArgument
from shared.domain.lexical_text import labels_text
from shared.domain.lexicon import Lexicon
from shared.domain.revision import Revision, average_length, revise, whole
from shared.domain.tokens import term_id, terms, unstemmed
from shared.domain.types import Draft, MemoryType

TENANT, OTHER, KEY = UUID(int=1), UUID(int=2), b"k" * 32
DRAFT = check(
    kind="invoice",
    content="Amount due: 8,400 USD",
    company="  Acme Ltd ",
    period="2026-Q2",
    record="INV-5521",
    counterparty="Globex",
    speaker="Ann",
    tags=["urgent"],
    metadata_json='{"total": 8400, "currency": "USD"}',
    observed_at=datetime(2026, 5, 1, 9, tzinfo=UTC),
    references=["PO-7", "po-7", "PO-8"],
)


def revision(draft: Draft, tenant: UUID = TENANT) -> Revision:
    return revise(tenant, draft, term_key=KEY, lexicon=Lexicon(lambda language: unstemmed))


def test_a_revision_has_the_keys_its_labels_fold_to() -> None:
    made = revision(DRAFT)
    assert (made.company_key, made.counterparty_key, made.record_key) == ("acme ltd", "globex", "inv-5521")
    assert made.references == (("po-7", "PO-7"), ("po-8", "PO-8"))
    assert made.memory_type is MemoryType.SEMANTIC
    assert [claim.attribute for claim in made.claims] == ["total"]


def test_without_a_record_nothing_is_claimed() -> None:
    assert revision(check(kind="note", content="x", metadata_json='{"total": 1}')).claims == ()


def test_the_lexical_arm_reads_labels_and_dates_as_well() -> None:
    words = terms(labels_text(DRAFT))
    for word in ("acme", "inv-5521", "globex", "ann", "urgent", "2026-05-01"):
        assert word in words
    assert term_id(TENANT, "inv-5521", KEY) in revision(DRAFT).terms


def test_two_tenants_share_no_term_and_no_identity() -> None:
    mine, theirs = revision(DRAFT), revision(DRAFT, OTHER)
    assert not set(mine.terms) & set(theirs.terms)
    assert mine.identity_hash != theirs.identity_hash
    assert mine.content_hash == theirs.content_hash


def test_the_embedder_reads_speaker_and_day() -> None:
    assert revision(DRAFT).embedded_texts() == ["Ann (2026-05-01): Amount due: 8,400 USD"]
    assert whole("abc")[0].of("abc") == "abc"


def test_the_average_counts_what_is_about_to_be_written() -> None:
    assert average_length(Counter({10: 2, 40: 1}), memories=0, terms=0) == 20
    assert average_length(Counter({10: 1}), memories=1, terms=30) == 20
    assert average_length(Counter(), memories=0, terms=0) == 0


def test_a_patch_keeps_what_it_does_not_name() -> None:
    after = patch.patched(DRAFT, {"record": "INV-9", "tags": None, "observed_at": None})
    assert (after.record, after.tags, after.observed_at) == ("INV-9", (), None)
    found = patch.changes(DRAFT, after)
    assert set(found) == {"record", "tags", "observed_at"}
    assert loads(patch.changes_json(found)) == {
        "record": {"before": "INV-5521", "after": "INV-9"},
        "tags": {"before": ["urgent"], "after": []},
        "observed_at": {"before": "2026-05-01T09:00:00.000000Z", "after": None},
    }


def test_a_patch_that_says_the_same_changes_nothing() -> None:
    assert patch.changes(DRAFT, patch.patched(DRAFT, {"company": " Acme Ltd", "pinned": False})) == {}


def test_metadata_stand_in_the_history_as_written() -> None:
    after = patch.patched(DRAFT, {"metadata": '{"total": 8400.00}'})
    assert '"after":{"total": 8400.00}' in patch.changes_json(patch.changes(DRAFT, after))


def test_a_wrong_patch_names_its_field() -> None:
    with pytest.raises(InvalidArgument) as caught:
        patch.patched(DRAFT, {"content": None, "period": "soon"})
    assert {v.field for v in caught.value.violations} == {"patch.content", "patch.period"}


def test_a_key_comes_again_for_its_own_request_only() -> None:
    key = api_keys.make_key(TENANT, "r1", KEY)
    assert key.startswith("ck_")
    assert key == api_keys.make_key(TENANT, "r1", KEY)
    assert len({key, api_keys.make_key(OTHER, "r1", KEY), api_keys.make_key(TENANT, "r2", KEY)}) == 3
    assert api_keys.key_hash(key, KEY) != api_keys.key_hash(key, b"p" * 32)
    assert key.encode() not in api_keys.key_hash(key, KEY)

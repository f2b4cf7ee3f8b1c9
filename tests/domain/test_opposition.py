"""What opposes what (C2, C3): scopes, time, supersession, the form of the report, faults 8 to 14 of the reference."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain import opposition
from shared.domain.findings import (
    MEMORIES_MAX,
    VALUES_MAX,
    Contradiction,
    Copy,
    FindingKind,
    duplicates,
    finding_id,
)
from shared.domain.opposition import Assertion, GroupVerdict, judge_group
from shared.domain.setting import Policy
from tests.domain.audit_cases import START, assertion, memory_id

TENANT = UUID(int=7)
DAY = timedelta(days=1)


def judged(*assertions: Assertion, stateful: bool = False) -> GroupVerdict:
    return judge_group(assertions, Policy(stateful=frozenset({"total"} if stateful else ())))


def values(found: Contradiction) -> list[str]:
    return [value.value for value in found.values]


def test_two_sessions_that_differ_are_the_finding_whatever_the_time() -> None:
    (found,) = judged(
        assertion(8400, "a", session="s1"), assertion(8900, "b", session="s2", recorded_at=START + 300 * DAY)
    ).contradictions
    assert (found.subject, found.company, found.attribute, values(found)) == (
        "INV-1",
        "Acme",
        "total",
        ["8400", "8900"],
    )
    assert [value.session for value in found.values] == ["s1", "s2"]
    assert found.resolution.recommended_value == "8900"


def test_what_agrees_is_silent() -> None:
    assert judged(assertion(18400.00, "a"), assertion("18,400", "b"), assertion(18400, "c")) == GroupVerdict()
    assert judged() == GroupVerdict()
    assert judged(assertion(1, "a")) == GroupVerdict()


def test_different_given_counterparties_and_periods_never_meet() -> None:
    a, b = assertion(1, "a", counterparty_key="v1"), assertion(2, "b", counterparty_key="v2")
    assert judged(a, b) == GroupVerdict()
    assert judged(assertion(1, "a", period="2026-05"), assertion(2, "b", period="2026-06")) == GroupVerdict()


def test_a_missing_period_or_counterparty_meets_all() -> None:
    (found,) = judged(assertion(1, "a", period="2026-05"), assertion(2, "b")).contradictions
    assert (found.period, found.scope) == ("2026-05", ())
    (found,) = judged(assertion(1, "a", period="2026-05"), assertion(2, "b", counterparty_key="v1")).contradictions
    assert (found.period, found.counterparty_key) == ("2026-05", "v1")


def test_each_vendors_own_contradiction_is_its_own_finding() -> None:
    found = judged(
        *(assertion(n, f"a{n}", counterparty_key="v1") for n in (1, 2)),
        *(assertion(n, f"b{n}", counterparty_key="v2") for n in (3, 4)),
        assertion(1, "c"),
    ).contradictions
    assert [(c.counterparty_key, sorted(values(c))) for c in found] == [("v1", ["1", "2"]), ("v2", ["1", "3", "4"])]
    assert len({c.id(TENANT) for c in found}) == 2


def test_two_currencies_of_one_total_are_silent() -> None:
    assert judged(assertion("EUR 100", "a"), assertion("USD 110", "b")) == GroupVerdict()
    assert judged(assertion(100, "a", currency="EUR"), assertion(110, "b", currency="USD")) == GroupVerdict()


def test_a_currency_on_one_side_only_compares_numbers() -> None:
    assert judged(assertion(100, "a", currency="EUR"), assertion(100, "b")) == GroupVerdict()
    assert len(judged(assertion(100, "a", currency="EUR"), assertion(110, "b")).contradictions) == 1


@pytest.mark.parametrize(
    ("currency", "a", "b"), [("JPY", 20000, 20001), ("KWD", 20000.125, 20000.126), ("USD", 9250, 9250.3)]
)
def test_money_is_exact_in_minor_units(currency: str, a: float, b: float) -> None:
    assert len(judged(assertion(a, "a", currency=currency), assertion(b, "b", currency=currency)).contradictions) == 1


def test_valid_times_must_be_able_to_overlap() -> None:
    may, june = START, START + 31 * DAY
    closed = assertion(1, "a", observed_at=may, valid_to=june)
    assert judged(closed, assertion(2, "b", observed_at=june)) == GroupVerdict()
    assert len(judged(closed, assertion(2, "b", observed_at=june - DAY)).contradictions) == 1
    assert len(judged(closed, assertion(2, "b")).contradictions) == 1  # unknown: overlaps all
    assert len(judged(assertion(1, "a", observed_at=may), assertion(2, "b", observed_at=june)).contradictions) == 1


def test_only_what_overlaps_an_opposed_value_is_in_the_finding() -> None:
    past = assertion(1, "past", observed_at=START - 60 * DAY, valid_to=START - 30 * DAY)
    (found,) = judged(past, assertion(2, "b", observed_at=START), assertion(3, "c", observed_at=START)).contradictions
    assert sorted(values(found)) == ["2", "3"]


def test_what_its_writer_superseded_informs_and_is_no_contradiction() -> None:
    former = assertion(1, "a", ended_at=START + DAY, ended_reason="superseded")
    verdict = judged(former, assertion(2, "a", recorded_at=START + DAY))
    assert verdict.contradictions == ()
    (found,) = verdict.superseded
    assert (found.former.value, found.current.value, found.former.memory_id) == ("1", "2", memory_id("a"))
    assert judged(former, assertion(1.0, "a", recorded_at=START + DAY)).superseded == ()  # the total did not change
    assert judged(former) == GroupVerdict()


@pytest.mark.parametrize("reason", ["incorrect", "merged", "forgotten", "erased"])
def test_other_ends_say_nothing_any_more(reason: str) -> None:
    assert judged(assertion(1, "a", ended_at=START, ended_reason=reason), assertion(2, "b")) == GroupVerdict()


def test_time_settles_stateful_attributes_only_and_dated_ones_only() -> None:
    old, new = assertion(1, "a", observed_at=START), assertion(2, "b", observed_at=START + DAY)
    assert len(judged(old, new).contradictions) == 1
    verdict = judged(old, new, stateful=True)
    assert verdict.contradictions == ()
    assert [(s.former.value, s.current.value) for s in verdict.superseded] == [("1", "2")]
    assert len(judged(assertion(1, "a"), new, stateful=True).contradictions) == 1
    same_instant = assertion(3, "c", observed_at=START + DAY)
    assert len(judged(old, new, same_instant, stateful=True).contradictions) == 1


def test_values_are_ordered_by_time_and_spoken_for_by_the_recommended_memory() -> None:
    (found,) = judged(
        assertion(2, "b", recorded_at=START + DAY),
        assertion(1, "old", recorded_at=START - DAY),
        assertion("1.00", "flagged", importance=0.9),
        assertion(1, "new", recorded_at=START + 2 * DAY),
        assertion("2.0", "b2", recorded_at=START + 3 * DAY),
    ).contradictions
    assert found.resolution.rule == "importance"
    first, second = found.values
    assert (first.memory_id, first.value) == (memory_id("flagged"), '"1.00"')
    assert found.resolution.recommended_value == '"1.00"'
    assert first.carrier_memory_ids == tuple(sorted(map(memory_id, ("old", "flagged", "new"))))
    assert (second.memory_id, second.carrier_count) == (memory_id("b2"), 2)


def test_long_lists_are_capped_and_counted() -> None:
    crowd = [assertion(1, f"c{n}") for n in range(MEMORIES_MAX + 20)]
    (found,) = judged(*crowd, assertion(2, "x", kind="insight")).contradictions
    first = next(value for value in found.values if value.value == "1")
    assert (len(first.carrier_memory_ids), first.carrier_count) == (MEMORIES_MAX, MEMORIES_MAX + 20)
    assert found.resolution.recommended_memory_id in first.carrier_memory_ids
    (found,) = judged(
        *(assertion(n, f"v{n}", recorded_at=START + n * DAY) for n in range(VALUES_MAX + 9))
    ).contradictions
    assert (len(found.values), found.value_count) == (VALUES_MAX, VALUES_MAX + 9)
    assert found.resolution.recommended_memory_id in {value.memory_id for value in found.values}


def test_a_group_is_of_one_record_and_attribute() -> None:
    with pytest.raises(ValueError, match="one company, record and attribute"):
        judged(assertion(1, "a"), replace(assertion(2, "b"), record_key="inv-2"))


def test_finding_ids_are_stable_and_apart() -> None:
    (found,) = judged(assertion(1, "a"), assertion(2, "b")).contradictions
    (later,) = judged(assertion(1, "a"), assertion(2, "b"), assertion(3, "c")).contradictions
    assert (
        found.id(TENANT) == later.id(TENANT) == finding_id(TENANT, FindingKind.CONTRADICTION, "acme", "inv-1", "total")
    )
    assert found.id(UUID(int=8)) != found.id(TENANT)
    assert finding_id(TENANT, FindingKind.ABSENCE, "ab", "c") != finding_id(TENANT, FindingKind.ABSENCE, "a", "bc")


def test_duplicates_are_of_one_record_and_content() -> None:
    def copy(number: int, record: str, content: bytes) -> Copy:
        return Copy(UUID(int=number), "Acme", "acme", record, content)

    (found,) = duplicates(
        [copy(2, "r", b"x"), copy(1, "r", b"x"), copy(3, "r", b"y"), copy(4, "s", b"x"), copy(2, "r", b"x")]
    )
    assert (found.memory_ids, found.memory_count, found.record_key) == ((UUID(int=1), UUID(int=2)), 2, "r")


members = st.builds(
    assertion,
    st.sampled_from([1, 2, "2.00", "EUR 2", "USD 2", 3, "paid", "18,400", 18400]),
    st.integers(0, 10**9).map(str),
    counterparty_key=st.sampled_from([None, "v1", "v2"]),
    period=st.sampled_from([None, "2026-05", "2026-06"]),
    kind=st.sampled_from(["document", "insight"]),
    importance=st.sampled_from([None, 0.5, 0.9]),
    observed_at=st.sampled_from([None, START, START + DAY]),
    valid_to=st.sampled_from([None, START + DAY, START + 2 * DAY]),
    recorded_at=st.sampled_from([START, START + DAY]),
    ended_at=st.sampled_from([None, None, None, datetime(2026, 6, 1, tzinfo=UTC)]),
    ended_reason=st.just("superseded"),
)
groups = st.lists(members, max_size=9, unique_by=lambda a: a.carrier.memory_id)


@given(groups.flatmap(lambda g: st.tuples(st.just(g), st.permutations(g))), st.booleans())
def test_the_verdict_does_not_depend_on_order(case: tuple[list[Assertion], list[Assertion]], stateful: bool) -> None:
    group, shuffled = case
    assert judged(*group, stateful=stateful) == judged(*shuffled, stateful=stateful)


@given(groups)
def test_every_contradiction_is_resolved_by_a_carrier_and_opposes_only_what_meets(group: list[Assertion]) -> None:
    by_id = {a.carrier.memory_id: a for a in group}
    verdict = judged(*group)
    assert len({c.id(TENANT) for c in verdict.contradictions}) == len(verdict.contradictions)
    for found in verdict.contradictions:
        carriers = {memory for value in found.values for memory in value.carrier_memory_ids}
        assert found.resolution.recommended_memory_id in carriers
        assert found.value_count == len(found.values) >= 2
        sides = [by_id[memory] for memory in carriers]
        for axis in ("counterparty_key", "period"):
            assert {getattr(a, axis) for a in sides} <= {None, getattr(found, axis)}
        assert all(a.ended_at is None for a in sides)


def test_a_record_with_a_thousand_vendors_is_judged_in_linear_work() -> None:
    crowd = [assertion(n % 2, f"m{n}", counterparty_key=f"v{n // 2}") for n in range(2000)]
    assert len(judged(*crowd).contradictions) == 1000


def test_of_too_many_assertions_that_meet_all_the_latest_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opposition, "SHARED_MAX_COPIES", 4)
    given_periods = [assertion(0, period, period=period) for period in ("2026-05", "2026-06")]
    free = [assertion(n, f"m{n}", recorded_at=START + n * DAY) for n in (3, 1, 2)]
    found = judged(*given_periods, *free).contradictions
    assert [sorted(values(c)) for c in found] == [["0", "2", "3"], ["0", "2", "3"]]

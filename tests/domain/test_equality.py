"""Equality of values (C2): tolerance, minor units, closure, and what a missing currency or unit means."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain import equality
from shared.domain.claims import Claim
from shared.domain.equality import BUCKET_MAX_TOLERANCES, agree, buckets, tolerance
from tests.domain.audit_cases import claim


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (9250, 9250.3),
        (18400.00, "18,400"),
        (18400, "18.400,00"),
        (18.4, "18,400"),
        (8400, "EUR 8,400.00"),
        (8400.3, "EUR 8,400.00"),
        ("¥1000", "JPY 1000"),
        ("$500", "USD 500.00"),
        ("JPY 1000.4", "JPY 1000"),
        ("5 kg", "5000 g"),
        ("5 kg", 5),
        ("5000 g", 5000),
        ("65%", "65 percent"),
        ("65%", 65),
        ("65%", 0.65),
        ("650 bps", "6.5 %"),
        ("12 boxes", 12),
        ("12 boxes", "12 Boxes"),
        ("Paid", "paid "),
        ("INV\u20115521", "inv-5521"),
        ("yes", True),
        ("01.05.2026", "2026-05-01"),
        ("05/06/2026", "2026-05-06"),
        ("05/06/2026", "2026-06-05"),
        ("2026-05-01", "2026-05-01T14:00:00Z"),
    ],
)
def test_the_same(a: object, b: object) -> None:
    assert agree(claim(a), claim(b))
    assert agree(claim(b), claim(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (0.13, 0.24),
        (18400, 18401),
        (0, 0.4),
        (-5, 5),
        (10**40, 10**40 + 1),
        ("USD 100.00", "USD 100.01"),
        ("JPY 20000", "JPY 20001"),
        ("KWD 20000.125", "KWD 20000.126"),
        ("USD 0.0013", "USD 0.0024"),
        ("EUR 5", "USD 5"),
        ("5 kg", "5 m"),
        ("5 kg", "5001 g"),
        ("5 kg", 5000),
        ("12 boxes", "12 pallets"),
        ("1 month", "30 days"),
        ("paid", "unpaid"),
        ("007", 7),
        ("2026-05-01", "2026-05-02"),
        ("05/06/2026", "2026-05-07"),
        ("2026-05-01T14:00:00Z", "2026-05-01T15:00:00Z"),
        (100, "unclear"),
        (True, "paid"),
    ],
)
def test_not_the_same(a: object, b: object) -> None:
    assert not agree(claim(a), claim(b))
    assert not agree(claim(b), claim(a))


def groups(*values: object) -> list[set[object]]:
    return [{values[i] for i in bucket} for bucket in buckets([claim(value) for value in values])]


def test_three_decimals_of_a_quantity_are_read_as_the_others_tell() -> None:
    assert agree(claim("99.994%"), claim("99.99%"))
    assert agree(claim("1.250 kg"), claim("1250 g"))
    assert agree(claim("1.250 kg"), claim("1,25 kg"))
    assert not agree(claim("1.250 kg"), claim("12.5 kg"))


def test_agreement_spreads_up_to_three_tolerances() -> None:
    assert groups(20000, 20000.8, 20000.4) == [{20000, 20000.4, 20000.8}]
    assert groups(20000, 20000.4, 20000.8, 20001.2, 20001.6) == [
        {20000, 20000.4},
        {20000.8, 20001.2},
        {20001.6},
    ]
    assert groups(0, 0.4, 0.8) == [{0}, {0.4}, {0.8}]


def test_a_bare_number_does_not_bridge_two_amounts_of_money() -> None:
    assert len(groups("EUR 20000.00", "EUR 20000.01", 20000.02)) == 2


def test_a_bare_date_joins_one_of_two_instants() -> None:
    assert len(groups("2026-05-01", "2026-05-01T14:00:00Z", "2026-05-01T15:00:00Z")) == 2


values = st.one_of(
    st.integers(-30, 30),
    st.integers(19_990, 20_010).map(lambda n: n / 10 + 18_000),
    st.sampled_from("5 kg|5000 g|5|65%|0.65|EUR 5|USD 5|EUR 5.004|EUR 20000|20000.4|1,234|1.234|1234".split("|")),
    st.sampled_from("paid|PAID|yes|2026-05-06|05/06/2026|2026-06-05|2026-05-06T10:00:00Z".split("|")),
)
claims = values.map(claim)


@given(claims, claims)
def test_equality_is_symmetric_and_reflexive(a: Claim, b: Claim) -> None:
    assert agree(a, b) == agree(b, a)
    assert agree(a, a)
    if a.canonical == b.canonical:
        assert agree(a, b)


@given(st.lists(claims, max_size=12).flatmap(lambda cs: st.tuples(st.just(cs), st.permutations(range(len(cs))))))
def test_buckets_partition_and_do_not_depend_on_order(case: tuple[list[Claim], list[int]]) -> None:
    listed, order = case
    found = buckets(listed)
    assert sorted(i for bucket in found for i in bucket) == list(range(len(listed)))
    shuffled = buckets([listed[i] for i in order])
    assert {frozenset(order[i] for i in bucket) for bucket in shuffled} == {frozenset(b) for b in found}


@pytest.mark.parametrize("order", [("5000 g", "5", "5 kg"), ("5 kg", "5", "5000 g"), ("5", "5000 g", "5 kg")])
def test_a_bare_figure_repeats_a_measure_however_else_it_is_stated(order: tuple[str, ...]) -> None:
    assert buckets([claim(text) for text in order]) == ((0, 1, 2),)


@given(st.lists(st.decimals(-1000, 30_000, places=1), min_size=1, max_size=30))
def test_no_bucket_is_wider_than_three_tolerances(numbers: list[Decimal]) -> None:
    for bucket in buckets([claim(float(number)) for number in numbers]):
        low, high = min(numbers[i] for i in bucket), max(numbers[i] for i in bucket)
        assert high - low <= BUCKET_MAX_TOLERANCES * tolerance(low, high)


def test_many_distinct_values_do_not_take_quadratic_work(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def counted(a: Decimal, b: Decimal) -> Decimal:
        nonlocal compared
        compared += 1
        return tolerance(a, b)

    monkeypatch.setattr(equality, "tolerance", counted)
    for apart in (2, Decimal("0.3")):  # no two agree; each agrees with the next
        compared = 0
        found = buckets([claim(str(apart * n)) for n in range(2_000)])
        assert len(found) >= 2_000 / 3
        assert 1_000 < compared < 3 * 2_000

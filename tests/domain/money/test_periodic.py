"""Sums by period: every part is in one line and in one currency's whole, in any order; months meet their neighbours."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.money import periodic
from shared.domain.money.pnl import Sums

PERIODS = st.sampled_from([None, "2025", "2025-Q4", "2025-12", "2025-12-31", "2026-01", "2026-01-01", "2026-01-31"])
PARTS = st.lists(
    st.tuples(
        PERIODS,
        st.builds(
            Sums,
            currency=st.sampled_from(["EUR", "JPY", None]),
            records=st.just(1),
            revenue_total=st.decimals(0, 10**9, places=2),
            purchases_total=st.decimals(0, 10**9, places=2),
        ),
    ),
    max_size=12,
)


@given(PARTS, st.randoms(use_true_random=False))
def test_the_parts_are_the_whole_in_any_order(parts: list[tuple[str | None, Sums]], dice: object) -> None:
    lines = periodic.by_period(parts)
    shuffled = parts.copy()
    dice.shuffle(shuffled)  # type: ignore[attr-defined]  # a random.Random
    assert periodic.by_period(shuffled) == lines
    for whole in periodic.by_currency(parts):
        mine = [line for line in lines if line.figures.sums.currency == whole.currency]
        if whole.currency is None:
            assert mine == []
            continue
        assert (
            sum((line.figures.net_profit for line in mine), Decimal(0)) == whole.revenue_total - whole.purchases_total
        )
        assert sum(line.figures.sums.records for line in mine) == whole.records
        assert len({line.period for line in mine}) == len(mine)
        for line in mine:
            former = next((one for one in mine if line.previous is not None and one.period == line.previous), None)
            if former is not None and line.revenue is not None:
                assert (
                    line.revenue.before + line.revenue.amount == line.revenue.after == line.figures.sums.revenue_total
                )
                assert line.revenue.before == former.figures.sums.revenue_total


def test_days_are_in_their_month_and_january_follows_december() -> None:
    parts = [
        ("2025-12-31", Sums("EUR", 1, revenue_total=Decimal(5))),
        ("2026-01", Sums("EUR", 1, revenue_total=Decimal(8))),
    ]
    december, january = periodic.by_period(parts)
    assert (december.period, december.previous, january.previous) == ("2025-12", None, "2025-12")
    assert january.revenue is not None and january.revenue.pct == Decimal("60.00")


def test_only_months_have_a_month_before() -> None:
    found = {
        period: periodic.month_before(period) for period in ("2026-01", "2026-10", "0001-01", "2026", "2026-Q1", "")
    }
    assert found == {
        "2026-01": "2025-12",
        "2026-10": "2026-09",
        "0001-01": None,
        "2026": None,
        "2026-Q1": None,
        "": None,
    }

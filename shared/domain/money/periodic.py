"""The P&L period by period, and how a month moved against the one before it.

Rules: what is dated by the day belongs to its month; quarters, years and what has no period stand for themselves and
are compared with nothing. A month is compared with the month before it in the calendar, in the same currency, when
there is evidence of both.
It does not know entries and databases.
Source: REQUIREMENTS E4.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.domain.money.pnl import Change, Figures, Sums, added, change, figures

_DAY_CHARS, _MONTH_CHARS = len("2026-05-27"), len("2026-05")


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """The figures of one period and currency, and how they moved since `previous`."""

    period: str | None
    figures: Figures
    previous: str | None = None
    revenue: Change | None = None
    expenses: Change | None = None
    net_profit: Change | None = None


def by_currency(parts: Iterable[tuple[str | None, Sums]]) -> list[Sums]:
    """Return the sums of each currency over all periods."""
    whole: dict[str | None, Sums] = {}
    for _, sums in parts:
        known = whole.get(sums.currency)
        whole[sums.currency] = added(known, sums) if known else sums
    return list(whole.values())


def by_period(parts: Iterable[tuple[str | None, Sums]]) -> list[PeriodFigures]:
    """Return the figures of each period and known currency, by currency and period; those without a period first."""
    whole: dict[tuple[str, str], Sums] = {}
    for period, sums in parts:
        if sums.currency is not None:
            key = (sums.currency, month_of(period) or "")
            whole[key] = added(whole[key], sums) if key in whole else sums
    found = {key: figures(sums) for key, sums in sorted(whole.items())}
    return [
        _compared(period or None, own, before, found.get((currency, before)) if before else None)
        for (currency, period), own in found.items()
        for before in (month_before(period),)
    ]


def month_of(period: str | None) -> str | None:
    """Return the month of a day; every other period as it is."""
    return period[:_MONTH_CHARS] if period and len(period) == _DAY_CHARS else period


def month_before(period: str) -> str | None:
    """Return the month before a month in the calendar; None of other periods and of the first month there is."""
    year, _, month = period.partition("-")
    if len(period) != _MONTH_CHARS or not month.isdecimal():
        return None
    number = int(year) * 12 + int(month) - 2
    return f"{number // 12:04}-{number % 12 + 1:02}" if number >= 12 else None


def _compared(period: str | None, own: Figures, before: str | None, former: Figures | None) -> PeriodFigures:
    if former is None:
        return PeriodFigures(period, own)
    return PeriodFigures(
        period,
        own,
        before,
        revenue=change(former.sums.revenue_total, own.sums.revenue_total),
        expenses=change(former.total_expenses, own.total_expenses),
        net_profit=change(former.net_profit, own.net_profit),
    )

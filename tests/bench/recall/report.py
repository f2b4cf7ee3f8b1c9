"""The report of a run: tables for the terminal, figures for a file, a picture of the main ones.

Rules: shares are printed as percentages with their 95 % intervals, slices without. It does not know how figures came
about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Column, Table

from tests.bench.recall.metrics import NAMES, Matrix, Mean, difference, means

SHOWN = ("R@3", "R@5", "R@10", "R@20", "MRR", "nDCG@5", "nDCG@10")


@dataclass(frozen=True, slots=True)
class Rows:
    """The figures of every question under one condition, and the slices that each question is in."""

    condition: str
    figures: Matrix
    slices: Sequence[Mapping[str, str]]

    def of(self, name: str, value: str) -> Matrix:
        """Return the figures of one slice."""
        return self.figures[[found.get(name) == value for found in self.slices]]


def show(out: Console, title: str, rows: Sequence[Rows]) -> None:
    """Print one table of conditions."""
    table = Table(Column("", min_width=24), *(Column(name, justify="right") for name in SHOWN), title=title)
    for row in rows:
        table.add_row(row.condition, *(_said(name, mean) for name, mean in zip(NAMES, means(row.figures), strict=True)))
    out.print(table)


def show_slices(out: Console, title: str, rows: Sequence[Rows], name: str, shown: Sequence[str]) -> None:
    """Print a few figures by slice."""
    values = sorted({found[name] for found in rows[0].slices if name in found})
    table = Table(Column("", min_width=24), *(Column(value, justify="right") for value in values), title=title)
    for row in rows:
        cells = []
        for value in values:
            figures = row.of(name, value).mean(axis=0)
            cells.append(" / ".join(_number(one, figures[NAMES.index(one)]) for one in shown))
        table.add_row(row.condition, *cells)
    out.print(table)


def _said(name: str, mean: Mean) -> str:
    return f"{_number(name, mean.value)} [{_number(name, mean.low)}, {_number(name, mean.high)}]"


def _number(name: str, value: float) -> str:
    return f"{100 * value:.1f}" if name.startswith("R@") else f"{value:.3f}"


def as_json(rows: Sequence[Rows]) -> dict[str, Any]:
    """Return what a file keeps of one table: all figures, then by slice."""
    found: dict[str, Any] = {}
    for row in rows:
        told: dict[str, Any] = {"questions": len(row.figures), "all": _means(row.figures)}
        for name in sorted({key for given in row.slices for key in given}):
            values = sorted({given[name] for given in row.slices if name in given})
            told[name] = {value: _means(row.of(name, value)) for value in values}
        found[row.condition] = told
    return found


def difference_of(one: Rows, other: Rows, name: str, value: str, figure: str) -> dict[str, float]:
    """Return the mean difference of one figure in one slice, with its interval."""
    found = difference(one.of(name, value), other.of(name, value))[NAMES.index(figure)]
    return {"difference": round(found.value, 4), "low": round(found.low, 4), "high": round(found.high, 4)}


def _means(figures: Matrix) -> dict[str, list[float]]:
    return {
        name: [round(part, 4) for part in (mean.value, mean.low, mean.high)]
        for name, mean in zip(NAMES, means(figures), strict=True)
    }


def rows_of(condition: str, figures: Sequence[Sequence[float]], slices: Sequence[Mapping[str, str]]) -> Rows:
    """Return the figures of one condition as rows."""
    return Rows(condition, np.array(figures, dtype=np.float64), slices)

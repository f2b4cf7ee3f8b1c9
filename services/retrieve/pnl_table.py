"""A P&L as a table for spreadsheets: one row for each currency, then one for each of its periods.

Rules: CSV with a header row, comma-separated, lines end with CR LF. A text that a spreadsheet would take for a formula
gets an apostrophe before it; a negative amount is a number and stays one. It does not know how sums come about.
Source: RFC 4180; the formula characters named by OWASP, CSV Injection.
"""

import csv
import io
import re
from collections.abc import Iterator

from candor.retrieve.v1 import figures_pb2 as figures_pb
from candor.retrieve.v1 import pnl_pb2 as pb

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_FIGURES = tuple(
    field.name for field in figures_pb.MoneyFigures.DESCRIPTOR.fields if field.name not in ("currency", "sources")
)
_CHANGES = ("revenue_change", "expenses_change", "net_profit_change")
HEADER = ("row", "period", "currency", *_FIGURES, "previous_period", *_CHANGES, "memory_ids", "memory_ids_truncated")


def table(report: pb.GetProfitAndLossResponse) -> str:
    """Return the table of a report."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEADER)
    for row in _rows(report):
        writer.writerow([guarded(cell) for cell in row])
    return out.getvalue()


def guarded(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else cell


def _rows(report: pb.GetProfitAndLossResponse) -> Iterator[list[str]]:
    whole = [*report.by_currency, *([report.unknown] if report.HasField("unknown") else [])]
    for figures in whole:
        ids = dict.fromkeys(memory_id for source in figures.sources for memory_id in source.memory_ids)
        truncated = any(source.truncated for source in figures.sources)
        row = ["total", "", *_cells(figures), "", *("" for _ in _CHANGES)]
        yield [*row, " ".join(ids), "true" if truncated else "false"]
    for line in report.by_period:
        changes = (getattr(line, name).amount if line.HasField(name) else "" for name in _CHANGES)  # type: ignore[arg-type]
        yield ["period", line.period, *_cells(line.figures), line.previous_period, *changes, "", ""]


def _cells(figures: figures_pb.MoneyFigures) -> list[str]:
    return [figures.currency or "unknown", *(str(getattr(figures, name)) for name in _FIGURES)]

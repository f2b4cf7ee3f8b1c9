"""What a document's labels and tables gave, field by field, with where each was read.

Rules: of several values for one field the surest place counts, then the first. A value with two readings is none: the
reason is noted. The currency is what the document states outright, else the one that stands beside its amounts; where
there are several, none. It does not know what a sort of document needs.
Source: REQUIREMENTS E1 (a currency is never guessed).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from shared.domain.documents.labels import Sort
from shared.domain.documents.layout import Line
from shared.domain.documents.pairs import Pair, Standing, pairs_of
from shared.domain.documents.tables import Row, Table, same_cells
from shared.domain.documents.values import (
    Refused,
    amount_of,
    count_of,
    currencies_beside,
    currency_stated,
    day_of,
    grouping_of,
    period_of,
)
from shared.domain.money.amounts import known_currency
from shared.domain.money.evidence import FieldSource

SOURCE_MAX_CHARS = 120
"""Of a text that is shown as a source. Chosen, untested."""


@dataclass(slots=True)
class Found:
    """The pairs of a document by field, and its currency; collects sources and notes while values are read."""

    lines: Sequence[Line]
    sheet: bool
    pairs: Mapping[str, Sequence[Pair]]
    currency: str | None
    grouping: str | None = None
    refused: list[str] = field(default_factory=list)
    sources: list[FieldSource] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self, name: str, as_name: str | None = None) -> str | None:
        """Return a text."""
        pair = next(iter(self.pairs.get(name, ())), None)
        if pair is None:
            return None
        self._note_source(as_name or name, pair.value, pair.line)
        return pair.value.strip(" :：")

    def amount(self, name: str, as_name: str | None = None) -> Decimal | None:
        """Return an amount."""
        for pair in self.pairs.get(name, ()):
            read = amount_of(pair.value, self.currency, self.grouping)
            if isinstance(read, Refused):
                self._note_refused(as_name or name, read)
            elif read is not None:
                self._note_source(as_name or name, pair.value, pair.line)
                return read
        return None

    def day(self, name: str, as_name: str | None = None) -> date | None:
        """Return a day."""
        for pair in self.pairs.get(name, ()):
            read = day_of(pair.value)
            if isinstance(read, Refused):
                self._note_refused(as_name or name, read)
            elif read is not None:
                self._note_source(as_name or name, pair.value, pair.line)
                return read
        return None

    def count(self) -> int | None:
        """Return the number of employees that is stated."""
        pair = next(iter(self.pairs.get("count", ())), None)
        if pair is None:
            return None
        self._note_source("employee_count", pair.value, pair.line)
        return count_of(pair.value)

    def period(self, title: Iterable[int]) -> str | None:
        """Return the period that is labelled, else the one that stands in a title: lines by their index."""
        for pair in self.pairs.get("period", ()):
            read = period_of(pair.value)
            if read is not None:
                self._note_source("period", pair.value, pair.line)
                return read
        for index in title:
            read = period_of(self.lines[index].text)
            if read is not None:
                self._note_source("period", self.lines[index].text, index)
                return read
        return None

    def cell(self, row: Row, name: str, as_name: str) -> Decimal | None:
        """Return an amount of a row."""
        read = amount_of(row.cells.get(name, ""), self.currency, self.grouping)
        if isinstance(read, Refused):
            self._note_refused(as_name, read)
            return None
        return read

    def source(self, name: str, text: str, line: int) -> None:
        """Note where a field was read."""
        self._note_source(name, text, line)

    def derived(self, name: str, how: str) -> None:
        """Note that a field follows from others."""
        self.sources.append(FieldSource(name, how, "derived"))

    def _note_source(self, name: str, text: str, line: int) -> None:
        at = self.lines[line]
        where = f"row {at.number}" if self.sheet else f"page {at.page}, line {at.number}"
        self.sources.append(FieldSource(name, text[:SOURCE_MAX_CHARS], where))

    def _note_refused(self, name: str, refused: Refused) -> None:
        self.notes.append(f"{name}: {refused.note}")
        self.refused.append(name)


def find(
    lines: Sequence[Line], sort: Sort, *, sheet: bool, taken: frozenset[int], table: Table | None, told: str | None
) -> Found:
    """Return what the labels of a document say. `told` is the currency that its caller declares."""
    pairs: dict[str, list[Pair]] = {}
    for pair in pairs_of(lines, sort, taken):
        pairs.setdefault(pair.field, []).append(pair)
    for same, text, line in same_cells(table) if table else ():
        pairs.setdefault(same, []).append(Pair(same, "", text, Standing.BELOW, line))
    for listed in pairs.values():
        listed.sort(key=lambda pair: pair.standing)  # stable: the first of a standing stays first
    currency, note = _currency(lines, pairs.get("currency", ()), table)
    grouping = grouping_of(line.text for line in lines)
    found = Found(lines, sheet, pairs, currency or told, grouping)
    if currency is not None:
        index = next((i for i, line in enumerate(lines) if _shows(line, currency)), 0)
        found.source("currency", lines[index].text, index)
    if note:
        found.notes.append(note)
    return found


def _currency(lines: Sequence[Line], labelled: Sequence[Pair], table: Table | None) -> tuple[str | None, str]:
    stated = {known_currency(pair.value) or currency_stated(f"currency {pair.value}") for pair in labelled}
    stated |= {currency_stated(line.text) for line in lines}
    stated.discard(None)
    if len(stated) == 1:
        return stated.pop(), ""
    if not stated:
        beside = {code for line in lines for phrase in line.phrases for code in currencies_beside(phrase.text)}
        beside |= {code for text in (table.heads.values() if table else ()) for code in currencies_beside(text)}
        stated = {code for code in beside if code}
        if len(stated) == 1:
            return stated.pop(), ""
        if not stated:
            return None, "The sign of the currency stands for several currencies." if "" in beside else ""
    return None, f"Amounts stand in several currencies: {', '.join(sorted(map(str, stated)))}."


def _shows(line: Line, currency: str) -> bool:
    text = line.text
    return currency_stated(text) == currency or currency in text.upper() or currency in set(currencies_beside(text))

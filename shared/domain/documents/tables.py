"""Tables of employees: a head whose columns are known, the rows below it, and the row of totals.

Rules: a head may take several lines and stand again on every page. A phrase belongs to the column it overlaps most,
else to the nearest; one that reaches over two is parted between words. A row has an id or a name, and an amount in
half of its columns of money at least; sums that are carried forward and page numbers are no rows. It does not know
amounts' currency.
Source: layouts and sheets of fixtures/documents/build.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shared.domain.documents.labels import Sort, field_of, is_carried, is_item_head, is_total
from shared.domain.documents.layout import Line, Phrase, Word
from shared.domain.documents.pairs import MONEY_FIELDS
from shared.domain.documents.values import amount_of

HEAD_LINES, HEAD_WITHIN_LINES = 4, 400
"""That a head may take, and within which it begins. Chosen, untested."""

HEAD_GAP_OF_HEIGHT = 1.2
"""Between the lines of one head, as a share of their height. Chosen, untested."""

MIN_COLUMNS = 3
"""Of a table on a page; of a sheet two, since its columns are certain."""

ITEM_COLUMNS = 3
"""Of a table of an invoice's items. Chosen, untested."""

_WHO = ("employee_id", "name")
_SAME = frozenset(("company", "period", "currency", "event_ref", "payment_date"))
"""What a sheet may repeat in every row."""


@dataclass(frozen=True, slots=True)
class Row:
    """The texts of a row by field, and its line's index."""

    cells: Mapping[str, str]
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: rows, the row of totals, its head's texts by field, and the lines that it takes."""

    rows: tuple[Row, ...]
    totals: Row | None
    heads: Mapping[str, str]
    taken: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Column:
    field: str | None
    text: str
    left: float
    right: float


def table_of(lines: Sequence[Line], sort: Sort, *, sheet: bool) -> Table | None:
    """Return the first table of employees, with what follows of it on later pages; None where there is none."""
    found = _head(lines, 0, sort, 2 if sheet else MIN_COLUMNS)
    if found is None:
        return None
    index, depth, columns = found
    money = [column.field for column in columns if column.field in MONEY_FIELDS]
    taken = set(range(index, index + depth))
    rows: list[Row] = []
    totals: Row | None = None
    at = index + depth
    opening, known = {phrase.text for phrase in lines[index].phrases}, _fields(columns)
    while at < len(lines):
        line = lines[at]
        if line.phrases[0].text in opening and _fields(again := _columns(lines[at : at + depth], sort)) == known:
            columns = again if lines[at].page != lines[index].page or not rows else columns
            taken.update(range(at, at + depth))
            at += depth
            continue
        cells = _cells(line, columns)
        amounts = sum(amount_of(cells.get(field or "", ""), None) is not None for field in money)
        first = line.phrases[0].text
        if is_carried(first):
            taken.add(at)
        elif amounts * 2 >= len(money) and amounts and (is_total(first) or (rows and not _who(cells))):
            totals = totals or Row(cells, at, line.text)
            taken.add(at)
        elif amounts * 2 >= len(money) and amounts and _who(cells) and field_of(first, sort) is None:
            if totals is not None and rows and totals.line > rows[-1].line:
                break  # another table
            rows.append(Row(cells, at, line.text))
            taken.add(at)
        at += 1
    heads = {column.field or column.text: column.text for column in columns}
    return Table(tuple(rows), totals, heads, frozenset(taken))


def same_cells(table: Table) -> Iterator[tuple[str, str, int]]:
    """Yield what every row says alike: a field, its text, and the first line that says so."""
    for field in sorted(_SAME):
        texts = {row.cells.get(field, "") for row in table.rows}
        if len(texts) == 1 and (text := texts.pop()):
            yield field, text, table.rows[0].line


def item_lines(lines: Sequence[Line]) -> frozenset[int]:
    """Return the lines of an invoice's table of items, its head included."""
    taken: set[int] = set()
    for index, line in enumerate(lines):
        if index in taken or len(line.phrases) < ITEM_COLUMNS:
            continue
        if sum(is_item_head(phrase.text) for phrase in line.phrases) < ITEM_COLUMNS:
            continue
        taken.add(index)
        for after in range(index + 1, len(lines)):
            if len(lines[after].phrases) < ITEM_COLUMNS:
                break
            taken.add(after)
    return frozenset(taken)


def _head(lines: Sequence[Line], start: int, sort: Sort, least: int) -> tuple[int, int, tuple[_Column, ...]] | None:
    """Return where the head with most fields stands, how many lines it takes, and its columns. Ties: the first."""
    best: tuple[int, int, tuple[_Column, ...]] | None = None
    most = 0
    for index in range(start, min(len(lines), start + HEAD_WITHIN_LINES)):
        for depth in range(1, HEAD_LINES + 1):
            block = lines[index : index + depth]
            if len(block) < depth or not _close(block):
                break
            columns = _columns(block, sort)
            fields = _fields(columns)
            known = len(fields)
            if known < least or known <= most or not fields & MONEY_FIELDS or not fields & set(_WHO):
                continue
            best, most = (index, depth, columns), known
        if best is not None and index > best[0] + HEAD_LINES:
            break
    return best


def _close(block: Sequence[Line]) -> bool:
    return all(
        after.page == before.page and after.top - before.bottom <= HEAD_GAP_OF_HEIGHT * (before.bottom - before.top)
        for before, after in pairwise(block)
    )


def _columns(block: Sequence[Line], sort: Sort) -> tuple[_Column, ...]:
    """Return the columns of a head: phrases of its lines that stand above each other are one text."""
    groups: list[list[Phrase]] = []
    for line in block:
        for phrase in line.phrases:
            over = [group for group in groups if any(phrase.overlap(each.left, each.right) > 0 for each in group)]
            if over:
                best = max(over, key=lambda group: max(phrase.overlap(each.left, each.right) for each in group))
                best.append(phrase)
            else:
                groups.append([phrase])
    groups.sort(key=lambda group: min(phrase.left for phrase in group))
    columns, seen = [], set()
    for group in groups:
        text = " ".join(phrase.text for phrase in group).replace("- ", "")
        field = field_of(text, sort)
        if field in seen or field is None or not (field in MONEY_FIELDS or field in _WHO or field in _SAME):
            field = None
        else:
            seen.add(field)
        columns.append(_Column(field, text, min(p.left for p in group), max(p.right for p in group)))
    return tuple(columns)


def _fields(columns: Sequence[_Column]) -> set[str]:
    return {column.field for column in columns if column.field is not None}


def _who(cells: Mapping[str, str]) -> bool:
    return any(cells.get(field) for field in _WHO)


def _cells(line: Line, columns: Sequence[_Column]) -> dict[str, str]:
    held: dict[int, list[str]] = {}
    for left, right, text in _pieces(line, columns):
        held.setdefault(_nearest(left, right, columns), []).append(text)
    return {field: " ".join(held[place]) for place in sorted(held) if (field := columns[place].field) is not None}


def _pieces(line: Line, columns: Sequence[_Column]) -> Iterator[tuple[float, float, str]]:
    """Yield what of a line belongs to a column each: phrases, or their words where they reach over several."""
    for phrase in line.phrases:
        over = sum(phrase.overlap(column.left, column.right) > 0 for column in columns)
        words: tuple[Word, ...] = phrase.words if over > 1 else ()
        held = {_nearest(word.left, word.right, columns) for word in words}
        if len(held) >= over:
            yield from ((word.left, word.right, word.text) for word in words)
        else:
            yield phrase.left, phrase.right, phrase.text


def _nearest(left: float, right: float, columns: Sequence[_Column]) -> int:
    for place, column in enumerate(columns):
        if column.left == left:
            return place  # as every cell of a sheet

    def distance(place: int) -> tuple[float, float]:
        column = columns[place]
        overlap = min(right, column.right) - max(left, column.left)
        edges = min(abs(left - column.left), abs(right - column.right))
        return -overlap, edges

    return min(range(len(columns)), key=distance)

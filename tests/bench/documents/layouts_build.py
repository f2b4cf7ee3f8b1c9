"""The layouts of the build half: rules may be written on these.

Rules: every layout draws every sheet; a table that does not fit goes on with its head repeated.
Source: layouts of ordinary business paper, drawn for this project.
"""

from collections.abc import Callable, Sequence

from tests.bench.documents.drawing import LINE_POINTS, MARGIN_POINTS, Page
from tests.bench.documents.sheets import Pairs, Sheet

ROWS_PER_PAGE = 24  # of the many-page table; chosen
CARRIED = {"en": "Carried forward", "de": "Übertrag", "ko": "이월"}
PAGE = {"en": "Page {}", "de": "Seite {}", "ko": "{} 쪽"}


def _title(page: Page, sheet: Sheet) -> None:
    page.text(MARGIN_POINTS, page.y, sheet.letterhead, 9)
    page.down(1.6)
    page.text(MARGIN_POINTS, page.y, sheet.title, 16, strong=True)
    page.down(1.8)


def _notes(page: Page, sheet: Sheet) -> None:
    page.down(0.6)
    for note in sheet.notes:
        page.text(MARGIN_POINTS, page.y, note, 8)
        page.down()


def _edges(page: Page, sheet: Sheet) -> list[float]:
    """Return the right edges of the columns: the second one takes what the others leave."""
    inner = page.right_edge - MARGIN_POINTS
    count = len(sheet.columns)
    bodies = [[row[i] for row in (*sheet.rows, *((sheet.total_row,) if sheet.total_row else ()))] for i in range(count)]
    widths = [
        max(*(page.measure(cell, 8, True) for cell in body), *(page.measure(word, 7.5, True) for word in head.split()))
        + 10
        for head, body in zip(sheet.columns, bodies, strict=True)
    ]
    text_column = 1 if count > 4 else 0
    widths[text_column] += max(0.0, inner - sum(widths))
    edges, x = [], MARGIN_POINTS
    for width in widths:
        x += width
        edges.append(x)
    return edges


def _head_lines(page: Page, label: str, width: float, size: float) -> list[str]:
    """Break a column's head between words where it is wider than its column."""
    lines: list[str] = []
    for word in label.split(" "):
        if lines and page.measure(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def draw_row(
    page: Page, cells: Sequence[str], edges: Sequence[float], texts: int, size: float = 8, strong: bool = False
) -> None:
    """Draw a row: the first `texts` cells from the left of their column, the others to its right."""
    left = MARGIN_POINTS
    for index, (cell, edge) in enumerate(zip(cells, edges, strict=True)):
        if index < texts:
            page.text(left + 4, page.y, cell, size, strong)
        else:
            page.right(edge - 4, page.y, cell, size, strong)
        left = edge


def draw_heads(page: Page, sheet: Sheet, edges: Sequence[float], texts: int, size: float = 7.5) -> None:
    """Draw the columns' heads, in as many lines as the longest needs; the cursor ends on the last line."""
    lefts = [MARGIN_POINTS, *edges[:-1]]
    sizes = [
        min(size, size * (edge - left - 6) / max(page.measure(word, size, True) for word in label.split()))
        for label, left, edge in zip(sheet.columns, lefts, edges, strict=True)
    ]
    heads = [
        _head_lines(page, label, edge - left - 6, own)
        for label, left, edge, own in zip(sheet.columns, lefts, edges, sizes, strict=True)
    ]
    deepest = max(map(len, heads))
    for depth in range(deepest):
        row = [head[depth - deepest + len(head)] if depth >= deepest - len(head) else "" for head in heads]
        for column, own in enumerate(sizes):
            alone = [cell if index == column else "" for index, cell in enumerate(row)]
            draw_row(page, alone, edges, texts, own, strong=True)
        if depth + 1 < deepest:
            page.down(0.6)


def _texts(sheet: Sheet) -> int:
    return 2 if len(sheet.columns) > 4 else 1


def _pairs(page: Page, pairs: Pairs) -> None:
    for label, value in pairs:
        page.text(MARGIN_POINTS, page.y, f"{label}: {value}")
        page.down()


def label_value(sheet: Sheet) -> bytes:
    """One `label: value` to a line; a table's rows as lines of their own."""
    page = Page(sheet.language)
    _title(page, sheet)
    _pairs(page, sheet.head)
    page.down(0.5)
    if sheet.rows:
        edges = _edges(page, sheet)
        draw_heads(page, sheet, edges, _texts(sheet))
        for row in sheet.rows:
            page.down()
            draw_row(page, row, edges, _texts(sheet))
        page.down(1.5)
    _pairs(page, sheet.sums)
    _notes(page, sheet)
    return page.bytes()


def two_columns(sheet: Sheet) -> bytes:
    """The head left and the sums right, side by side, each label with its value at a tab."""
    page = Page(sheet.language)
    _title(page, sheet)
    top = page.y
    middle = page.width / 2
    for x, tab, pairs in ((MARGIN_POINTS, 105.0, sheet.head), (middle + 12, 0.0, sheet.sums)):
        for number, (label, value) in enumerate(pairs):
            y = top + number * LINE_POINTS
            page.text(x, y, label, 9)
            if tab:
                page.text(x + tab, y, value, 9)
            else:
                page.right(page.right_edge, y, value, 9)
    page.y = top + max(len(sheet.head), len(sheet.sums)) * LINE_POINTS
    page.down()
    if sheet.rows:
        edges = _edges(page, sheet)
        draw_heads(page, sheet, edges, _texts(sheet))
        for row in (*sheet.rows, *((sheet.total_row,) if sheet.total_row else ())):
            page.down()
            draw_row(page, row, edges, _texts(sheet))
        page.down()
    _notes(page, sheet)
    return page.bytes()


def bordered_table(sheet: Sheet) -> bytes:
    """Everything in grids: the head and the sums as two columns, the table with all its lines."""
    page = Page(sheet.language)
    _title(page, sheet)
    inner = page.right_edge - MARGIN_POINTS

    def grid(pairs: Pairs) -> None:
        for label, value in pairs:
            page.box(MARGIN_POINTS, page.y - 12, inner / 2, LINE_POINTS)
            page.box(MARGIN_POINTS + inner / 2, page.y - 12, inner / 2, LINE_POINTS)
            page.text(MARGIN_POINTS + 4, page.y, label, 9)
            page.right(page.right_edge - 4, page.y, value, 9)
            page.down()

    grid(sheet.head)
    page.down(0.8)
    if sheet.rows:
        edges = _edges(page, sheet)
        top = page.y - 12
        draw_heads(page, sheet, edges, _texts(sheet))
        page.line(MARGIN_POINTS, page.y + 5, page.right_edge, page.y + 5)
        for row in (*sheet.rows, *((sheet.total_row,) if sheet.total_row else ())):
            page.down()
            draw_row(page, row, edges, _texts(sheet))
            page.line(MARGIN_POINTS, page.y + 5, page.right_edge, page.y + 5)
        page.line(MARGIN_POINTS, top, page.right_edge, top)
        for x in (MARGIN_POINTS, *edges):
            page.line(x, top, x, page.y + 5)
        page.down(1.8)
    grid(sheet.sums)
    _notes(page, sheet)
    return page.bytes()


def plain_table(sheet: Sheet) -> bytes:
    """Labels and values at a tab without any sign between; a table without lines; sums below its last column."""
    page = Page(sheet.language)
    _title(page, sheet)
    for label, value in sheet.head:
        page.text(MARGIN_POINTS, page.y, label)
        page.text(MARGIN_POINTS + 165, page.y, value)
        page.down()
    page.down()
    if sheet.rows:
        edges = _edges(page, sheet)
        draw_heads(page, sheet, edges, _texts(sheet))
        page.down(0.4)
        for row in (*sheet.rows, *((sheet.total_row,) if sheet.total_row else ())):
            page.down()
            draw_row(page, row, edges, _texts(sheet), strong=row is sheet.total_row)
        page.down(1.5)
    for label, value in sheet.sums:
        page.text(MARGIN_POINTS, page.y, label)
        page.right(MARGIN_POINTS + 330, page.y, value)
        page.down()
    _notes(page, sheet)
    return page.bytes()


def totals_right(sheet: Sheet) -> bytes:
    """The head at the top right, the sums in a block at the bottom right with labels that end at a common edge."""
    page = Page(sheet.language)
    page.text(MARGIN_POINTS, page.y, sheet.letterhead, 12, strong=True)
    page.right(page.right_edge, page.y, sheet.title, 14, strong=True)
    page.down(2)
    for label, value in sheet.head:
        page.right(page.right_edge - 190, page.y, label, 9)
        page.text(page.right_edge - 180, page.y, value, 9)
        page.down()
    page.down(1.5)
    if sheet.rows:
        edges = _edges(page, sheet)
        page.line(MARGIN_POINTS, page.y - 12, page.right_edge, page.y - 12)
        draw_heads(page, sheet, edges, _texts(sheet))
        page.line(MARGIN_POINTS, page.y + 5, page.right_edge, page.y + 5)
        for row in (*sheet.rows, *((sheet.total_row,) if sheet.total_row else ())):
            page.down()
            draw_row(page, row, edges, _texts(sheet))
        page.down(2.2)
    for number, (label, value) in enumerate(sheet.sums):
        strong = number == len(sheet.sums) - 1
        page.right(page.right_edge - 110, page.y, label, 9, strong)
        page.right(page.right_edge, page.y, value, 9, strong)
        page.down()
    _notes(page, sheet)
    return page.bytes()


def many_pages(sheet: Sheet) -> bytes:
    """A table over several pages, its head repeated, a line carried forward, totals in the last row and below."""
    page = Page(sheet.language)
    _title(page, sheet)
    for label, value in sheet.head:
        page.text(MARGIN_POINTS, page.y, f"{label}:", strong=True)
        page.text(MARGIN_POINTS + 170, page.y, value)
        page.down()
    page.down()
    edges = _edges(page, sheet)
    draw_heads(page, sheet, edges, _texts(sheet))
    number = 1
    for index, row in enumerate(sheet.rows):
        if index and index % ROWS_PER_PAGE == 0:
            page.down(1.5)
            page.text(MARGIN_POINTS + 4, page.y, CARRIED[sheet.language], 8)
            page.right(page.right_edge, page.height - 30, PAGE[sheet.language].format(number), 7)
            page.new_page()
            number += 1
            page.text(MARGIN_POINTS, page.y, sheet.title, 8)
            page.down(2)
            draw_heads(page, sheet, edges, _texts(sheet))
        page.down()
        draw_row(page, row, edges, _texts(sheet))
    if sheet.total_row:
        page.line(MARGIN_POINTS, page.y + 5, page.right_edge, page.y + 5)
        page.down(1.3)
        draw_row(page, sheet.total_row, edges, _texts(sheet), strong=True)
    page.down(2)
    _pairs(page, sheet.sums)
    _notes(page, sheet)
    page.right(page.right_edge, page.height - 30, PAGE[sheet.language].format(number), 7)
    return page.bytes()


LAYOUTS: dict[str, Callable[[Sheet], bytes]] = {
    "label-value": label_value,
    "two-columns": two_columns,
    "bordered-table": bordered_table,
    "plain-table": plain_table,
    "totals-right": totals_right,
    "many-pages": many_pages,
}

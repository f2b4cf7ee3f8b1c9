"""The layouts of the reporting half: figures are taken of these, no rule is written on them.

Rules: who writes rules of extraction opens neither this file nor what it draws. Every layout draws every sheet.
Source: layouts of ordinary business paper, other than those of the build half.
"""

from collections.abc import Callable

from tests.bench.documents.drawing import LINE_POINTS, MARGIN_POINTS, Page
from tests.bench.documents.layouts_build import draw_heads, draw_row
from tests.bench.documents.sheets import Pairs, Sheet

PAGE_SUM = {"en": "Page total", "de": "Seitensumme", "ko": "쪽 소계"}
ROWS_PER_PAGE = 14  # of the wide table; chosen


def _even_edges(page: Page, count: int, first: float = 1.0) -> list[float]:
    """Return the right edges of columns of one width, the text column `first` times as wide."""
    wide = 1 if count > 4 else 0
    parts = [first if index == wide else 1.0 for index in range(count)]
    inner = page.right_edge - MARGIN_POINTS
    edges, x = [], MARGIN_POINTS
    for part in parts:
        x += inner * part / sum(parts)
        edges.append(x)
    return edges


def _table(page: Page, sheet: Sheet) -> None:
    if not sheet.rows:
        return
    edges = _even_edges(page, len(sheet.columns), 1.8)
    texts = 2 if len(sheet.columns) > 4 else 1
    draw_heads(page, sheet, edges, texts, 6.8)
    for number, row in enumerate((*sheet.rows, *((sheet.total_row,) if sheet.total_row else ()))):
        page.down()
        if number % 2 == 0:
            page.shade(MARGIN_POINTS, page.y - 11, page.right_edge - MARGIN_POINTS, LINE_POINTS)
        draw_row(page, row, edges, texts, 7.5)
    page.down(1.6)


def leaders(sheet: Sheet) -> bytes:
    """Dots lead from each label to its value at the right edge."""
    page = Page(sheet.language)
    centre = (page.width - page.measure(sheet.title, 15, True)) / 2
    page.text(centre, page.y, sheet.title, 15, strong=True)
    page.down(1.2)
    page.text((page.width - page.measure(sheet.letterhead, 9)) / 2, page.y, sheet.letterhead, 9)
    page.down(2)

    def lead(pairs: Pairs) -> None:
        for label, value in pairs:
            room = page.right_edge - MARGIN_POINTS - page.measure(label) - page.measure(value) - 8
            page.text(MARGIN_POINTS, page.y, f"{label} {'.' * int(room / page.measure('.'))}")
            page.right(page.right_edge, page.y, value)
            page.down()

    lead(sheet.head)
    page.down(0.7)
    _table(page, sheet)
    lead(sheet.sums)
    for note in sheet.notes:
        page.down()
        page.text(MARGIN_POINTS, page.y, note, 8)
    return page.bytes()


def label_above(sheet: Sheet) -> bytes:
    """Small labels with their value on the line below, three to a row."""
    page = Page(sheet.language)
    page.text(MARGIN_POINTS, page.y, sheet.title, 18, strong=True)
    page.right(page.right_edge, page.y, sheet.letterhead, 8)
    page.down(2.4)
    step = (page.right_edge - MARGIN_POINTS) / 3

    def cells(pairs: Pairs) -> None:
        for start in range(0, len(pairs), 3):
            for column, (label, value) in enumerate(pairs[start : start + 3]):
                page.text(MARGIN_POINTS + column * step, page.y, label, 7)
                page.text(MARGIN_POINTS + column * step, page.y + 13, value, 10, strong=True)
            page.down(2.4)

    cells(sheet.head)
    _table(page, sheet)
    cells(sheet.sums)
    for note in sheet.notes:
        page.text(MARGIN_POINTS, page.y, note, 7)
        page.down()
    return page.bytes()


def form_grid(sheet: Sheet) -> bytes:
    """A form of four columns, label | value | label | value, with all its lines."""
    page = Page(sheet.language)
    page.box(MARGIN_POINTS, page.y - 16, page.right_edge - MARGIN_POINTS, 24)
    page.text(MARGIN_POINTS + 8, page.y, sheet.title, 13, strong=True)
    page.right(page.right_edge - 8, page.y, sheet.letterhead, 8)
    page.down(1.6)
    inner = page.right_edge - MARGIN_POINTS
    edges = [MARGIN_POINTS + inner * share for share in (0.0, 0.28, 0.5, 0.78, 1.0)]
    height = LINE_POINTS + 3

    def form(pairs: Pairs) -> None:
        flat = [text for pair in pairs for text in pair]
        for start in range(0, len(flat), 4):
            row = flat[start : start + 4]
            for column, text in enumerate(row):
                page.box(edges[column], page.y - 13, edges[column + 1] - edges[column], height)
                size = min(8.0, 8.0 * (edges[column + 1] - edges[column] - 8) / max(1.0, page.measure(text, 8)))
                page.text(edges[column] + 4, page.y, text, size, strong=column % 2 == 1)
            page.y += height

    form(sheet.head)
    page.down()
    _table(page, sheet)
    form(sheet.sums)
    for note in sheet.notes:
        page.down()
        page.text(MARGIN_POINTS, page.y, note, 7)
    return page.bytes()


def wide_row(sheet: Sheet) -> bytes:
    """A row of heads over a row of values, twice: the labels of the head, then those of the sums."""
    page = Page(sheet.language, wide=True)
    page.text(MARGIN_POINTS, page.y, sheet.letterhead, 10, strong=True)
    page.down(1.2)
    page.text(MARGIN_POINTS, page.y, sheet.title, 13)
    page.down(2)

    def band(pairs: Pairs) -> None:
        step = (page.right_edge - MARGIN_POINTS) / len(pairs)
        for column, (label, value) in enumerate(pairs):
            x = MARGIN_POINTS + column * step
            for text, y in ((label, page.y), (value, page.y + 16)):
                size = min(8.5, 8.5 * (step - 8) / max(1.0, page.measure(text, 8.5)))
                page.text(x, y, text, size)
        page.line(MARGIN_POINTS, page.y + 4, page.right_edge, page.y + 4)
        page.down(2.6)

    band(sheet.head)
    _table(page, sheet)
    band(sheet.sums)
    for note in sheet.notes:
        page.text(MARGIN_POINTS, page.y, note, 8)
        page.down()
    return page.bytes()


def side_by_side(sheet: Sheet) -> bytes:
    """The sums in two boxes beside each other, the head in a narrow column above, right-aligned labels."""
    page = Page(sheet.language)
    page.right(page.right_edge, page.y, sheet.title, 15, strong=True)
    page.down(1.2)
    page.right(page.right_edge, page.y, sheet.letterhead, 9)
    page.down(1.8)
    for label, value in sheet.head:
        page.right(MARGIN_POINTS + 150, page.y, label, 9)
        page.text(MARGIN_POINTS + 162, page.y, value, 9, strong=True)
        page.down(0.95)
    page.down()
    _table(page, sheet)
    half = (page.right_edge - MARGIN_POINTS - 16) / 2
    middle = (len(sheet.sums) + 1) // 2
    top = page.y
    for number, pairs in enumerate((sheet.sums[:middle], sheet.sums[middle:])):
        x = MARGIN_POINTS + number * (half + 16)
        page.box(x, top - 14, half, middle * LINE_POINTS + 6)
        for row, (label, value) in enumerate(pairs):
            size = min(8.5, 8.5 * (half - 16) / (page.measure(label, 8.5) + page.measure(value, 8.5) + 10))
            page.text(x + 6, top + row * LINE_POINTS, label, size)
            page.right(x + half - 6, top + row * LINE_POINTS, value, size)
    page.y = top + middle * LINE_POINTS + 12
    for note in sheet.notes:
        page.down()
        page.text(MARGIN_POINTS, page.y, note, 8)
    return page.bytes()


def wide_pages(sheet: Sheet) -> bytes:
    """A landscape table over pages, each with a total of its own that is no employee; sums on the first page."""
    page = Page(sheet.language, wide=True)
    page.text(MARGIN_POINTS, page.y, f"{sheet.title} - {sheet.letterhead}", 12, strong=True)
    page.down(1.6)
    step = (page.right_edge - MARGIN_POINTS) / 3
    for number, (label, value) in enumerate((*sheet.head, *sheet.sums)):
        column, row = number % 3, number // 3
        page.text(MARGIN_POINTS + column * step, page.y + row * 15, f"{label}: {value}", 8)
    page.y += ((len(sheet.head) + len(sheet.sums) + 2) // 3) * 15
    page.down()
    edges = _even_edges(page, len(sheet.columns), 1.6)
    texts = 2 if len(sheet.columns) > 4 else 1
    for start in range(0, len(sheet.rows), ROWS_PER_PAGE):
        if start:
            page.new_page()
        draw_heads(page, sheet, edges, texts)
        page.line(MARGIN_POINTS, page.y + 4, page.right_edge, page.y + 4)
        for cells in sheet.rows[start : start + ROWS_PER_PAGE]:
            page.down()
            draw_row(page, cells, edges, texts)
        page.down(1.2)
        page.text(MARGIN_POINTS + 4, page.y, f"{PAGE_SUM[sheet.language]} {start // ROWS_PER_PAGE + 1}", 7)
    if sheet.total_row:
        page.down(1.2)
        draw_row(page, sheet.total_row, edges, texts, strong=True)
    for note in sheet.notes:
        page.down(1.5)
        page.text(MARGIN_POINTS, page.y, note, 8)
    return page.bytes()


LAYOUTS: dict[str, Callable[[Sheet], bytes]] = {
    "leaders": leaders,
    "label-above": label_above,
    "form-grid": form_grid,
    "wide-row": wide_row,
    "side-by-side": side_by_side,
    "wide-pages": wide_pages,
}

"""An answer cut into sentences, and each sentence into the pieces that its citations speak for.

Rules: a sentence ends at a full stop, question or exclamation mark, East Asian ones too, or a line break; never
at a comma, in a number, after an abbreviation or an initial. A citation is [1], [1][2], [1, 2] or [1-3]; after the full
stop it belongs to the sentence before, unless that one has its own.
Inside a sentence a citation speaks for the text before it, back to the previous citation, and for brackets directly
behind it ("8,400 [1] (2026-04-01)"). One that opens its clause ("according to [1], ...", "whereas [2] says ...")
speaks for the text behind it. Text after the last citation is spoken for by all citations of the sentence.
A sentence without a citation is spoken for by the next sentence of its paragraph that has one, else by the last one
before it; paragraphs are separated by an empty line. Such a sentence, and text after a last citation, may also repeat
what the paragraph has already cited (`repeats`).
It does not know what a sentence claims (quantities.py, polarity.py) nor what was cited (guard.py).
Source: sentence ends as in Unicode Standard Annex 29, with a list of abbreviations; the binding rules are our own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

CITATION_MAX_SPAN = 20  # numbers one range [a-b] may stand for (chosen, untested)

_NUMBERS = r"\d{1,3}(?:\s*(?:[,;&\-\u2013]|and)\s*\d{1,3})*"
CITATION = re.compile(rf"[\[【［]\s*(?:memory\s|source\s|#)?\s*({_NUMBERS})\s*[\]】］]", re.IGNORECASE)
_GROUP = re.compile(rf"{CITATION.pattern}(?:\s*(?:,|;|&|and|or)?\s*{CITATION.pattern})*", re.IGNORECASE)
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof st art approx ca vs viz cf eg ie e.g i.e z.b bzw d.h u.a inkl ggf evtl usw fig sec para
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun dept est min max avg acct ref p pp vol
    inc ltd co corp etc a.m p.m mio mrd tsd sra dra sr jr kr mt gen gov rev messrs
    """.split()
)
_BEFORE_A_NUMBER = frozenset("no nos nr".split())
_MAY_END_A_SENTENCE = frozenset("inc ltd co corp etc a.m p.m jr sr kr mio mrd tsd".split())
_STARTERS = frozenset("the it this that these those a an in on at its they he she we i however there as for no".split())
_MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec mär mai okt dez".split()
)  # a German date: the full stop of "10. April" ends nothing
_END = re.compile(r"[.!?…]+[\"'”’»)]*(?=\s|$|[\[【［])|[。！？]+[”’」』）]*|\n")
_WORD_BEFORE = re.compile(r"([^\W_](?:[\w.]*[^\W_])?)$")
_NEXT_WORD = re.compile(r"\s*[\"'“‘«(]*([^\W_]+)")
_CONTRASTS = r"whereas|while|but|yet|however|although|though"
_OPENERS = rf"{_CONTRASTS}|according to|based on|per|from|in|by|as for|both|and|memory|source|note|item"
_OPENS = re.compile(rf"[\s*\-•]*(?:(?:{_OPENERS})\b[\s,]*)*", re.IGNORECASE)
_CONTRAST = re.compile(rf"\s*(?:{_CONTRASTS})\b", re.IGNORECASE)
_EDGE = re.compile(r"[;:,—(]")
_BRACKETS_BEHIND = re.compile(r"\s*\([^()\n]*\)")
_CLOSES = re.compile(r"\s*(?:[.,;:!?)]|$)")
_LIST_NUMBER = re.compile(r"(?m)^[ \t]*\d{1,2}[.)](?=\s)")
_SOFT_BREAK = re.compile(r"(?<=[^\s.!?:;。！？\]】］])[ \t]*\n[ \t]*(?=[a-zà-ÿ])")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence without its citations, and the markers that speak for it."""

    text: str
    markers: tuple[int, ...]
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence: its text as written, its own markers, and its pieces. `bound` is false when it borrows its markers
    from a neighbour; then, and only then, `markers` may be empty.
    """

    text: str
    markers: tuple[int, ...]
    pieces: tuple[Piece, ...]
    bound: bool
    paragraph: int = 0


def statements(answer: str) -> tuple[Statement, ...]:
    """Return the sentences of an answer in order, each with the markers that speak for it."""
    found: list[Statement] = []
    for number, paragraph in enumerate(re.split(r"\n\s*\n", _LIST_NUMBER.sub("", answer))):
        found += _lend([_statement(text, number) for text in sentences(paragraph)])
    return tuple(found)


def sentences(text: str) -> list[str]:
    """Return the sentences of any text, citations behind a full stop included, without empty ones."""
    text = _SOFT_BREAK.sub(" ", text)
    ends = list(_ends(text))
    parts = [text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    return [part for part in parts if part]


def markers_of(text: str) -> tuple[int, ...]:
    """Return the numbers cited in a text, in order, each once."""
    numbers: dict[int, None] = {}
    for citation in CITATION.finditer(text):
        for number in _numbers(citation.group(1)):
            numbers[number] = None
    return tuple(numbers)


def without_citations(text: str) -> str:
    """Return a text with every citation replaced by a space."""
    return CITATION.sub(" ", text)


def _numbers(inner: str) -> Iterator[int]:
    for part in re.split(r"[,;&]|and", inner, flags=re.IGNORECASE):
        first, *rest = [int(n) for n in re.findall(r"\d+", part)]
        last = rest[0] if rest else first
        yield from range(first, last + 1) if first <= last < first + CITATION_MAX_SPAN else (first, last)


def _ends(text: str) -> Iterator[int]:
    """Yield where each sentence ends, behind the citations that belong to it."""
    start = 0
    for stop in _END.finditer(text):
        if stop.start() < start or not _is_end(text, stop):
            continue
        end = stop.end()
        cited = _GROUP.match(text, end + len(text[end:]) - len(text[end:].lstrip(" ")))
        if cited is not None and stop.group() != "\n" and _belongs_before(text, start, stop.start(), cited):
            end = cited.end() + (text[cited.end() : cited.end() + 1] in tuple(".。"))
        yield end
        start = end


def _is_end(text: str, stop: re.Match[str]) -> bool:
    if stop.group()[0] != ".":
        return True
    before = _WORD_BEFORE.search(text, max(0, stop.start() - 24), stop.start())
    after = _NEXT_WORD.match(text, stop.end())
    following = after.group(1) if after is not None and "\n" not in text[stop.end() : after.start(1)] else ""
    if stop.group().startswith("..."):
        return not following[:1].islower()
    if following[:1].islower() and following[:1].isascii():
        return False
    if before is None:
        return True
    word = before.group(1).casefold()
    if word in _BEFORE_A_NUMBER:
        return not following[:1].isdigit()
    if word in _ABBREVIATIONS or word.rpartition(".")[2] in ("e.g", "i.e"):
        return not following or (word in _MAY_END_A_SENTENCE and following.casefold() in _STARTERS)
    if len(word) == 1 and word.isalpha() and before.group(1).isupper():
        return not following  # an initial
    return not (word.isdigit() and len(word) <= 2 and following.casefold()[:3] in _MONTHS)


def _belongs_before(text: str, start: int, stop: int, cited: re.Match[str]) -> bool:
    if text[cited.start() - 1] != " ":
        return True
    following = _NEXT_WORD.match(text, cited.end())
    begins_next = following is not None and following.group(1)[0].islower() and following.group(1)[0].isascii()
    return not begins_next and CITATION.search(text, start, stop) is None


def _statement(text: str, paragraph: int) -> Statement:
    markers = markers_of(text)
    return Statement(text, markers, tuple(_pieces(text, markers)), bool(markers), paragraph)


def _pieces(text: str, all_markers: tuple[int, ...]) -> Iterator[Piece]:
    """Yield the parts of a sentence with the markers that speak for each."""
    position = 0
    leading: tuple[int, ...] = ()
    for group in _GROUP.finditer(text):
        before, own = text[position : group.start()], markers_of(group.group())
        opens = _opens_clause(before, text[group.end() :], first=position == 0)
        yield Piece(before, (leading or all_markers) if opens or leading else own)
        leading = own if opens else ()
        position = group.end()
        behind = None if opens else _BRACKETS_BEHIND.match(text, position)
        if behind is not None:
            yield Piece(behind.group(), own)
            position = behind.end()
    yield Piece(text[position:], leading or all_markers, repeats=not leading)


def _opens_clause(before: str, behind: str, *, first: bool) -> bool:
    """Tell a citation that opens its clause from one that closes it, by the text since the last one and after it."""
    edge = max((found.end() for found in _EDGE.finditer(before)), default=0)
    tail = before[edge:]
    if _OPENS.fullmatch(tail) is None:
        return False
    if first and not before[:edge].strip():
        return True
    return bool(tail.strip()) and (_CONTRAST.match(tail) is not None or _CLOSES.match(behind) is None)


def _lend(found: list[Statement]) -> list[Statement]:
    """Give each sentence without a citation the markers of the next one that has some, else of the last before it."""
    lent: list[Statement] = []
    for i, statement in enumerate(found):
        if statement.bound:
            lent.append(statement)
            continue
        after = next((s.markers for s in found[i + 1 :] if s.bound), ())
        markers = after or next((s.markers for s in reversed(found[:i]) if s.bound), ())
        pieces = tuple(Piece(piece.text, markers, repeats=True) for piece in statement.pieces)
        lent.append(replace(statement, markers=markers, pieces=pieces))
    return lent

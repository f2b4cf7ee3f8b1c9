"""What a memory says in figures, and whether it bears out a figure of an answer.

Rules: amounts meet in currency and number; a bare number of a memory is an amount in the currency that the memory names
elsewhere. An amount without its currency, and a coarser date, are borne out; a finer or an added one is not. The digits
of an identifier stand for it. A count is refused when the memory counts the same things differently.
Sentences that give instructions bear out nothing.
It does not know which memory a sentence cites (guard.py).
Source: REQUIREMENTS B11.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from shared.domain.calendar_words import PartialDate
from shared.domain.figure_words import figures as read_figures
from shared.domain.instructions import evidence_sentences
from shared.domain.polarity import Clause, clauses
from shared.domain.quantities import Kind, Quantity, compact, iso_days, quantities, singular
from shared.domain.text import fold

_SHARE_KEY = re.compile(r"pct|percent|rate|share|margin|ratio|quote|prozent")
_NOTHING = re.compile(r"\b(?:no|none|nil|zero|without|nothing|kein\w*)\b|没有|无|없")
_LOSS = re.compile(
    r"\b(?:loss|negative|minus|credit|debit|refund\w*|deficit|overdrawn|down|fell|decreas\w*|below|short\w*)\b"
)
_ONE_OF = re.compile(r"\b(?:an?|one) ([^\W\d_]+)")
_CURRENCY_KEYS = ("currency", "ccy", "währung", "waehrung")


@dataclass(frozen=True, slots=True)
class Source:
    """A recalled memory as the answer may use it: `metadata` are its scalars as written, `dates` ISO dates or instants,
    the first the one it is known by. `score` is how well it fits the question; None: it did not rank. `until` is when
    it ceased to hold, one of `dates`; None: it holds. `lasts`: it tells a state that holds since the first of `dates`.
    """

    text: str
    metadata: tuple[tuple[str, str], ...] = ()
    dates: tuple[str, ...] = ()
    source_ref: str | None = None
    kind: str = ""
    score: float | None = None
    until: str | None = None
    lasts: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """Every text of the memory that a reader sees."""
        return (self.text, *(f"{key} {value}" for key, value in self.metadata), self.source_ref or "")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory read once: its figures, dates, identifiers and clauses."""

    figures: tuple[Quantity, ...]
    days: tuple[PartialDate, ...]
    numbers: frozenset[Decimal]  # of every kind, without sign
    identifiers: frozenset[str]
    currencies: frozenset[str]
    clauses: tuple[Clause, ...]
    text: str
    facts: tuple[str, ...] = ()  # its sentences as written, without instructions


@lru_cache(maxsize=1024)
def evidence_of(source: Source) -> Evidence:
    """Read a memory."""
    facts = [sentence for text in (source.text, source.source_ref or "") for sentence in evidence_sentences(text)]
    figures = list(read_figures("\n".join(facts)))
    spoken = list(facts)
    for key, value in source.metadata:
        line = f"{key.replace('_', ' ')} {value}"
        if not evidence_sentences(line):
            continue
        spoken.append(_sentence(key, value))
        figures += _of_field(key, value)
    folded = fold(" ".join(spoken))
    currencies = {unit for q in figures if q.kind is Kind.MONEY for unit in q.units}
    currencies |= {
        value.strip().upper() for key, value in source.metadata if fold(key).endswith(_CURRENCY_KEYS) and len(value) < 6
    }
    days = [day for q in figures for day in q.days]
    days += [day for text in source.dates for day in iso_days(text)]
    identifiers = {compact(q.text) for q in figures if q.kind is Kind.IDENTIFIER}
    numbers = {abs(number) for q in figures if q.kind not in (Kind.CLOCK, Kind.WEEKDAY) for number in q.numbers}
    numbers |= {Decimal(run) for name in identifiers for run in re.findall(r"\d+", name)}
    numbers |= {Decimal(day.year) for day in days if day.year}
    said = tuple(clause for sentence in spoken for clause in clauses(sentence))
    return Evidence(
        tuple(figures),
        tuple(days),
        frozenset(numbers),
        frozenset(identifiers),
        frozenset(currencies),
        said,
        folded,
        tuple(evidence_sentences(source.text)),
    )


def _of_field(key: str, value: str) -> Sequence[Quantity]:
    found = read_figures(value)
    if len(found) == 1 and found[0].kind is Kind.NUMBER and _SHARE_KEY.search(fold(key)):
        numbers = found[0].numbers
        found = (*found, Quantity(Kind.PERCENT, value, (*numbers, *(100 * number for number in numbers))))
    days = iso_days(value)
    return (*found, Quantity(Kind.DATE, value, days=days)) if days else found


def _sentence(key: str, value: str) -> str:
    """Write a field as a sentence: what is false is denied."""
    words, told = key.replace("_", " "), fold(value)
    if told in ("true", "yes"):
        return words
    return f"not {words}" if told in ("false", "no") else f"{words} {value}"


def supported(figure: Quantity, sources: Sequence[Evidence], sentence: str) -> bool:
    """Tell whether one of the memories bears out a figure of a sentence."""
    if figure.kind is Kind.WEEKDAY:
        return _weekday(figure, sources)
    if figure.kind is Kind.ORDINAL:
        return not _counted_otherwise(figure, sources)
    counts = figure.kind is Kind.NUMBER and bool(figure.nouns)
    if counts and (_counted_otherwise(figure, sources) or _counts_others(figure, sources)):
        return False
    return any(_bears_out(figure, evidence, sentence) for evidence in sources)


def _counted_otherwise(figure: Quantity, sources: Sequence[Evidence]) -> bool:
    """Tell whether the memories count what the figure counts, and never arrive at its number."""
    mine = set(figure.numbers)
    counts = [q for e in sources for q in e.figures if q.kind is figure.kind and set(q.nouns) & set(figure.nouns)]
    return bool(counts) and not any(mine & set(q.numbers) for q in counts)


def _counts_others(figure: Quantity, sources: Sequence[Evidence]) -> bool:
    """Tell whether the memories name one of what the figure counts, and its number stands there for other things."""
    mine, nouns = set(figure.numbers), set(figure.nouns)
    held = [q for e in sources for q in e.figures if mine & set(q.numbers)]
    if not held or not all(q.kind is Kind.NUMBER and q.nouns and not nouns & set(q.nouns) for q in held):
        return False
    return any(figure.nouns[0] == singular(word) for e in sources for word in _ONE_OF.findall(e.text))


def _weekday(figure: Quantity, sources: Sequence[Evidence]) -> bool:
    """Accept a weekday that the memories name, that one of their dates falls on, or that they leave open."""
    named = {number for e in sources for q in e.figures if q.kind is Kind.WEEKDAY for number in q.numbers}
    dated = {Decimal(day.weekday()) for e in sources for partial in e.days if (day := partial.whole()) is not None}
    return not named or bool(set(figure.numbers) & (named | dated))


def other_currency(figure: Quantity, sources: Sequence[Evidence]) -> bool:
    """Tell whether the number of an unsupported amount is there, in another currency or in none."""
    return figure.kind is Kind.MONEY and any(abs(n) in e.numbers for e in sources for n in figure.numbers)


def _bears_out(figure: Quantity, evidence: Evidence, sentence: str) -> bool:
    match figure.kind:
        case Kind.DATE:
            return any(said.covered_by(day) for said in figure.days for day in evidence.days)
        case Kind.IDENTIFIER:
            name = compact(figure.text)
            return name in evidence.identifiers or (len(name) > 2 and name in compact(evidence.text))
        case Kind.MONEY:
            marks = set(figure.units)
            return any(
                _same(figure, held, sentence, evidence)
                and (marks & (set(held.units) if held.kind is Kind.MONEY else evidence.currencies))
                for held in evidence.figures
                if held.kind in (Kind.MONEY, Kind.NUMBER)
            )
        case Kind.PERCENT | Kind.CLOCK:
            alike = [held for held in evidence.figures if held.kind is figure.kind]
            return any(_same(figure, held, sentence, evidence) for held in alike)
        case Kind.MEASURE:
            return any(
                held.kind is Kind.MEASURE and held.units == figure.units and _same(figure, held, sentence, evidence)
                for held in evidence.figures
            ) or _bare_of(figure, evidence)
        case _:
            return _number(figure, evidence, sentence)


def _same(figure: Quantity, held: Quantity, sentence: str, evidence: Evidence) -> bool:
    if set(figure.numbers) & set(held.numbers):
        return True
    opposite = {-number for number in figure.numbers} & set(held.numbers)
    return bool(opposite) and bool(_LOSS.search(fold(sentence)) or _LOSS.search(evidence.text))


def _bare_of(figure: Quantity, evidence: Evidence) -> bool:
    """Accept "30 days" where the memory has the bare number, as in "net 30" of an invoice."""
    stated = re.match(r"[\d.,]+", figure.text)
    bare = {n for q in evidence.figures if q.kind is Kind.NUMBER and not q.nouns for n in q.numbers}
    return stated is not None and any(n in bare for q in quantities(stated.group()) for n in q.numbers)


def _number(figure: Quantity, evidence: Evidence, sentence: str) -> bool:
    if figure.days and any(said.covered_by(day) for said in figure.days for day in evidence.days):
        return True
    if not any(abs(number) in evidence.numbers for number in figure.numbers):
        return Decimal(0) in figure.numbers and _NOTHING.search(evidence.text) is not None
    mine = set(figure.numbers)
    same = [q for q in evidence.figures if q.kind in (Kind.NUMBER, Kind.MONEY) and _same(figure, q, sentence, evidence)]
    if not same:  # digits of an identifier, a year, a measure without its unit; never the share itself
        return any(abs(n) in evidence.numbers for n in mine) and not any(
            q.kind is Kind.PERCENT and mine & set(q.numbers) for q in evidence.figures
        )
    return True

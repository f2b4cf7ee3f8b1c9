"""The guard over an answer: nothing in it that the memories it cites do not say.

Rules: every marker is in range; every figure, amount, date, count and share stands, canonicalised, in a memory that
speaks for its part of the sentence (statements.py says which); no word of an opposed pair contradicts that memory; a
contested value is not told as if it were settled; no instruction out of a memory is repeated or obeyed. A sentence that
claims nothing checkable needs no citation. Counts of the memories themselves ("two memories disagree") are no figures.
It does not know whether a memory is true, nor whether a figure stands for the thing it is said of: "opening
balance" with the closing balance's figure, both in the cited memory, passes.
Source: REQUIREMENTS B11; the faults of the reference's guard (a comma ended a clause, polarity was never looked at).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique

from shared.domain.attribution import misattributed
from shared.domain.exclusion import excludes
from shared.domain.figure_words import figures as read_figures
from shared.domain.instructions import echoed
from shared.domain.polarity import clauses, contradiction
from shared.domain.quantities import Kind, Quantity, compact
from shared.domain.statements import Statement, markers_of, statements, without_citations
from shared.domain.support import Evidence, Source, evidence_of, other_currency, supported
from shared.domain.text import fold

_ABOUT_MEMORY = frozenset(
    "memory source value side version entry note hit item record statement figure answer date".split()
)
_ABSTAINS = re.compile(
    r"\b(?:no|not|nothing|cannot|can't|don't|doesn't|unknown|unclear|insufficient|unable)\b|没有|无法|不知道|未找到|없|모르"
    r"|nicht|kein"
)
_DISAGREES = re.compile(
    r"disagree|conflict|contest|contradict|inconsisten|discrepan|disput|\bdiffer|do(?:es)? not agree|mismatch"
    r"|don't agree|widerspr|uneinig|abweich|umstritten|strittig|불일치|상충|엇갈|모순|不一致|矛盾|冲突|争议|分歧"
    r"|contradic|discrep|diverg|discord"
)
_DENIES_CONFLICT = re.compile(
    r"\b(?:un|in)(?:disput|contest)\w*|\bun(?:um)?stritten\w*|\bunstrittig\w*|\bunbestritten\w*"
    r"|\b(?:no|not|without|never|free of|resolves?d?) (?:[a-z]+ ){0,2}(?:disagree|conflict|contest|contradict"
    r"|inconsisten|discrepan|disput|differ|mismatch)|(?:没有|无)(?:矛盾|冲突|争议|分歧)"
    r"|keine?n? (?:widerspr|abweich)|불일치(?:가|는)? 없"
)


@unique
class FailureCode(StrEnum):
    """Why an answer is refused."""

    CITATION_MISSING = "CITATION_MISSING"
    CITATION_OUT_OF_RANGE = "CITATION_OUT_OF_RANGE"
    FIGURE_UNSUPPORTED = "FIGURE_UNSUPPORTED"
    CURRENCY_MISMATCH = "CURRENCY_MISMATCH"
    POLARITY_CONTRADICTED = "POLARITY_CONTRADICTED"
    CONTEST_HIDDEN = "CONTEST_HIDDEN"
    INSTRUCTION_ECHOED = "INSTRUCTION_ECHOED"


@dataclass(frozen=True, slots=True)
class Failure:
    """One reason, the sentence it is about ("" for the whole answer), and what in it."""

    code: FailureCode
    sentence: str
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard found; an answer passes when it found nothing."""

    failures: tuple[Failure, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the answer may be given."""
        return not self.failures


@dataclass(frozen=True, slots=True)
class ContestedSide:
    """One of the values that disagree, the markers of the memories that say so (none when they were not recalled), and
    its date.
    """

    value: str
    markers: tuple[int, ...] = ()
    day: str | None = None


@dataclass(frozen=True, slots=True)
class Contested:
    """An attribute of a record on which memory disagrees, with what the policy would trust and by which rule."""

    sides: tuple[ContestedSide, ...]
    attribute: str = ""
    record: str = ""
    recommended: str | None = None
    rule: str | None = None

    @property
    def markers(self) -> tuple[int, ...]:
        """Every marker of any side."""
        return tuple(dict.fromkeys(marker for side in self.sides for marker in side.markers))


def check(answer: str, memories: Sequence[Source], contested: Sequence[Contested] = ()) -> Verdict:
    """Check an answer against the memories it may cite, [1] being the first of them."""
    failures: list[Failure] = []
    echo = echoed(answer, [text for memory in memories for text in memory.fields])
    if echo is not None:
        failures.append(Failure(FailureCode.INSTRUCTION_ECHOED, "", echo))
    foreign = [n for n in markers_of(answer) if not 1 <= n <= len(memories)]
    failures += [Failure(FailureCode.CITATION_OUT_OF_RANGE, "", f"[{n}]") for n in foreign]
    said = statements(answer)
    if not any(statement.bound for statement in said) and not _ABSTAINS.search(fold(answer)):
        failures.append(Failure(FailureCode.CITATION_MISSING, "", "the answer cites no memory"))
    read = {n: evidence_of(memory) for n, memory in enumerate(memories, 1)}
    unseen = {n: _unseen(contested, n) for n in read}
    failures += _figures(answer, said, read, unseen)
    failures += [failure for statement in said for failure in _polarity(statement, read)]
    failures += [failure for statement in said for failure in _excluded(statement, read)]
    failures += _hidden(answer, said, contested)
    return Verdict(tuple(dict.fromkeys(failures)))


def _unseen(contested: Sequence[Contested], marker: int) -> list[Evidence]:
    """Return what a memory's contested attributes are elsewhere said to be: values whose memories were not recalled."""
    return [
        evidence_of(Source(side.value, dates=(side.day,) if side.day else ()))
        for conflict in contested
        if marker in conflict.markers
        for side in conflict.sides
        if not side.markers
    ]


def _figures(
    answer: str, said: Sequence[Statement], read: dict[int, Evidence], unseen: dict[int, list[Evidence]]
) -> Iterator[Failure]:
    established: dict[int, list[Quantity]] = {}  # by paragraph: what was cited before and may be repeated
    for statement in said:
        known = established.setdefault(statement.paragraph, [])
        for piece in statement.pieces:
            sources = [read[n] for n in piece.markers if n in read]
            sources += [evidence for n in piece.markers if n in read for evidence in unseen[n]]
            for figure in read_figures(piece.text):
                if _about_memory(figure, statement, len(read)) or (piece.repeats and _repeated(figure, known)):
                    continue
                if not statement.markers:
                    yield Failure(FailureCode.CITATION_MISSING, statement.text, figure.text)
                elif misattributed(figure, piece.text, answer, [" ".join(evidence.facts) for evidence in sources]):
                    yield Failure(FailureCode.FIGURE_UNSUPPORTED, statement.text, f"{figure.text} is another's")
                elif supported(figure, sources, piece.text):
                    known.append(figure)
                else:
                    wrong = FailureCode.CURRENCY_MISMATCH if other_currency(figure, sources) else None
                    yield Failure(wrong or FailureCode.FIGURE_UNSUPPORTED, statement.text, figure.text)


def _repeated(figure: Quantity, known: Sequence[Quantity]) -> bool:
    return any(
        figure.kind is other.kind
        and (figure.numbers, figure.units, figure.days) == (other.numbers, other.units, other.days)
        and (figure.kind is not Kind.IDENTIFIER or compact(figure.text) == compact(other.text))
        for other in known
    )


def _about_memory(figure: Quantity, statement: Statement, memories: int) -> bool:
    """Tell a count of memories, or of what the sentence lists with one citation each, from a count in the world."""
    if figure.kind is not Kind.NUMBER or not figure.nouns:
        return False
    if set(figure.nouns[:2]) & _ABOUT_MEMORY:
        return all(2 <= number <= max(memories, 2) for number in figure.numbers)
    listed = len(statement.markers) if len(statement.pieces) - 1 == len(statement.markers) else 0
    return statement.bound and listed > 1 and listed in figure.numbers


def _polarity(statement: Statement, read: dict[int, Evidence]) -> Iterator[Failure]:
    """Yield where a sentence contradicts what it cites; a memory among them that bears it out is enough."""
    for piece in statement.pieces:
        for claim in clauses(piece.text):
            if not claim.stances and not claim.words:
                continue
            if claim.stances and not statement.markers and not _ABSTAINS.search(claim.text):
                yield Failure(FailureCode.CITATION_MISSING, statement.text, claim.stances[0].word)
                continue
            held = [read[n].clauses for n in piece.markers if n in read]
            axes = {stance.axis for stance in claim.stances}
            speaking = [h for h in held if not axes or any(s.axis in axes for c in h for s in c.stances)]
            against = [contradiction(claim, memory) for memory in speaking]
            if against and against[0] is not None and None not in against:
                yield Failure(FailureCode.POLARITY_CONTRADICTED, statement.text, against[0])


def _excluded(statement: Statement, read: dict[int, Evidence]) -> Iterator[Failure]:
    """Yield where a sentence excludes what every memory it cites says."""
    for piece in statement.pieces:
        text = piece.text.strip(" .,;:-*")
        held = [read[n].facts for n in piece.markers if n in read]
        against = [excludes(text, facts) for facts in held] if text else []
        if against and against[0] is not None and None not in against:
            yield Failure(FailureCode.POLARITY_CONTRADICTED, statement.text, against[0])


def _hidden(answer: str, said: Sequence[Statement], contested: Sequence[Contested]) -> Iterator[Failure]:
    folded = fold(answer)
    told = _DISAGREES.search(_DENIES_CONFLICT.sub(" ", folded)) is not None
    for conflict in contested:
        citing = [s for s in said if set(s.markers) & set(conflict.markers)]
        text = without_citations(" ".join(s.text for s in citing))
        mentioned = [side for side in conflict.sides if _mentions(text, side.value)]
        everywhere = [side for side in conflict.sides if _mentions(without_citations(answer), side.value)]
        if mentioned and len(everywhere) < 2 and not told:
            detail = f"{conflict.attribute or 'a value'}: only {mentioned[0].value!r} is told"
            yield Failure(FailureCode.CONTEST_HIDDEN, citing[0].text, detail)


def _mentions(text: str, value: str) -> bool:
    """Tell whether a text gives a value, as a figure or in its words or on its pole."""
    figures = [q for q in read_figures(value) if q.kind is not Kind.IDENTIFIER]
    if figures:
        told = read_figures(text)
        return all(any(_alike(figure, other) for other in told) for figure in figures)
    word = fold(value)
    if re.search(rf"(?<![^\W_])(?<!not ){re.escape(word)}(?![^\W_])", fold(text)):
        return True
    poles = {(s.axis, s.pole, s.denied) for c in clauses(value) for s in c.stances}
    return bool(poles & {(s.axis, s.pole, s.denied) for c in clauses(text) for s in c.stances})


def _alike(a: Quantity, b: Quantity) -> bool:
    if a.days and b.days:
        return bool(set(a.days) & set(b.days))
    return bool({abs(n) for n in a.numbers} & {abs(n) for n in b.numbers})

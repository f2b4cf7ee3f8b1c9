"""The offline narrator: an answer made of the memories' own sentences, cited and dated; and the plain degraded answer.

Rules: it quotes, it never writes a fact of its own. The sentences that share most of the question's rarer words come
first, those with the figure, date or name asked for before others, the better hit before the worse. Contested values
are told with both sides, their dates and what the policy would trust. Sentences that give instructions are not quoted.
Every line passes the guard by itself, or is left out.
It does not know languages beyond shared terms, and cannot combine facts.
Source: extractive summarisation by term overlap weighed by idf, over the hits alone.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from shared.domain import bm25
from shared.domain.guard import Contested, ContestedSide, check
from shared.domain.instructions import evidence_sentences, is_instruction
from shared.domain.quantities import Kind, quantities
from shared.domain.statements import CITATION, markers_of
from shared.domain.support import Source
from shared.domain.tokens import terms, unstemmed

SENTENCES_MAX = 4
SENTENCE_MIN_SHARE = 0.5  # of the best sentence's score; weaker ones are left out (chosen, untested)
SENTENCE_MAX_CHARS = 400  # longer ones are cut between words (chosen, untested)
RANK_DISCOUNT = 0.1  # per rank of the hit: 1, 0.91, 0.83 ... (chosen, untested)
ASKED_GAIN = 0.5  # a sentence with the kind of figure the question asks for (chosen, untested)
DEGRADED_MAX_CHARS = 200  # of a memory's content in the plain list (chosen, untested)
NOTHING_FOUND = "No memory answers this question."

_ASKED = (
    (re.compile(r"\bhow (?:much|many)\b|\bamount|\btotal|\bcost|\bowe|\bprice|\bwie ?viel|多少|얼마|몇"),
     frozenset((Kind.MONEY, Kind.NUMBER, Kind.PERCENT, Kind.MEASURE))),
    (re.compile(r"\bwhen\b|\bdate\b|\bdeadline|\bwhat day|\bwann\b|什么时候|何时|언제"),
     frozenset((Kind.DATE, Kind.CLOCK))),
)  # fmt: skip
_WHO = re.compile(r"\bwho(?:se|m)?\b|\bwer\b|\bwem\b")
_NAME = re.compile(r"(?<=[\w,] )[A-ZÀ-Þ][\w&.-]+")
_BRACKETED = re.compile(r"[\[【［](.*?)[\]】］]")


@dataclass(frozen=True, slots=True)
class Narration:
    """An answer and the markers it cites; `found` is false when nothing could be told."""

    text: str
    markers: tuple[int, ...]
    found: bool = True


@dataclass(frozen=True, slots=True)
class _Sentence:
    marker: int
    order: int
    text: str
    score: float


def narrate(
    question: str,
    memories: Sequence[Source],
    contested: Sequence[Contested] = (),
    *,
    stem: Callable[[str], str] = unstemmed,
) -> Narration:
    """Answer a question from its hits, the best first; [1] cites the first of them."""
    chosen = _chosen(question, memories, stem)
    lines = [_line(memories[s.marker - 1], s) for s in chosen]
    told = [line for line in lines if check(line, memories).ok]
    for conflict in contested:
        wordings = _disagreements(conflict) if conflict.markers else ()
        told += islice((line for line in wordings if check(line, memories, contested).ok), 1)
    if not told:
        return Narration(NOTHING_FOUND, (), found=False)
    text = "\n".join(told)
    return Narration(text, markers_of(text))


def degraded_answer(memories: Sequence[Source], code: str) -> Narration:
    """List the memories plainly, for when no answer may be given; `code` says why."""
    if not memories:
        return Narration(NOTHING_FOUND, (), found=False)
    lines = [f"No answer could be given ({code}). The memories that were found:"]
    for number, memory in enumerate(memories, 1):
        facts = " ".join(evidence_sentences(memory.text)) or "(content withheld: it gives instructions)"
        day = f"{memory.dates[0][:10]}: " if memory.dates else ""
        lines.append(f"- {day}{_clean(facts, DEGRADED_MAX_CHARS)} [{number}]")
    return Narration("\n".join(lines), tuple(range(1, len(memories) + 1)))


def _chosen(question: str, memories: Sequence[Source], stem: Callable[[str], str]) -> list[_Sentence]:
    """Return the sentences to quote, in the order of hits."""
    pool = [
        (marker, order, text, frozenset(terms(text, stem=stem)))
        for marker, memory in enumerate(memories, 1)
        for order, text in enumerate(evidence_sentences(memory.text))
        if not is_instruction(text)
    ]
    asked = frozenset(terms(question, stem=stem))
    rarity = {term: bm25.idf(sum(term in held for *_, held in pool), len(pool)) for term in asked}
    folded = question.casefold()
    kinds = frozenset(kind for pattern, wanted in _ASKED if pattern.search(folded) for kind in wanted)
    scored: list[_Sentence] = []
    for marker, order, text, held in pool:
        overlap = sum(sorted(rarity[term] for term in asked & held))
        if overlap > 0:
            fits = any(q.kind in kinds for q in quantities(text)) if kinds else False
            fits = fits or (_WHO.search(folded) is not None and _NAME.search(text) is not None)
            score = overlap * (1 + ASKED_GAIN * fits) / (1 + RANK_DISCOUNT * (marker - 1))
            scored.append(_Sentence(marker, order, text, score))
    scored.sort(key=lambda s: (-s.score, s.marker, s.order))
    best = list(_distinct(s for s in scored if s.score >= SENTENCE_MIN_SHARE * scored[0].score))[:SENTENCES_MAX]
    return sorted(best, key=lambda s: (s.marker, s.order))


def _distinct(scored: Iterator[_Sentence]) -> Iterator[_Sentence]:
    seen: set[str] = set()
    for sentence in scored:
        key = " ".join(sentence.text.casefold().split())
        if key not in seen:
            seen.add(key)
            yield sentence


def _line(memory: Source, sentence: _Sentence) -> str:
    day = f"As of {memory.dates[0][:10]}: " if memory.dates else ""
    return f"{day}{_clean(sentence.text, SENTENCE_MAX_CHARS)} [{sentence.marker}]"


def _clean(text: str, limit: int) -> str:
    """Put a quotation on one line, without what would read as a citation of ours."""
    text = " ".join(CITATION.sub(lambda m: f"({m.group(1)})", text).split())
    text = _BRACKETED.sub(r"(\1)", text) if CITATION.search(text) else text
    return text if len(text) <= limit else (text[:limit].rpartition(" ")[0] or text[:limit]) + " …"


def _disagreements(conflict: Contested) -> Iterator[str]:
    """Yield what is told of a conflict, in ever fewer words: a name or a value may be what no memory bears out."""
    yield _disagreement(conflict)
    yield _disagreement(replace(conflict, record="", attribute=""))
    yield f"memory disagrees about this {''.join(f'[{marker}]' for marker in conflict.markers)}."


def _disagreement(conflict: Contested) -> str:
    sides = " or ".join(_side(side) for side in conflict.sides)
    about = " ".join(part for part in (conflict.record, conflict.attribute.replace("_", " ")) if part)
    advice = ""
    if conflict.recommended is not None:
        trusted = next((s for s in conflict.sides if s.value == conflict.recommended and s.markers), None)
        cited = f" [{trusted.markers[0]}]" if trusted else ""
        advice = f"; by {conflict.rule or 'its rules'} the policy would trust {conflict.recommended}{cited}"
    return f"{about + ': ' if about else ''}memory disagrees: {sides}{advice}."


def _side(side: ContestedSide) -> str:
    cited = "".join(f" [{marker}]" for marker in side.markers)
    day = f" ({side.day[:10]})" if side.day else ""
    return f"{side.value}{cited}{day}"

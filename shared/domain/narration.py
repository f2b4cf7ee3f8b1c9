"""The offline narrator: an answer made of the memories' own sentences, cited and dated; and the plain degraded answer.

Rules: it quotes, it never writes a fact of its own. A sentence counts by the score of its hit, which knows meaning, and
by its share of the question's rarer words; one with the figure, date or name asked for before others. Where the words
are hardly those of the question and the scores are low it says so. Contested values are told with both sides, their
dates and what the policy would trust. What holds is dated by its day, or since it where the question asks for the past;
what no longer holds by its end. Sentences that give instructions are not quoted. Every line passes the guard by
itself, or is left out.
It does not know languages beyond shared terms, and cannot combine facts.
Source: extractive summarisation by term overlap weighed by idf, over the hits alone; tests/bench/narrator.py.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from shared.domain import bm25
from shared.domain.guard import Contested, ContestedSide, check
from shared.domain.history_questions import asks_for_past
from shared.domain.instructions import evidence_sentences, is_instruction
from shared.domain.quantities import Kind, quantities
from shared.domain.statements import CITATION, markers_of
from shared.domain.support import Source
from shared.domain.tokens import terms, unstemmed

SENTENCES_MAX = 4
SENTENCE_MIN_SHARE = 0.5  # of the best sentence's score; weaker ones are left out (chosen, untested)
SENTENCE_MAX_CHARS = 400  # longer ones are cut between words (chosen, untested)
# On our fixture the answer is cited in 67 of 113 questions by words alone (2.2 memories an answer), in 78 with the
# score of the hit squared (2.5), in 80 with the plain score (3.1); among the hits it is in 86 (measured).
HIT_POWER = 2
PER_MEMORY_MAX = 2  # sentences of one memory
UNRANKED_SHARE = 0.5  # of the lowest score: a memory that did not rank (chosen, untested)
# Below both, an answer says that it is only the nearest: so 14 of 18 questions that memory knows nothing of, and 18 of
# the 75 that were answered (measured on our fixture).
PLAIN_WORDS_SHARE, PLAIN_SCORE = 0.3, 0.8
ASKED_GAIN = 0.5  # a sentence with the kind of figure the question asks for (chosen, untested)
DEGRADED_MAX_CHARS = 200  # of a memory's content in the plain list (chosen, untested)
TURN = "turn"  # the kind of memory in which a question is somebody's, and no fact
NOTHING_FOUND = "No memory answers this question."
ONLY_NEAREST = "No memory says this in the words of the question. The nearest that was found:"

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
    """An answer and the markers it cites; `found` is false when nothing could be told, `nearest_only` true when nothing
    plainly answers.
    """

    text: str
    markers: tuple[int, ...]
    found: bool = True
    nearest_only: bool = False


@dataclass(frozen=True, slots=True)
class _Sentence:
    marker: int
    order: int
    text: str
    score: float
    share: float  # of the question's words, by rarity


def narrate(
    question: str,
    memories: Sequence[Source],
    contested: Sequence[Contested] = (),
    *,
    stem: Callable[[str], str] = unstemmed,
) -> Narration:
    """Answer a question from its hits, the best first; [1] cites the first of them."""
    chosen = _chosen(question, memories, stem)
    of_past = asks_for_past(question)
    lines = [_line(memories[s.marker - 1], s, of_past=of_past) for s in chosen]
    told = [line for line in lines if check(line, memories).ok]
    for conflict in contested:
        wordings = _disagreements(conflict) if conflict.markers else ()
        told += islice((line for line in wordings if check(line, memories, contested).ok), 1)
    if not told:
        return Narration(NOTHING_FOUND, (), found=False)
    weak = _is_weak(chosen, memories)
    text = "\n".join([ONLY_NEAREST, *told] if weak else told)
    return Narration(text, markers_of(text), nearest_only=weak)


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
        if not is_instruction(text) and not (memory.kind == TURN and text.rstrip()[-1:] in "?？")
    ]
    asked = frozenset(terms(question, stem=stem))
    rarity = {term: bm25.idf(sum(term in held for *_, held in pool), len(pool)) for term in asked}
    whole = sum(sorted(rarity.values())) or 1.0
    weights = _weights(memories)
    folded = question.casefold()
    kinds = frozenset(kind for pattern, wanted in _ASKED if pattern.search(folded) for kind in wanted)
    scored: list[_Sentence] = []
    for marker, order, text, held in pool:
        share = sum(sorted(rarity[term] for term in asked & held)) / whole
        if not share and not any(memory.score for memory in memories):
            continue  # neither words nor scores say that it answers
        fits = any(q.kind in kinds for q in quantities(text)) if kinds else False
        fits = fits or (_WHO.search(folded) is not None and _NAME.search(text) is not None)
        score = weights[marker - 1] * (1 + share) * (1 + ASKED_GAIN * fits)
        scored.append(_Sentence(marker, order, text, score, share))
    scored.sort(key=lambda s: (-s.score, s.marker, s.order))
    best = list(islice(_distinct(s for s in scored if s.score >= SENTENCE_MIN_SHARE * scored[0].score), SENTENCES_MAX))
    return sorted(best, key=lambda s: (s.marker, s.order))


def _weights(memories: Sequence[Source]) -> list[float]:
    """Return what each memory's place among the hits is worth, the best one 1."""
    ranked = [memory.score for memory in memories if memory.score is not None]
    best, least = max(ranked, default=0.0), min(ranked, default=0.0)
    if best <= 0:
        return [1.0] * len(memories)
    scores = [UNRANKED_SHARE * least if memory.score is None else memory.score for memory in memories]
    return [(score / best) ** HIT_POWER for score in scores]


def _is_weak(chosen: Sequence[_Sentence], memories: Sequence[Source]) -> bool:
    """Tell whether neither words nor scores make it likely that the sentences answer."""
    best = max((memory.score for memory in memories if memory.score is not None), default=0.0)
    return max((s.share for s in chosen), default=1.0) <= PLAIN_WORDS_SHARE and best < PLAIN_SCORE


def _distinct(scored: Iterator[_Sentence]) -> Iterator[_Sentence]:
    """Pass each wording once, and a few sentences of each memory."""
    seen: set[str] = set()
    told: Counter[int] = Counter()
    for sentence in scored:
        key = " ".join(sentence.text.casefold().split())
        if key not in seen and told[sentence.marker] < PER_MEMORY_MAX:
            seen.add(key)
            told[sentence.marker] += 1
            yield sentence


def _line(memory: Source, sentence: _Sentence, *, of_past: bool) -> str:
    since = "Since" if of_past and memory.lasts else "As of"
    day = f"{since} {memory.dates[0][:10]}: " if memory.dates else ""
    if memory.until:
        day = f"Before that, until {memory.until[:10]}: "
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

"""The extractor: what the user's words tell, by rules alone.

Rules: deterministic; sentence by sentence; only the user's words are evidence. A question or a request tells nothing,
unless it asks for something to be remembered. Plans, conditions, wishes and the past fill no slot, with the exceptions
that frames name (an allergy, a deadline). Frames go first, then topics, then known values, then "my X is Y"; one slot
gets one value of a sentence. A sentence that fills no slot and tells something lasting is a fact as it stands.
It does not know models, nor what becomes of a fact.
Source: REQUIREMENTS D3.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from shared.domain.extraction import foreign
from shared.domain.extraction.changes import changes
from shared.domain.extraction.facts import Fact, Heard
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.lasting import is_lasting
from shared.domain.extraction.moments import marked, restored
from shared.domain.extraction.moods import Mood, mood
from shared.domain.extraction.prose import clauses, is_asked_to_be_kept, plain, written_out
from shared.domain.extraction.slots import slotted
from shared.domain.extraction.writing import fact_of, free
from shared.domain.statements import sentences

_TAG = re.compile(
    r",\s+(?:remember|right|you know|you see|okay|ok|eh|correct|as you know"
    r"|(?:is|was|do|does|did|are)n'?t (?:it|i|we|they))\?+$",
    re.IGNORECASE,
)
"""What turns a statement into a question in form only."""

FACTS_MAX = 32
"""Of one turn, as the contract has it."""

SENTENCES_MAX = 200
"""Of one turn that are read; a longer text is a document. Chosen, untested."""


SENTENCE_MAX_CHARS = 600
"""A longer one is no statement of a person about himself; it bounds what the expressions have to search."""


def extract(heard: Heard) -> tuple[Fact, ...]:
    """Return the facts of a turn, in the order in which they were told."""
    facts: dict[tuple[str, str, str, str], Fact] = {}
    for fact in _found(heard):
        facts.setdefault((fact.subject, fact.slot, fact.value or fact.text, fact.former_value), fact)
    return tuple(facts.values())[:FACTS_MAX]


def _found(heard: Heard) -> Iterator[Fact]:
    lower = heard.user_text == heard.user_text.lower()
    for verbatim in sentences(heard.user_text)[:SENTENCES_MAX]:
        if len(verbatim) > SENTENCE_MAX_CHARS:
            continue
        if foreign.is_foreign(verbatim):
            if foreign.speaks_of_self(verbatim):
                yield free(verbatim, heard)
            continue
        verbatim = _TAG.sub(".", verbatim)
        sentence = sentence_of(verbatim, heard, lower=lower)
        meant = mood(sentence.plain + ("" if sentence.kept else _mark(verbatim)))
        if meant is Mood.ASKED and not sentence.kept:
            continue
        filled = [fact_of(finding, sentence, heard) for finding in _slots(sentence, meant)]
        yield from filled
        if (
            not filled
            and (meant is not Mood.UNREAL or sentence.kept)
            and is_lasting(unmarked(sentence), kept=sentence.kept, conditional=meant is Mood.CONDITIONAL)
        ):
            yield free(verbatim, heard, sentence if meant is Mood.TOLD else None)


def _slots(sentence: Sentence, meant: Mood) -> list[Finding]:
    return changes(slotted(sentence, meant), sentence)


def sentence_of(verbatim: str, heard: Heard, *, lower: bool = False) -> Sentence:
    """Return a sentence as rules see it."""
    today: date = heard.observed_at.date()
    written, moments = marked(written_out(verbatim), today)
    simple = plain(written)
    return Sentence(
        verbatim=verbatim,
        written=written,
        plain=simple,
        clauses=tuple(clauses(simple)),
        moments=moments,
        today=today,
        lower=lower,
        kept=is_asked_to_be_kept(written),
        known=heard.known,
    )


def unmarked(sentence: Sentence) -> str:
    """Return the written-out sentence with the words of its days again, but for those that are near to the present."""
    words = [
        replace(m, words="a day") if m.exact is not None and not re.search(r"\d", m.words) else m
        for m in sentence.moments
    ]
    return restored(sentence.written, words)


def _mark(verbatim: str) -> str:
    return "?" if verbatim.rstrip(" \"'”)").endswith(("?", "？")) else ""

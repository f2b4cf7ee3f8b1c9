"""Whether a sentence of an answer excludes what a memory says, by the rules of the meaning judge.

Rules: of a memory's sentences the one that shares most words with the claim is judged; among equals each must exclude
it. Poles, figures and dates count; a bare denial does not (it flags "isn't part of" against "does not include"), and
polarity.py reads those. It does not know which memory a sentence cites (guard.py).
Source: meaning.py; no false alarm on the honest answers of tests/domain/guard_cases.py and fixtures/guard/build.json.
"""

from collections.abc import Sequence

from shared.domain.meaning.judge import MeaningVerdict, Stated, judge_pair
from shared.domain.tokens import terms

_RULES = frozenset({"pole", "figure", "date"})


def excludes(claim: str, facts: Sequence[str]) -> str | None:
    """Return how a claim excludes the sentence of a memory nearest to it, or None."""
    said = set(terms(claim))
    shared = [len(said & set(terms(fact))) for fact in facts]
    most = max(shared, default=0)
    if not most:
        return None
    nearest = [fact for fact, count in zip(facts, shared, strict=True) if count == most]
    judged = [judge_pair(Stated(claim), Stated(fact)) for fact in nearest]
    against = [j for j in judged if j.verdict is MeaningVerdict.CONTRADICTION and j.reported and j.rule in _RULES]
    return against[0].reason if len(against) == len(judged) else None

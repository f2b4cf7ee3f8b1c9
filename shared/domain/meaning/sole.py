"""One holder of a part that admits no other: who alone owns, writes, supplies or leads, and somebody else who does too.

Rules: one sentence says sole, only or alone of a part (own, write, supply, manage …); the other gives the same part of
the same thing to another holder, and tells nothing else of it. Several holders who are not said to be the only ones
go together.
It does not know times and moods (judge.py).
Source: REQUIREMENTS C3 (multi-valued attributes); parts chosen by us.
"""

import re

from shared.domain.meaning.reading import Sentence
from shared.domain.subjects import Shared, Sort

_PARTS = {
    form: part
    for part, forms in {
        "own": "own owns owner owners owned owning shareholder shareholders share shares stake gehört eigentümer",
        "write": "write writes wrote written writer author authors penned autor autorin verfasst geschrieben",
        "supply": "supply supplies supplied supplier suppliers source sources buy buys bought liefert lieferant",
        "lead": "lead leads led head heads headed run runs ran manager manage manages chief boss leitet leiter",
        "clean": "clean cleans cleaned cleaner cleaning",
        "drive": "drive drives drove driver drivers",
        "teach": "teach teaches taught teacher tutor",
        "sign": "sign signs signed signatory",
        "build": "build builds built builder",
        "design": "design designs designed designer architect",
        "sell": "sell sells sold seller dealer distributor retailer",
        "keep": "keep keeps kept keeper key keys",
        "use": "use uses used user users tenant tenants rent rents occupies",
        "member": "member members",
    }.items()
    for form in forms.split()
}
_SOLE = re.compile(
    r"\b(?:sole|only|alone|solely|exclusively|single-handedly|nobody else|no one else|einzige[rn]?|allein)\b"
)
_ALSO = re.compile(r"\b(?:formerly|previously|until|used to|not|never|no longer|would|like|wants?)\b")


def second_holder(a: Sentence, b: Sentence, shared: Shared) -> str | None:
    """Return the part that one sentence gives to one holder alone and the other to somebody else."""
    return _second(a, b, shared) or _second(b, a, shared)


def _second(sole: Sentence, other: Sentence, shared: Shared) -> str | None:
    if not shared.both or not _SOLE.search(sole.text) or _ALSO.search(other.text) or _ALSO.search(sole.text):
        return None
    parts = _parts(sole) & _parts(other)
    if not parts:
        return None
    holders = [{word for t in s.things if t.sort is Sort.NAME and t not in shared.both for word in t.words}
               for s in (sole, other)]  # fmt: skip
    words = [{w for w in s.head if w not in _PARTS} for s in (sole, other)]
    known = {word for thing in shared.both for word in thing.words}
    mine, theirs = (holders[i] | (words[i] - known) for i in (0, 1))
    if not mine or not theirs or mine & theirs:
        return None
    objects = other.words - sole.roots - other.subject - {w for w in other.words if w in _PARTS}
    return min(parts) if len(objects) <= 1 else None


def _parts(sentence: Sentence) -> set[str]:
    return {_PARTS[token] for token in sentence.tokens if token in _PARTS}

"""Places that one thing has once, in whatever words: its seat, its head, its favourite, where it was born.

Rules: both sentences speak of one place of a shared name and give it to two other names. Anything else that is said
of it, a deputy, a former or a second one, ends the rule.
It does not know times and moods (judge.py); values without a name are left to slots.py.
Source: REQUIREMENTS C3 (single-valued attributes); places chosen by us.
"""

import re
from collections.abc import Iterator

from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.rules import Conflict
from shared.domain.subjects import Shared, Sort

_ROLES = tuple(
    re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")
    for words in (
        "head office|headquarters?|headquartered|main office|based in|registered office|hauptsitz|firmensitz|ansässig",
        r"led by|heads?|headed by|leads?|leader|in charge|run by|chief executive|ceo|managing director"
        r"|managed by|manager",
        "favou?rite|prefers|likes best|best liked",
        "born in|birthplace|native of|comes from|hails from|grew up in",
        "married to|wife|husband|spouse",
        "landlord|rents? from|leases? from",
        "chaired by|chairs|chairman|chairwoman|chair|president",
        "mother tongue|native language|first language",
        "capital",
        "named after",
        "succeeded by|successor",
    )
)
_MORE = re.compile(
    r"\b(?:deputy|vice|former|formerly|ex|co-?\w+|joint\w*|also|second|another|assistant|acting|and"
    r"|until|since|both|one of"
    r"|regional|branch|department|works|team|section)\b"
)


def by_roles(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield two names for one single-valued place of a shared name."""
    if not shared.both or a.negations or b.negations or _MORE.search(a.text) or _MORE.search(b.text):
        return
    alone = [[t for t in only if t.sort is Sort.NAME] for only in (shared.only_a, shared.only_b)]
    if len(alone[0]) != 1 or len(alone[1]) != 1:
        return
    if any(role.search(a.text) and role.search(b.text) for role in _ROLES):
        names = [" ".join(sorted(thing[0].words)) for thing in alone]
        yield Conflict(0.6, "slot", f"{names[0]!r} against {names[1]!r}", stateful=not past)

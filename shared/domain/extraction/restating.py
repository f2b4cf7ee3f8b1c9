"""Known values that a sentence about the user mentions: told again, not told anew.

Rules: only a value that is held, named as it is held, in a sentence that speaks of the user or has left its "I" out,
and does not leave the value behind. Days and numbers are no such values.
It does not know what else the sentence says (context.py). Source: own.
"""

import re
from collections.abc import Iterator

from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.matching import attribute_sort
from shared.domain.extraction.people import KIN, STAFF
from shared.domain.extraction.spans import Sort

_OWN = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b", re.IGNORECASE)
_ELLIPTIC = re.compile(
    r"^(?:(?:[a-z]{2,}(?:ed|ing)|spent|had|got|made|wrote|took|went|ate|drank|read|met|saw)(?! (?:is|are|was|by)\b)"
    r"|(?:a|an|another|one more|first|second|third|long|busy|quiet|late|early|meetings?)(?! of (?:them|the)\b))\b",
    re.IGNORECASE,
)
"""How a sentence begins whose "I" was left out."""

_THIRD = re.compile(rf"\b(?:he|she|they|his|her|their|{KIN}|{STAFF}|friends?|neighbou?rs?)\b", re.IGNORECASE)
_VALUE_MIN_CHARS = 3  # of a value that may be recognised (chosen, untested)


def restated(sentence: Sentence) -> Iterator[Finding]:
    """Yield the known values of the user that a sentence about the user mentions and does not leave behind."""
    if not _OWN.search(sentence.written) and not _is_elliptic(sentence):
        return
    for known in sentence.known:
        if known.subject or not known.slot.startswith("slot.") or len(known.value) < _VALUE_MIN_CHARS:
            continue
        if attribute_sort(known.slot) in (Sort.DAY, Sort.NUMBER) or known.value.isdigit():
            continue
        match = re.search(rf"(?<!\w){re.escape(known.value)}(?!\w)", sentence.plain, re.IGNORECASE)
        if match and not is_former(sentence.plain, match.start(), match.end()):
            yield Finding(known.slot, known.value, noun=known.slot.rpartition(".")[2].replace("_", " "))


def _is_elliptic(sentence: Sentence) -> bool:
    """Tell whether a sentence has left its "I" out: "Spent the day writing Swift", "Second espresso of the day"."""
    return _ELLIPTIC.match(sentence.plain) is not None and _THIRD.search(sentence.written) is None

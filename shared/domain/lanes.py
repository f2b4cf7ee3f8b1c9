"""Which lane a fact of a turn belongs to, what it says there, and when two say the same in other words.

Rules: a fact is about a record: the speaker, or whom it names. A slot of one value (`slot.`) is one lane; of a slot of
several (`slots.`) each value has its own, in which it holds or does not. An end is written as a value, so that it
stands, is dated and can be taken back like any other: "none", and "no longer" before a value of several. Two texts say
the same where their vectors are as near as SAME_COSINE, figures, denials, poles and names agree, and they are not one
sentence with one word exchanged ("this morning", "this evening": 0.96). A value says more than another one where it
goes on where that ends.
It does not know what follows (supersession.py), nor the database.
Source: REQUIREMENTS A6, C2, D3; the nearness as in the analysis of the reference, and measured: MiniLM puts 2 of 20
pairs of sentences with one word exchanged above it, paraphrases and other orders of words at 0.94 to 0.98.
"""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import combining, normalize

from shared.domain.claims import Claim, claims_of
from shared.domain.extraction.facts import USER, Fact
from shared.domain.pairs import bearing_of
from shared.domain.setting import SLOTS
from shared.domain.supersession import NOTHING
from shared.domain.text import fold

SAME_COSINE = 0.92
NONE, NO_LONGER = "none", "no longer "
_HOLDS = "holds"
_WORD = re.compile(r"[^\W_]+")
_NO_NAMES = frozenset(("i", USER))
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w-]*")


class Lane(NamedTuple):
    """What has one value at a time; `member` is the value of a slot of several."""

    record_key: str
    attribute: str
    member: str = ""


def record_of(fact: Fact, speaker: str) -> str:
    """Return the record a fact is about: who speaks, a person by name, or whom the speaker has as such a relative."""
    if not fact.subject:
        return speaker
    is_name = fact.subject[:1].isupper()
    return fact.subject if is_name or fold(speaker) == USER else f"{speaker}'s {fact.subject}"


def metadata_of(fact: Fact) -> str:
    """Return the metadata of a fact's memory: the value of its slot, as a JSON object."""
    if not fact.slot:
        return "{}"
    value = fact.value
    if fact.ends:
        value = f"{NO_LONGER}{fact.value}" if fact.multi else NONE
    return json.dumps({fact.slot: value}, ensure_ascii=False) if value else "{}"


def canonical_of(attribute: str, value: str) -> str:
    """Return the form in which values of an attribute are compared; empty where the value claims nothing."""
    claims = claims_of(json.dumps({attribute: value}, ensure_ascii=False)) if value else ()
    return claims[0].canonical if claims else ""


def place_of(record_key: str, claim: Claim) -> tuple[Lane, str]:
    """Return the lane of what is claimed of a record, and the value in it."""
    return lane_of(record_key, claim.attribute, claim.raw, claim.canonical)


def lane_of(record_key: str, attribute: str, raw: str, canonical: str) -> tuple[Lane, str]:
    """Return the lane of a value as it is stored, and what it says there."""
    text = json.loads(raw) if raw.startswith('"') else raw
    if not attribute.startswith(SLOTS):
        return Lane(record_key, attribute), NOTHING if text == NONE else canonical
    if text.startswith(NO_LONGER):
        return Lane(record_key, attribute, canonical_of(attribute, text.removeprefix(NO_LONGER))), NOTHING
    return Lane(record_key, attribute, canonical), _HOLDS


def is_value(raw: str) -> bool:
    """Tell whether a stored value is one, and not an end."""
    text = json.loads(raw) if raw.startswith('"') else raw
    return text != NONE and not text.startswith(NO_LONGER)


def says_the_same(one: str, other: str, cosine: float) -> bool:
    """Tell whether two texts that are so near say the same."""
    if cosine < SAME_COSINE or _names(one) != _names(other) or bearing_of(one) != bearing_of(other):
        return False
    words, others = _WORD.findall(fold(one)), _WORD.findall(fold(other))
    is_as_long = len(words) == len(others)
    return not is_as_long or sum(a != b for a, b in zip(words, others, strict=True)) != 1


def goes_on(shorter: str, longer: str) -> bool:
    """Tell whether a value says more than another one: it goes on where that ends ("oolong", "oolong tea"), or says it
    in other gaps ("VSCode", "VS Code").

    What stands before a value makes it another one: "senior developer". (Nearness of texts does not tell Porto from
    Porto Alegre: 0.92.)
    """
    words, others = _WORD.findall(shorter), _WORD.findall(longer)
    if _letters(words) == _letters(others):
        return words != others
    return 0 < len(words) < len(others) and words == others[: len(words)]


def _letters(words: Sequence[str]) -> str:
    """Return words without gaps and marks on letters: "Kraków" is "Krakow"."""
    return "".join(c for c in normalize("NFKD", "".join(words)) if not combining(c))


def is_contained(one: str, other: str) -> bool:
    """Tell whether all words of one value are in the other."""
    words, others = _words(one), _words(other)
    return bool(words and others) and (words <= others or others <= words)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _names(text: str) -> frozenset[str]:
    return frozenset(map(fold, _NAME.findall(text))) - _NO_NAMES

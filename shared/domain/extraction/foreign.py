"""Statements in other languages than English: kept as they stand where the speaker speaks of himself.

Rules: German, French, Spanish, Chinese and Korean; a sentence with a word of the first person that is no question is
told as a whole, without a slot. It does not know what such a sentence says.
Source: personal pronouns of these languages.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from shared.domain.languages import language_of

_FIRST_PERSON: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "de": re.compile(r"\b(?:ich|mich|mir|mein\w*|wir|uns|unser\w*)\b", re.IGNORECASE),
        "fr": re.compile(r"\b(?:je|j'|me|m'|moi|mon|ma|mes|nous|notre|nos)(?:\b|(?<='))", re.IGNORECASE),
        "es": re.compile(
            r"\b(?:yo|me|mi|mis|mí|nosotros|nosotras|nuestr[oa]s?|conmigo|soy|estoy|tengo|vivo|trabajo|quiero"
            r"|puedo|prefiero"
            r"|hablo|uso|fui|nací|necesito|llamo)\b",
            re.IGNORECASE,
        ),
    }
)
_CHINESE = re.compile(r"[我咱]")
_KOREAN = re.compile(r"(?:^|\s)(?:나는|난|나도|나의|내가|내|저는|전|제가|제|저도|저의|우리|저희)(?=\s|$)")
_HAN, _HANGUL = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[\uac00-\ud7a3]")
_ASKS = re.compile(r"[?？]\s*[\"'”’»]*$|[吗呢]\s*[。]?$")


def speaks_of_self(sentence: str) -> bool:
    """Tell whether a sentence in one of these languages tells something in the first person."""
    if _ASKS.search(sentence.strip()):
        return False
    if _HANGUL.search(sentence):
        return _KOREAN.search(sentence) is not None
    if _HAN.search(sentence):
        return _CHINESE.search(sentence) is not None
    pattern = _FIRST_PERSON.get(language_of(sentence))
    return pattern is not None and pattern.search(sentence.replace("\u2019", "'")) is not None


def is_foreign(sentence: str) -> bool:
    """Tell whether a sentence is in another language than English."""
    return bool(_HAN.search(sentence) or _HANGUL.search(sentence)) or language_of(sentence) != "en"

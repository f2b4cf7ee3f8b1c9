"""Which language a text is in, told by its stop words.

Rules: a language is named only where at least SURE_WORDS different stop words of it, none of them English, stand in the
text, and more of it than English ones that it does not have. All else counts as English, the language of labels,
numbers and code. Ties: the earlier of LANGUAGES. Only the beginning is looked at. Texts in scripts without spaces have
no stop words here and need no stemmer. It does not know stemmers.
Source: own; stop words as the signal as in Grefenstette, "Comparing two language identification schemes", 1995.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.stop_words_european import EUROPEAN_STOP_WORDS
from shared.domain.text import fold

ENGLISH = "en"
LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "ru")  # of sisters, the one more spoken first
STOP_WORDS: Mapping[str, frozenset[str]] = MappingProxyType({ENGLISH: ENGLISH_STOP_WORDS, **EUROPEAN_STOP_WORDS})
# One may be a name or a loan: "Die Hard", "C-117", "per se". Of 5,882 turns, 308 texts and questions of our fixture and
# archon's set all have their language (measured).
SURE_WORDS = 2
LOOKED_CHARS = 1_000  # of a long text; enough for dozens of stop words (chosen, untested)

_WORD = re.compile(r"[^\W\d_]+")
_TOLD_BY: Mapping[str, tuple[str, ...]] = {
    word: tuple(language for language in LANGUAGES if word in EUROPEAN_STOP_WORDS[language])
    for words in EUROPEAN_STOP_WORDS.values()
    for word in words
    if word not in ENGLISH_STOP_WORDS
}


def language_of(text: str, sure_words: int = SURE_WORDS) -> str:
    """Return the language of a text, English where it is not sure."""
    words = set(_WORD.findall(fold(text[:LOOKED_CHARS])))
    told = [_TOLD_BY[word] for word in words if word in _TOLD_BY]
    if len(told) < sure_words:
        return ENGLISH
    best, most = ENGLISH, 0
    for language in LANGUAGES:
        count = sum(language in languages for languages in told)
        if count > most:
            best, most = language, count
    english = len((words & ENGLISH_STOP_WORDS) - STOP_WORDS[best])
    return best if most >= sure_words and most > english else ENGLISH

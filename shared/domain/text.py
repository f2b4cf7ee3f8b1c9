"""Normal forms of text: what is stored, what is compared, what is refused.

Rules: stored text is NFC and otherwise untouched. Compared text is folded: compatibility forms, case, runs of white
space, invisible characters and kinds of dash make no difference. Folding is idempotent, and folding after NFKC gives
the same as folding.
It does not know words, stop words or languages (tokens.py), nor numbers and dates (figures.py).
Source: Unicode Standard Annex 15 (normal forms) and section 3.13 (default case folding, ignorable code points).
"""

import re
import unicodedata

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58"
_APOSTROPHES = "\u2018\u2019\u201b\u02bc"
# Default_Ignorable_Code_Point: soft hyphen, joiners, direction marks, variation selectors, fillers, tags.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_UNIFIED = str.maketrans({**dict.fromkeys(_DASHES, "-"), **dict.fromkeys(_APOSTROPHES, "'")})
_REFUSED = re.compile("[\u0000\ud800-\udfff]")


def nfc(text: str) -> str:
    """Return the stored form: canonical composition, nothing else changed."""
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Return the form two texts are compared in; it is also what a content hash for restatements is taken over."""
    if text.isascii():
        return " ".join(text.casefold().split())
    previous, current = text, _folded_once(text)
    # Case folding can undo NFKC and the reverse, so repeat until nothing changes (twice for nearly every text).
    while current != previous:
        previous, current = current, _folded_once(current)
    return " ".join(current.split())


def _folded_once(text: str) -> str:
    composed = unicodedata.normalize("NFKC", text)
    return _IGNORABLE.sub("", composed).translate(_UNIFIED).casefold()


def company_key(label: str) -> str:
    """Return the key under which spellings of one company meet; empty when the label says nothing.

    Legal forms and punctuation stay: "Acme Ltd" and "Acme Inc" may be two companies.
    """
    return fold(label)


def refused_character(text: str) -> str | None:
    """Return the name (`U+0000`, `U+D83D`) of the first character no text may hold, or None.

    U+0000 cannot be stored by PostgreSQL and a lone surrogate cannot be written as UTF-8.
    """
    found = _REFUSED.search(text)
    return f"U+{ord(found.group()):04X}" if found else None

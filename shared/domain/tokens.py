"""Terms of a text for the lexical arm, and the numbers that stand for them in the database.

Rules: the same function makes the terms of memories and of queries. Words are folded, without stop words, stemmed.
Identifiers, amounts and dates are terms as a whole *and* in parts: INV-5521 gives inv-5521, inv, 5521. Scripts written
without spaces give pairs of neighbouring characters (one alone stands for itself). Order and repetition are kept:
counting is bm25's work.
It does not know languages: stemmer and stop words are given. No term leaves the tenant in readable form (term_id).
Source: bigrams for CJK as in Lucene's CJKBigramFilter; whole and parts as in its WordDelimiterGraphFilter; keyed
BLAKE2b, RFC 7693.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from uuid import UUID

from shared.domain.figures import DATE, MONEY, NUMBER, date_terms, money_terms, number_terms
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

# Words repeat: what a short chunk gives is kept. 40 % less CPU for a memory (measured); about 15 MB when full.
CACHED_CHUNKS = 50_000
CACHED_CHARS = 32
TERM_ID_LIMIT = 10**9  # sparsevec has at most 1,000,000,000 dimensions (pgvector)

# Han, Hiragana, Katakana, Bopomofo, Hangul; then Thai, Lao, Myanmar, Khmer.
UNSPACED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00016fe0-\U00018d08\U0001aff0-\U0001b2fb\U00020000-\U000323af"
    "\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1780-\u17d3\uaa60-\uaa7f\ua9e0-\ua9fe"
)
# Combining marks are no part of a word to `re`; Hindi or pointed Hebrew would fall apart at each of them.
_MARKS = "".join(c for c in map(chr, range(0x300, 0x1F000)) if unicodedata.category(c)[0] == "M")
_LETTER = rf"(?:[^\W_{UNSPACED}]|[{_MARKS}])"
_CONNECTOR = r"(?::?//?|[-_.:@#&+']|(?<=\d),(?=\d))"
_CHUNK = rf"{_LETTER}+(?:{_CONNECTOR}{_LETTER}+)*"
_SCANNER = re.compile(rf"(?P<date>{DATE})|(?P<money>{MONEY})|(?P<unspaced>[{UNSPACED}]+)|(?P<chunk>{_CHUNK})")
_CHUNK_SCANNER = re.compile(rf"(?P<unspaced>[{UNSPACED}]+)|(?P<chunk>{_CHUNK})")
_NUMBER = re.compile(NUMBER)
# Inside a longer chunk a number stands free of letters and dots, else its digits are plain parts: 8,400-9,000, v1.2.3.
_FREE_NUMBER = rf"(?<![^\W_])(?<![.,]){NUMBER}(?![^\W_]|[.,]\d)"
_WORD = rf"(?:(?!\d){_LETTER})+(?:'(?:(?!\d){_LETTER})+)*"
_PARTS = re.compile(rf"(?P<number>{_FREE_NUMBER}|\d+)|(?P<word>{_WORD})")
_POSSESSIVE = re.compile(r"'s?$")


def unstemmed(word: str) -> str:
    """Return the word itself: the stemmer of a language that has none."""
    return word


def terms(
    text: str, *, stem: Callable[[str], str] = unstemmed, stop_words: Collection[str] = ENGLISH_STOP_WORDS
) -> list[str]:
    """Return the terms of a text in its order, repetitions kept."""
    folded = fold(text)
    if not folded.isascii():
        folded = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in folded)
    return list(_scan(_SCANNER, folded, stem, frozenset(stop_words)))


def _scan(scanner: re.Pattern[str], text: str, stem: Callable[[str], str], stop_words: frozenset[str]) -> Iterator[str]:
    for found in scanner.finditer(text):
        piece = found.group()
        match found.lastgroup:
            case "date":
                figures = date_terms(piece)
                if figures:
                    yield from (stem(term) if term.isalpha() else term for term in figures)
                else:  # the shape of a date, but no such day
                    yield from _scan(_CHUNK_SCANNER, piece, stem, stop_words)
            case "money":
                yield from money_terms(piece)
            case "unspaced":
                yield from _bigrams(piece)
            case _:
                yield from (
                    _known_terms(piece, stem, stop_words)
                    if len(piece) <= CACHED_CHARS
                    else _chunk_terms(piece, stem, stop_words)
                )


def _bigrams(run: str) -> Iterable[str]:
    return [run] if len(run) == 1 else (run[i : i + 2] for i in range(len(run) - 1))


@lru_cache(maxsize=CACHED_CHUNKS)
def _known_terms(chunk: str, stem: Callable[[str], str], stop_words: frozenset[str]) -> tuple[str, ...]:
    return tuple(_chunk_terms(chunk, stem, stop_words))


def _chunk_terms(chunk: str, stem: Callable[[str], str], stop_words: frozenset[str]) -> Iterator[str]:
    if _NUMBER.fullmatch(chunk):
        yield from number_terms(chunk)
        return
    if not chunk.isalpha() and _is_identifier(chunk):
        yield chunk
    for part in _PARTS.finditer(chunk):
        if part.lastgroup == "number":
            yield from number_terms(part.group())
        else:
            yield from _word_terms(part.group(), stem, stop_words)


def _is_identifier(chunk: str) -> bool:
    """Tell identifiers, addresses and file names from words joined by hyphens or apostrophes."""
    return any(c.isdigit() or c in "_.:@#/+" for c in chunk)


def _word_terms(word: str, stem: Callable[[str], str], stop_words: Collection[str]) -> Iterator[str]:
    if word in stop_words:
        return
    for part in _POSSESSIVE.sub("", word).split("'"):
        if part and part not in stop_words:
            yield stem(part)


def term_id(tenant: UUID, term: str, key: bytes) -> int:
    """Return the number that stands for a term of one tenant: keyed, so that it says nothing without the key.

    Units: 1 .. 999,999,999, so it is a valid index both in SQL text (from 1) and in Python's SparseVector (from 0); the
    store passes it on unchanged to the Python codec, on both sides.
    Ties: two terms share a number once in 10⁹; their scores then add up, which ranks a little wrong and leaks nothing.
    """
    digest = blake2b(tenant.bytes + term.encode(), digest_size=8, key=key).digest()
    return 1 + int.from_bytes(digest, "big") % (TERM_ID_LIMIT - 1)

"""Snowball stemmers by language, for shared.domain.tokens.

Rules: a stemmer is safe to call from any thread; an unknown language is an error at start-up, not at the first query.
Results are cached: the words of a tenant repeat.
Source: PyStemmer, the Snowball project's own binding; its objects are not thread-safe, so each thread has its own.
"""

import threading
from collections.abc import Callable
from functools import cache, lru_cache

import Stemmer

# Most words of a process's texts come from a small vocabulary; about 10 MB when full (chosen, untested).
CACHE_WORDS = 50_000


@cache
def stemmer(language: str = "english") -> Callable[[str], str]:
    """Return the stemmer of a language by its Snowball name or ISO 639 code.

    Raises: ValueError for a language Snowball does not have.
    """
    try:
        Stemmer.Stemmer(language, 0)
    except KeyError:
        raise ValueError(f"no Snowball stemmer for {language!r}; there are {', '.join(Stemmer.algorithms())}") from None
    local = threading.local()

    @lru_cache(maxsize=CACHE_WORDS)
    def stem(word: str) -> str:
        own = getattr(local, "stemmer", None)
        if own is None:
            own = local.stemmer = Stemmer.Stemmer(language, 0)
        stemmed: str = own.stemWord(word)
        return stemmed

    return stem

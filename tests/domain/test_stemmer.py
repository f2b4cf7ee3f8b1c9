"""The Snowball adapter: languages and threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.domain.tokens import terms
from shared.stemmer import stemmer


def test_english_by_default() -> None:
    assert terms("Melanie was painting the invoices", stem=stemmer()) == ["melani", "paint", "invoic"]
    assert stemmer("en")("running") == stemmer("english")("running") == "run"


def test_one_stemmer_for_each_language() -> None:
    assert stemmer("german") is stemmer("german")
    assert stemmer("german")("Rechnungen".casefold()) != stemmer("english")("rechnungen")


def test_an_unknown_language_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="klingon"):
        stemmer("klingon")


def test_threads_get_the_same_stems() -> None:
    words = [
        f"{stem}{ending}" for stem in ("audit", "correct", "paint", "wander") for ending in ("ed", "ing", "s")
    ] * 500
    alone = [stemmer()(word) for word in words]
    stemmer().cache_clear()  # type: ignore[attr-defined]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stemmer(), words)) == alone

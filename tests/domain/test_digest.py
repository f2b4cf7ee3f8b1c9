"""A digest keeps every word, figure, name and date of its sources, and is never newer than the newest of them."""

import re
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from shared.domain.digest import DIGEST_MAX_CHARS, Source, digest, told
from shared.domain.text import fold
from shared.domain.types import Draft, Guard, MemoryKind, MemoryType

DAY = datetime(2026, 5, 1, 12, tzinfo=UTC)


def source(number: int, content: str, **given: object) -> Source:
    fields: dict[str, object] = {"observed_at": DAY + timedelta(days=number), "memory_type": MemoryType.SEMANTIC}
    draft = Draft(MemoryKind.NOTE, content, **fields | given)  # type: ignore[arg-type]
    return Source(UUID(int=number + 1), draft, DAY + timedelta(days=100))


def test_the_same_words_are_said_once_with_how_often_and_when() -> None:
    made = digest([source(n, "User likes tea.") for n in range(3)])
    assert made is not None
    assert made.content == "User likes tea. (told 3 times, 2026-05-01 to 2026-05-03)"
    assert made.observed_at == DAY + timedelta(days=2)  # the newest source's, not the pass's
    assert (made.kind, made.memory_type) == (MemoryKind.NOTE, MemoryType.CONSOLIDATED)
    assert made.source_memory_ids == tuple(UUID(int=n + 1) for n in range(3))


def test_no_word_is_lost_and_no_text_is_kept_that_another_says() -> None:
    texts = ["User likes green tea with Ana", "User likes tea with Ana", "With Ana, green tea User likes on 2026-05-02"]
    made = digest([source(n, text) for n, text in enumerate(texts)])
    assert made is not None
    words = set(re.findall(r"[^\W_]+", fold(made.content)))
    assert all(set(re.findall(r"[^\W_]+", fold(text))) <= words for text in texts)
    assert "User likes tea with Ana" not in made.content
    assert made.content.startswith(texts[2])  # the newest first


def test_a_digest_of_digests_counts_what_they_counted() -> None:
    first = digest([source(n, "User likes tea.") for n in range(3)])
    second = digest([source(n, "User likes tea.") for n in (7, 8)])
    assert first is not None and second is not None
    assert told(first, DAY).text == "User likes tea."
    both = digest([Source(UUID(int=90), first, DAY), Source(UUID(int=91), second, DAY)])
    assert both is not None
    assert both.content == "User likes tea. (told 5 times, 2026-05-01 to 2026-05-09)"
    assert set(both.source_memory_ids) == {UUID(int=n) for n in (1, 2, 3, 8, 9, 90, 91)}


def test_the_strongest_of_each_passes_to_it_in_any_order() -> None:
    sources = [
        source(0, "User is allergic to nuts", importance=0.3, protection=Guard.SAFETY, tags=("b",), session="s"),
        source(1, "User is allergic to nuts", importance=0.9, protection=Guard.EXPLICIT, tags=("a",), session="t"),
        source(2, "User is allergic to nuts", pinned=True, observed_at=None),
    ]
    made = digest(sources)
    assert made is not None
    assert (made.importance, made.protection, made.pinned, made.tags) == (0.9, Guard.SAFETY, True, ("a", "b"))
    assert made.session is None
    assert made.observed_at == DAY + timedelta(days=100)  # of what was not dated, when it was recorded
    Random(1).shuffle(sources)
    assert digest(sources) == made


def test_what_would_be_too_long_is_not_made() -> None:
    texts = [f"{letter * 900} ends" for letter in "abc"]
    assert sum(map(len, texts)) > DIGEST_MAX_CHARS
    assert digest([source(n, text) for n, text in enumerate(texts)]) is None

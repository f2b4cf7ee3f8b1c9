"""The labelled recall fixture is well formed, balanced, and not solvable by matching words alone."""

import json
import re
from collections import Counter
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shared.domain.periods import canonical_period
from shared.domain.text import fold
from shared.domain.types import MemoryKind

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "recall"
TOPICS = frozenset("accounts-payable travel software personal lease logistics hiring".split())
LANGUAGES = frozenset("en ko zh de".split())
GENRES = frozenset("lookup paraphrase temporal multi cross".split())
TEXTS = frozenset("kind content company period record sourceRef counterparty speaker session observedAt".split())
OTHERS = frozenset("tags metadata importance pinned".split())
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
FUNCTION_WORDS = frozenset({"nicht"})  # of five letters or more, and met by a paraphrase so far
INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
# The fixture was labelled on this day; no text in it is newer.
LABELLED = datetime.fromisoformat("2026-11-30T00:00:00+00:00")

Item = dict[str, Any]


@cache
def _read(name: str) -> list[Item]:
    def once(pairs: list[tuple[str, Any]]) -> Item:
        assert len(dict(pairs)) == len(pairs), f"a key stands twice: {pairs}"
        return dict(pairs)

    items: list[Item] = json.loads((FOLDER / name).read_text(encoding="utf-8"), object_pairs_hook=once)
    return items


def _memories() -> list[Item]:
    return _read("memories.json")


def _queries() -> list[Item]:
    return _read("queries.json")


def _answers(query: Item, grade: int = 2) -> list[str]:
    return [memory for memory, given in query["relevant"].items() if given == grade]


@pytest.mark.parametrize("name", ["memories.json", "queries.json"])
def test_ids_are_slugs_and_unique(name: str) -> None:
    ids = [item["id"] for item in _read(name)]
    assert [one for one, count in Counter(ids).items() if count > 1] == []
    assert [one for one in ids if not SLUG.fullmatch(one)] == []


def test_every_memory_has_the_fields_of_the_api() -> None:
    for item in _memories():
        assert {"id", "topic", "language", "memory"} <= set(item) <= {
            "id", "topic", "language", "memory", "paraphraseGroup",
        }, item["id"]  # fmt: skip
        assert item["topic"] in TOPICS and item["language"] in LANGUAGES, item["id"]
        memory = item["memory"]
        assert {"kind", "content", "observedAt"} <= set(memory) <= TEXTS | OTHERS, item["id"]
        texts = [memory[field] for field in TEXTS & set(memory)]
        assert all(isinstance(text, str) and text.strip() for text in texts), item["id"]
        assert MemoryKind(memory["kind"])
        assert isinstance(memory.get("metadata", {}), dict)
        assert all(isinstance(tag, str) and tag for tag in memory.get("tags", ["one"])), item["id"]
        assert 0 <= memory.get("importance", 0) <= 1 and isinstance(memory.get("pinned", True), bool)


def test_periods_and_instants_are_valid() -> None:
    for item in _memories():
        memory = item["memory"]
        period = memory.get("period")
        assert period is None or canonical_period(period) == period, item["id"]
        assert INSTANT.fullmatch(memory["observedAt"]), item["id"]
        assert datetime.fromisoformat(memory["observedAt"]) < LABELLED, item["id"]


def test_no_content_stands_twice() -> None:
    contents = Counter(fold(item["memory"]["content"]) for item in _memories())
    assert [content for content, count in contents.items() if count > 1] == []


def test_the_collection_is_broad_enough() -> None:
    memories = _memories()
    assert len(memories) >= 130
    topics = Counter(item["topic"] for item in memories)
    assert set(topics) == TOPICS and min(topics.values()) >= 15
    languages = Counter(item["language"] for item in memories)
    assert set(languages) == LANGUAGES and min(languages.values()) >= 12
    assert languages["en"] > len(memories) / 2
    assert sum(len(item["memory"]["content"].split()) >= 300 for item in memories) >= 3


def test_texts_are_in_the_language_they_say() -> None:
    scripts = {"ko": re.compile(r"[\uac00-\ud7a3]"), "zh": re.compile(r"[\u4e00-\u9fff]")}
    said = [(item["id"], item["language"], item["memory"]["content"]) for item in _memories()]
    said += [(item["id"], item["language"], item["query"]) for item in _queries()]
    for name, language, text in said:
        found = {script for script, pattern in scripts.items() if pattern.search(text)}
        assert found == ({language} & set(scripts)), name


def test_groups_hold_paraphrases_of_one_fact() -> None:
    groups: dict[str, list[Item]] = {}
    for item in _memories():
        if "paraphraseGroup" in item:
            groups.setdefault(item["paraphraseGroup"], []).append(item)
    assert len(groups) >= 5
    for name, items in groups.items():
        assert 4 <= len(items) <= 6, name
        assert len({(item["topic"], item["language"], item["memory"].get("company")) for item in items}) == 1, name


def test_turns_come_in_order_with_their_speakers() -> None:
    sessions: dict[str, list[Item]] = {}
    for item in _memories():
        memory = item["memory"]
        assert (memory["kind"] == "turn") == ("session" in memory) == ("speaker" in memory), item["id"]
        if memory["kind"] == "turn":
            sessions.setdefault(memory["session"], []).append(memory)
    assert len(sessions) >= 2
    for name, turns in sessions.items():
        instants = [turn["observedAt"] for turn in turns]
        assert instants == sorted(set(instants)) and len(turns) >= 4, name
        assert len({turn["speaker"] for turn in turns}) >= 2, name


def test_every_query_is_labelled() -> None:
    memories = {item["id"] for item in _memories()}
    for query in _queries():
        assert set(query) == {"id", "genre", "language", "topic", "query", "relevant", "why"}, query["id"]
        assert query["genre"] in GENRES and query["language"] in LANGUAGES and query["topic"] in TOPICS, query["id"]
        assert query["query"].strip() and query["why"].strip() and "\n" not in query["why"], query["id"]
        assert set(query["relevant"]) <= memories, query["id"]
        assert set(query["relevant"].values()) <= {1, 2} and _answers(query), query["id"]


def test_no_query_is_asked_twice() -> None:
    asked = Counter(fold(query["query"]) for query in _queries())
    assert [text for text, count in asked.items() if count > 1] == []


def test_the_queries_are_balanced() -> None:
    queries = _queries()
    assert len(queries) >= 66
    for field, wanted, least in (("genre", GENRES, 10), ("language", LANGUAGES, 6), ("topic", TOPICS, 6)):
        counts = Counter(query[field] for query in queries)
        assert set(counts) == wanted and min(counts.values()) >= least, counts


def test_a_query_of_the_genre_multi_needs_two_to_four_memories() -> None:
    assert [q["id"] for q in _queries() if q["genre"] == "multi" and not 2 <= len(_answers(q)) <= 4] == []


def test_answers_are_crossed_with_languages() -> None:
    languages = {item["id"]: item["language"] for item in _memories()}
    foreign = [q for q in _queries() if q["language"] not in {languages[answer] for answer in _answers(q)}]
    assert {q["language"] for q in foreign} == LANGUAGES
    assert {languages[answer] for q in foreign for answer in _answers(q)} == LANGUAGES


def test_no_topic_alone_is_the_answer() -> None:
    topics = Counter(item["topic"] for item in _memories())
    assert [q["id"] for q in _queries() if len(q["relevant"]) > topics[q["topic"]] / 4] == []


def test_a_paraphrase_shares_no_long_word_with_a_short_answer() -> None:
    contents = {item["id"]: fold(item["memory"]["content"]) for item in _memories()}
    shared = {}
    for query in _queries():
        if query["genre"] == "paraphrase":
            for answer in _answers(query):
                words = set(re.findall(r"[^\W\d_]{5,}", fold(query["query"]))) - FUNCTION_WORDS
                common = words & set(re.findall(r"[^\W\d_]{5,}", contents[answer]))
                if common and len(contents[answer].split()) < 100:  # a long text meets every word in time
                    shared[query["id"]] = common
    assert shared == {}

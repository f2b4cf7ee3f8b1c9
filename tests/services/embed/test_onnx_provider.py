"""The local model reads whole texts, padding changes nothing, and near meanings have near vectors."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from services.embed import onnx_provider
from services.embed.onnx_provider import GROUP_LENGTH_RATIO, GROUP_TOKENS, OnnxProvider, group_by_length
from shared.domain.errors import FailedPrecondition, UpstreamUnavailable

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def provider() -> AsyncIterator[OnnxProvider]:
    provider = OnnxProvider(workers=2)
    yield provider
    await provider.close()


async def test_vectors_are_unit_rows_of_the_generation(provider: OnnxProvider) -> None:
    vectors = (await provider.embed(["the invoice is unpaid", "a"])).vectors
    assert vectors.shape == (2, provider.generation.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


async def test_a_tail_past_token_128_changes_the_vector(provider: OnnxProvider) -> None:
    head = "the meeting went on and on " * 25  # 150 tokens
    one, other = (await provider.embed([head + "and the rent was raised", head + "and a whale sang at sea"])).vectors
    assert one @ other < 0.999


async def test_a_text_of_any_length_is_read_to_token_256(provider: OnnxProvider) -> None:
    head = "word " * 254
    same, longer = (await provider.embed([head, head + "and much more " * 2_000])).vectors
    assert same @ longer > 0.9999


async def test_a_batch_of_mixed_lengths_equals_one_by_one(provider: OnnxProvider) -> None:
    texts = [" ".join(["invoice", "from", "harbour"][: 1 + n % 3] * (1 + n * n)) for n in range(9)]
    texts = [texts[n] for n in (4, 0, 8, 2, 6, 1, 7, 3, 5)]
    together = (await provider.embed(texts)).vectors
    alone = np.vstack([(await provider.embed([text])).vectors for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.9999


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("How old are you?", "What is your age?", 0.7, 0.82),
        ("The supplier has not been paid.", "We still owe the vendor money.", 0.5, 0.7),
        ("The supplier has not been paid.", "Penguins huddle against the wind.", -0.2, 0.15),
        # A mask of ones, or padding seen as text, lifts unrelated pairs of unequal length far above zero.
        ("Rent.", "The orchestra rehearsed the slow movement until long after midnight in May.", -0.2, 0.25),
    ],
)
async def test_meaning(provider: OnnxProvider, one: str, other: str, low: float, high: float) -> None:
    vectors = (await provider.embed([one, other])).vectors
    assert low <= vectors[0] @ vectors[1] <= high


async def test_unknown_tokens_are_reported(provider: OnnxProvider) -> None:
    shares = (await provider.embed(["unpaid invoice", "鱷魚餵養", "paid 鱷"])).unknown_token_shares
    assert shares[0] == 0
    assert shares[1] > 0.3
    assert 0 < shares[2] < shares[1]


async def test_words_of_the_tokenizer_are_mere_text(provider: OnnxProvider) -> None:
    shares = (await provider.embed(["[UNK] [UNK] [UNK]", "[SEP] [CLS] [PAD]"])).unknown_token_shares
    assert shares.tolist() == [0, 0]


async def test_a_text_without_words_has_a_vector(provider: OnnxProvider) -> None:
    assert np.isfinite((await provider.embed([" ", "\u200b", "🦀"])).vectors).all()


def test_groups_waste_little_and_lose_no_row() -> None:
    lengths = [256, 3, 4, 90, 100, 101, 3, 250, 17, 18, 19, 20, 21, 256, 3, 5]
    groups = list(group_by_length(lengths))
    assert sorted(row for group in groups for row in group) == list(range(len(lengths)))
    for group in groups:
        members = [lengths[row] for row in group]
        assert max(members) <= GROUP_LENGTH_RATIO * min(members)
        assert len(members) == 1 or max(members) * len(members) <= GROUP_TOKENS
    assert len(groups) < len(lengths)


def test_another_weights_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "changed_weights"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    (package / "model.onnx").write_bytes(b"other weights")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(onnx_provider, "WEIGHTS", ("changed_weights", "model.onnx"))
    with pytest.raises(UpstreamUnavailable) as caught:
        OnnxProvider(workers=1)
    assert caught.value.reason == "EMBEDDER_MISMATCH"
    shutil.rmtree(package)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_provider, "WEIGHTS", ("no_such_weights", "model.onnx"))
    with pytest.raises(FailedPrecondition, match="no_such_weights") as caught:
        OnnxProvider(workers=1)
    assert caught.value.reason == "EMBEDDER_NOT_INSTALLED"

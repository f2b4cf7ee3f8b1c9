"""Vectors on the wire and exact cosine search."""

import struct
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import InvalidArgument
from shared.domain.vectors import from_bytes, normalise, to_bytes, top_k

numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
vectors = st.lists(numbers, min_size=1, max_size=8).filter(any)


@given(vectors)
def test_wire_form_is_little_endian_float32_and_comes_back(values: list[float]) -> None:
    raw = to_bytes(values)
    assert raw == struct.pack(f"<{len(values)}f", *values)
    back = from_bytes(raw, len(values))
    assert back.dtype == np.float32
    assert back.tolist() == values
    assert back.flags.writeable


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "0 bytes given, 8 expected"),
        (struct.pack("<3f", 1, 2, 3), "12 bytes given"),
        (struct.pack("<2f", 1, nan), "NaN"),
        (struct.pack("<2f", -inf, 1), "infinity"),
        (struct.pack("<2f", 0.0, -0.0), "zeros"),
    ],
)
def test_vectors_that_cannot_be_compared_are_refused_by_field(raw: bytes, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words) as refused:
        from_bytes(raw, 2, field="memories[3].embedding")
    assert refused.value.reason == "EMBEDDING_INVALID"
    assert refused.value.violations[0].field == "memories[3].embedding"


@pytest.mark.parametrize("values", [[nan, 1.0], [0.0, 0.0], [[1.0], [2.0]]])
def test_such_vectors_are_not_sent_either(values: object) -> None:
    with pytest.raises(InvalidArgument) as refused:
        to_bytes(np.asarray(values))
    assert refused.value.reason == "EMBEDDING_INVALID"


@given(vectors)
def test_normalised_vectors_have_length_1(values: list[float]) -> None:
    assert np.linalg.norm(normalise(values)) == pytest.approx(1, abs=1e-5)


def test_normalise_keeps_shape_and_zero_rows() -> None:
    rows = normalise([[3.0, 4.0], [0.0, 0.0], [3e38, 3e38]])
    assert rows.shape == (3, 2)
    assert rows[0].tolist() == pytest.approx([0.6, 0.8])
    assert rows[1].tolist() == [0.0, 0.0]
    assert rows[2].tolist() == pytest.approx([0.5**0.5] * 2)


def test_top_k_is_exact_and_ties_go_to_the_smaller_row() -> None:
    found = top_k([1.0, 0.0], [[0.0, 1.0], [2.0, 0.0], [1.0, 1.0], [5.0, 0.0]], 3)
    assert [row for row, _ in found] == [1, 3, 2]
    assert [cosine for _, cosine in found] == pytest.approx([1, 1, 0.5**0.5])
    assert [row for row, _ in top_k([1.0, 0.0], [[2.0, 0.0], [0.0, 1.0]] * 200, 200)] == list(range(0, 400, 2))
    assert top_k([1.0], np.empty((0, 1)), 5) == top_k([1.0], [[1.0]], 0) == []

"""The pure parts of the speed benchmark: sizes, percentiles, recall at k, what is planted in a made tenant.

Rules: no database, no clock.
"""

import numpy as np
import pytest
from candor.ingest.v1.memories_pb2 import NewMemory
from google.protobuf.json_format import MessageToDict
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.speed.figures import percentile, recall_at, zipf_sizes
from tests.bench.speed.labels import FIFTY, PLANTED, Labels
from tests.bench.speed.texts import Perturbed, Texts, name, perturbed


@given(count=st.integers(1, 300), more=st.integers(0, 5_000))
def test_zipf_sizes_fall_and_sum_to_all(count: int, more: int) -> None:
    sizes = zipf_sizes(count, count + more)
    assert len(sizes) == count
    assert sum(sizes) == count + more
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] >= 1


def test_the_second_of_many_tenants_has_about_half_of_the_first() -> None:
    sizes = zipf_sizes(1_000, 100_000)
    assert sizes[0] / sizes[1] == pytest.approx(2, rel=0.05)
    assert 30 in range(sizes[500], sizes[400])


def test_there_are_no_tenants_without_memories() -> None:
    with pytest.raises(ValueError, match="fewer memories"):
        zipf_sizes(10, 9)


def test_percentiles_lie_between_neighbours() -> None:
    assert percentile([1, 2, 3, 4, 5], 50) == 3
    assert percentile([0, 10], 95) == pytest.approx(9.5)


def test_recall_counts_what_is_among_the_best() -> None:
    exact = {0: 0.9, 1: 0.8, 2: 0.7, 3: 0.6}
    assert recall_at(2, [0, 1], exact) == 1
    assert recall_at(2, [1, 3], exact) == 0.5
    assert recall_at(2, [3, 2, 0, 1], exact) == 0  # what comes after k does not count
    assert recall_at(2, [], exact) == 0


def test_equal_scores_are_equally_right() -> None:
    exact = {0: 0.9, 1: 0.5, 2: 0.5, 3: 0.4999, 4: 0.4}
    assert recall_at(2, [0, 2], exact) == 1
    assert recall_at(2, [0, 3], exact) == 1  # differs by rounding only
    assert recall_at(2, [0, 4], exact) == 0.5


def test_fewer_matches_than_k_are_all_that_is_wanted() -> None:
    exact = np.array([0.5, 0.0, 0.0])
    assert recall_at(20, [0, 1, 2], exact) == 1
    assert recall_at(20, [1, 2], exact) == 0
    assert recall_at(20, [1], np.zeros(3)) == 1


def test_names_are_distinct() -> None:
    names = [name(rank) for rank in range(20_000)]
    assert len(set(names)) == len(names)


def test_a_batch_does_not_depend_on_where_the_others_begin() -> None:
    texts = Texts(["one two three", "four five six"], [], "")
    vectors = np.eye(2, dtype=np.float32)
    whole = [made for batch in perturbed(texts, vectors, range(20), 10) for made in batch]
    later = [made for batch in perturbed(texts, vectors, range(10, 20), 10) for made in batch]
    assert whole[10:] == later


@pytest.fixture(scope="module")
def tenant() -> list[NewMemory]:
    labels = Labels(5_000, "model")
    return [labels.memory(Perturbed(number, "text", b"")) for number in range(5_000)]


@pytest.mark.parametrize("planted", PLANTED)
def test_each_planted_filter_leaves_fifty(tenant: list[NewMemory], planted: str) -> None:
    (field, value), *_ = PLANTED[planted].items()
    wanted = [f"KIND_{str(value).upper()}"] if field == "kind" else value if isinstance(value, list) else [value]
    told = (MessageToDict(memory).get("importance" if field == "minImportance" else field) for memory in tenant)
    carried = [each if isinstance(each, list) else [each] for each in told]
    assert sum(set(wanted) <= set(each) for each in carried) == FIFTY


def test_scopes_have_the_size_they_say() -> None:
    labels = Labels(100_000, "model")
    found = [labels.scope(number) for number in range(labels.rows)]
    assert {period: found.count(period) for period, _ in labels.scopes()} == dict(labels.scopes())

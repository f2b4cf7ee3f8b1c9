"""Clusters are complete, of one lane, bounded, and the same whatever the order of the input."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from uuid import UUID

import numpy as np
import pytest

from shared.domain.clusters import CLUSTER_MAX, LINK_COSINE, Candidate, cluster, lane_of
from shared.domain.types import Draft, MemoryKind
from shared.domain.vectors import Vector, normalise


def at(degrees: float) -> Vector:
    return normalise(np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], np.float32))


def line(angles: Sequence[float], lane: str = "l", texts: Sequence[str] = ()) -> list[Candidate]:
    return [
        Candidate(UUID(int=n + 1), lane, texts[n] if texts else f"text {n}", at(angle))
        for n, angle in enumerate(angles)
    ]


def every(candidates: Sequence[Candidate]) -> list[tuple[UUID, UUID]]:
    return [(one.memory_id, other.memory_id) for one, other in combinations(candidates, 2)]


def numbers(candidates: Sequence[Candidate], edges: Sequence[tuple[UUID, UUID]]) -> list[list[int]]:
    return [[one.int for one in members] for members in cluster(candidates, edges).clusters]


def test_a_chain_of_neighbours_is_no_cluster_unless_all_are_near_to_each_other() -> None:
    near = line([0, 5, 10, 200])
    assert numbers(near, every(near)) == [[1, 2, 3]]
    chain = line([0, 25, 50, 75, 100])  # 31.8 degrees are LINK_COSINE: each is near only to the next
    assert numbers(chain, every(chain)) == []
    for clustered in cluster(line(range(0, 180, 4)), every(line(range(0, 180, 4)))).clusters:
        vectors = np.stack([at((one.int - 1) * 4) for one in clustered])
        assert (vectors @ vectors.T).min() >= LINK_COSINE - 1e-6


def test_two_make_a_cluster_only_in_the_same_words() -> None:
    assert numbers(line([0, 1]), every(line([0, 1]))) == []
    assert numbers(line([0, 90], texts=["same", "same"]), []) == [[1, 2]]  # other days, other vectors


def test_lanes_are_never_mixed_and_strangers_are_passed_over() -> None:
    mixed = [*line([0, 0]), Candidate(UUID(int=9), "other", "text", at(0))]
    assert numbers(mixed, [*every(mixed), (UUID(int=1), UUID(int=77))]) == []


def test_the_result_does_not_depend_on_the_order_of_the_input() -> None:
    chance = Random(5)
    candidates = line([chance.uniform(0, 360) for _ in range(120)])
    edges = every(candidates)
    expected = cluster(candidates, edges)
    assert expected.clusters
    for _ in range(3):
        chance.shuffle(candidates)
        chance.shuffle(edges)
        assert cluster(candidates, [(b, a) for a, b in edges]) == expected


def test_a_flood_of_the_same_words_takes_work_in_proportion_to_it() -> None:
    flood = line([0] * 1_000, texts=["x"] * 1_000)
    found = cluster(flood, [])
    assert [len(members) for members in found.clusters] == [CLUSTER_MAX] * (1_000 // CLUSTER_MAX)
    assert found.pairs <= 1_000 * CLUSTER_MAX


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("The invoice is over 18,900 euros.", {}),  # the reference merged 18,400 and 18,900
        ("The invoice is not over 18,400 euros.", {}),
        ("The invoice for Ana is over 18,400 euros.", {}),
        ("The invoice is over 18,400 euros.", {"metadata_json": '{"total": 18900}', "record": "INV-1"}),
        ("The invoice is over 18,400 euros.", {"speaker": "Ben"}),
        ("The invoice is over 18,400 euros.", {"period": "2026-05"}),
        ("The invoice is over 18,400 euros.", {"company": "Northwind"}),
        ("The invoice is over 18,400 euros.", {"kind": MemoryKind.INSIGHT}),
    ],
)
def test_what_differs_in_anything_that_counts_is_in_another_lane(text: str, given: dict[str, object]) -> None:
    usual = "The invoice is over 18,400 euros."
    mine = lane_of(Draft(MemoryKind.NOTE, usual), usual)
    assert mine == lane_of(Draft(MemoryKind.NOTE, usual, session="s", tags=("t",)), usual)
    fields: dict[str, object] = {"kind": MemoryKind.NOTE, "content": text, **given}
    assert lane_of(Draft(**fields), text) != mine  # type: ignore[arg-type]

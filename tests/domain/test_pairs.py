"""Which pairs are worth judging, and in what order: against brute force over every two members."""

from datetime import UTC, datetime
from uuid import UUID

import numpy as np
import pytest

from shared.domain.pairs import (
    MICRO,
    Collection,
    Member,
    Place,
    bearing_of,
    compare_all,
    gate_cosine,
    sift,
    statement_hash,
)

DAY = [datetime(2026, 5, day, tzinfo=UTC) for day in range(1, 29)]


def members(*texts: str, **given: object) -> list[Member]:
    return [Member(UUID(int=n + 1), text, **given) for n, text in enumerate(texts)]  # type: ignore[arg-type]


def compared(those: list[Member], vectors: list[list[float]], threshold: float = 0.5) -> list[Place]:
    sifted = compare_all(those, np.array(vectors, np.float16), np.arange(len(those)), threshold)
    collection = Collection()
    collection.add(those, sifted)
    assert collection.eligible == len(collection.places())
    return collection.places()


def ids(places: list[Place]) -> list[tuple[int, int]]:
    return [(place.first.int, place.second.int) for place in places]


def test_the_gate_belongs_to_the_embedding_model() -> None:
    assert gate_cosine("text-embedding-v4") == 0.75
    assert gate_cosine("all-MiniLM-L6-v2") == 0.50
    assert gate_cosine("some-other-model") == 0.75


def test_pairs_come_in_falling_similarity_and_equal_ones_by_ids() -> None:
    those = members("one", "two", "three", "four")
    places = compared(those, [[1, 0], [1, 0.5], [1, 0], [0, 1]])
    assert ids(places) == [(1, 3), (1, 2), (2, 3)]
    assert places[1].similarity == places[2].similarity
    assert places[0].similarity == 1


@pytest.mark.parametrize("seed", range(5))
def test_it_equals_brute_force_whatever_the_blocks_and_passages(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 5, size=40)
    owners = np.repeat(np.arange(40), counts)
    vectors = rng.normal(size=(len(owners), 6)).astype(np.float16)
    those = members(*(f"text {n}" for n in range(40)))
    exact = vectors.astype(np.float64)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    best: dict[tuple[int, int], float] = {}
    for i, a in enumerate(owners.tolist()):
        for j, b in enumerate(owners.tolist()):
            if a < b:
                best[a, b] = max(best.get((a, b), -1), float(exact[i] @ exact[j]))
    wanted = sorted((-round(cosine * MICRO), a + 1, b + 1) for (a, b), cosine in best.items() if cosine >= 0.6)
    for rows in (512, 7, 1):
        monkeypatch.setattr("shared.domain.pairs._BLOCK_ROWS", rows)
        collection = Collection()
        collection.add(those, compare_all(those, vectors, owners, 0.6))
        found = [(place.falling, place.first.int, place.second.int) for place in collection.places()]
        assert found == wanted
        assert len(wanted) > 20


def test_different_periods_are_no_pair_and_a_missing_one_meets_all() -> None:
    those = [Member(UUID(int=n + 1), f"text {n}", period) for n, period in enumerate(["2026-04", "2026-05", None])]
    assert ids(compared(those, [[1, 0]] * 3)) == [(1, 3), (2, 3)]


def test_intervals_that_end_before_each_other_are_no_pair() -> None:
    until, since = Member(UUID(int=1), "a", None, DAY[0], DAY[5]), Member(UUID(int=2), "b", None, DAY[5])
    during, unknown = Member(UUID(int=3), "c", None, DAY[4], DAY[6]), Member(UUID(int=4), "d")
    assert ids(compared([until, since, during, unknown], [[1, 0]] * 4)) == [(1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]


def test_the_same_words_after_folding_are_a_restatement() -> None:
    those = members("Acme pays on time.", "ACME  pays on time.", "Acme pays late.")
    sifted = compare_all(those, np.ones((3, 2), np.float16), np.arange(3), 0.5)
    assert (sifted.restatements, sifted.first.tolist(), sifted.second.tolist()) == (1, [0, 1], [2, 2])


@pytest.mark.parametrize(
    ("a", "b", "restates"),
    [
        ("Acme sent the invoice on 3 May.", "The invoice came from Acme on 3 May.", True),
        ("The invoice was paid.", "The invoice was not paid.", False),
        ("The invoice is paid.", "The invoice is unpaid.", False),
        ("It came to 18,400 euros.", "It came to 18,900 euros.", False),
    ],
)
def test_the_same_assertions_are_a_restatement_unless_the_texts_are_opposed(a: str, b: str, restates: bool) -> None:
    assert (bearing_of(a) == bearing_of(b)) == restates
    those = members(a, b, claims="the same")
    assert (compared(those, [[1, 0], [1, 0]]) == []) == restates
    others = [Member(UUID(int=1), a, claims="one"), Member(UUID(int=2), b, claims="other")]
    assert len(compared(others, [[1, 0], [1, 0]])) == 1
    assert len(compared(members(a, b), [[1, 0], [1, 0]])) == 1


def test_a_collection_goes_on_after_any_place_and_keeps_no_more_than_asked() -> None:
    rng = np.random.default_rng(3)
    those = members(*(f"text {n}" for n in range(30)))
    vectors = rng.integers(0, 2, size=(30, 4)) + 0.5
    sifted = compare_all(those, vectors.astype(np.float16), np.arange(30), 0.5)
    whole = Collection()
    whole.add(those, sifted)
    order = whole.places()
    assert len(order) > 100
    assert len({place.falling for place in order}) < len(order) / 2  # many ties
    for start in (0, 1, 50, len(order) - 1):
        part = Collection(after=order[start], most=9)
        for begin in range(0, len(sifted.micros), 20):  # in pieces, as pages bring them
            piece = slice(begin, begin + 20)
            part.add(those, type(sifted)(sifted.micros[piece], sifted.first[piece], sifted.second[piece], 0))
        assert part.places() == order[start + 1 : start + 10]
        assert part.eligible == len(order)


def test_pairs_found_from_both_sides_count_once() -> None:
    those = members("a", "b", "c")
    found = sift(those, np.array([900_000, 800_000]), np.array([0, 1]), np.array([1, 2]))
    collection = Collection()
    collection.add(those, found, found_once=False)
    collection.add(those, found, found_once=False)
    assert (collection.eligible, len(collection.places()), collection.is_exact) == (2, 2, True)


def test_a_statements_hash_belongs_to_its_tenant_and_to_every_part() -> None:
    one = statement_hash(UUID(int=1), b"k" * 32, "ab", None, "c")
    assert one == statement_hash(UUID(int=1), b"k" * 32, "ab", None, "c")
    others = [
        statement_hash(UUID(int=2), b"k" * 32, "ab", None, "c"),
        statement_hash(UUID(int=1), b"x" * 32, "ab", None, "c"),
        statement_hash(UUID(int=1), b"k" * 32, "ab", "", "c"),
        statement_hash(UUID(int=1), b"k" * 32, "a", "b", "c"),
    ]
    assert one not in others
    assert len(one) == 32

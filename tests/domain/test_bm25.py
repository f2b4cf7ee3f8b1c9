"""BM25 weights, the choice of query terms within a budget, exact ranking."""

from collections import Counter
from itertools import pairwise, permutations
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.bm25 import (
    ATTRACTION,
    K1,
    PAIRS_ENOUGH,
    PAIRS_MAX,
    WEIGHTS_MAX_TERMS,
    Chosen,
    choose,
    choose_terms,
    choose_words,
    idf,
    idfs,
    rank,
    score,
    weights,
)

term_lists = st.lists(st.integers(1, 50), min_size=1, max_size=60)
averages = st.floats(0.1, 10_000)


@given(term_lists, averages)
def test_weights_are_positive_bounded_and_grow_with_frequency(terms: list[int], average: float) -> None:
    weighed = weights(terms, length=len(terms), average_length=average)
    counts = Counter(terms)
    assert weighed.keys() == counts.keys()
    assert all(0 < weight < K1 + 1 for weight in weighed.values())
    for one, other in pairwise(counts):
        if counts[one] > counts[other]:
            assert weighed[one] > weighed[other]
        elif counts[one] == counts[other]:
            assert weighed[one] == weighed[other]


@given(term_lists, averages)
def test_one_more_occurrence_weighs_more_and_a_longer_memory_less(terms: list[int], average: float) -> None:
    term, length = terms[0], len(terms)
    before = weights(terms, length=length, average_length=average)[term]
    assert weights([*terms, term], length=length, average_length=average)[term] > before
    assert weights(terms, length=length + 1, average_length=average)[term] < before


def test_weight_follows_the_formula() -> None:
    # tf 2, as long as the average: 2 * 1.9 / (2 + 0.9); twice as long: norm 0.9 * (0.6 + 0.4 * 2) = 1.26.
    assert weights([7, 7], length=2, average_length=2)[7] == pytest.approx(2 * 1.9 / 2.9)
    assert weights([7, 7], length=4, average_length=2)[7] == pytest.approx(2 * 1.9 / 3.26)
    assert weights([7, 7], length=2, average_length=0) == weights([7, 7], length=2, average_length=2)
    assert weights([], length=0, average_length=5) == {}


def test_only_the_heaviest_terms_fit_the_sparse_vector() -> None:
    once = list(range(1, WEIGHTS_MAX_TERMS + 11))
    heavy = once[-10:]
    kept = weights(once + heavy, length=len(once) + 10, average_length=100)
    assert len(kept) == WEIGHTS_MAX_TERMS
    assert set(heavy) <= kept.keys()
    assert once[0] in kept and once[-11] not in kept  # ties: smaller id


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_idf_is_positive_and_falls_with_frequency(frequency: int, documents: int) -> None:
    assert idf(frequency, documents) > 0
    assert idf(frequency + 1, documents) < idf(frequency, documents)


def test_idf_follows_the_formula() -> None:
    assert idf(3, 10) == pytest.approx(log(1 + 7.5 / 3.5))


frequency_maps = st.dictionaries(st.integers(1, 1000), st.integers(0, 5_000), max_size=20)


@given(frequency_maps, st.integers(0, 5_000))
def test_postings_stay_within_the_budget_but_for_one_term(frequencies: dict[int, int], budget: int) -> None:
    chosen = [term for term, _ in choose_terms(frequencies, 10_000, postings_budget=budget)]
    occurring = [term for term in chosen if frequencies[term] > 0]
    assert sum(frequencies[term] for term in chosen) <= budget or len(occurring) == 1
    assert bool(occurring) == any(frequencies.values())
    assert {term for term, frequency in frequencies.items() if frequency == 0} <= set(chosen)


@given(frequency_maps, st.integers(0, 5_000))
def test_the_rarest_terms_are_chosen_whatever_the_order(frequencies: dict[int, int], budget: int) -> None:
    chosen = choose_terms(frequencies, 10_000, postings_budget=budget)
    left_out = frequencies.keys() - {term for term, _ in chosen}
    assert chosen == choose_terms(dict(reversed(frequencies.items())), 10_000, postings_budget=budget)
    assert [weight for _, weight in chosen] == sorted((weight for _, weight in chosen), reverse=True)
    if left_out and chosen:
        assert max(frequencies[term] for term, _ in chosen) <= min(frequencies[term] for term in left_out)


@pytest.mark.parametrize(
    ("frequencies", "budget", "expected"),
    [
        ({1: 40, 2: 60, 3: 1}, 101, [3, 1, 2]),
        ({1: 40, 2: 60, 3: 1}, 100, [3, 1]),
        ({1: 0, 2: 5_000, 3: 6_000}, 100, [1, 2]),  # a term that never occurs is not the one that is always taken
        ({5: 7, 4: 7}, 7, [4]),
        ({1: 9_000}, 0, [1]),
        ({}, 100, []),
    ],
)
def test_choice_of_terms(frequencies: dict[int, int], budget: int, expected: list[int]) -> None:
    assert [term for term, _ in choose_terms(frequencies, 10_000, postings_budget=budget)] == expected


@pytest.mark.parametrize(
    ("words", "budget", "expected"),
    [
        ([(1, 2), (3,)], 100, [3]),  # 1 alone is rare, its word is not
        ([(1, 2), (3,)], 8_000, [3, 1, 2]),
        ([(1, 2)], 100, [1, 2]),  # the rarest word is taken whole
        ([(1, 9), (2,), (3,)], 100, [1, 9, 3]),  # one that is unknown costs nothing
        ([], 100, []),
    ],
)
def test_a_word_is_chosen_with_all_its_terms(words: list[tuple[int, ...]], budget: int, expected: list[int]) -> None:
    assert choose_words(words, {1: 2, 2: 7_000, 3: 60}, postings_budget=budget) == expected


words_and_frequencies = st.dictionaries(st.integers(1, 30), st.integers(0, 5_000), max_size=20).flatmap(
    lambda counts: st.tuples(st.lists(st.tuples(*[st.sampled_from([*counts, 99])] * 2), max_size=8), st.just(counts))
)


@given(words_and_frequencies, st.integers(0, 5_000), st.integers(0, 5_000))
def test_pairs_are_of_words_that_are_not_taken(
    asked: tuple[list[tuple[int, ...]], dict[int, int]], budget: int, of_pairs: int
) -> None:
    words, frequencies = asked
    chosen = choose(words, frequencies, 10_000, postings_budget=budget, pairs_budget=of_pairs)
    expected = [ATTRACTION * frequencies[one] * frequencies[other] / 10_000 for one, other in chosen.pairs]
    assert sum(expected) <= of_pairs
    assert len(set(chosen.pairs)) == len(chosen.pairs) <= PAIRS_MAX
    for one, other in chosen.pairs:
        assert not {one, other} & {*chosen.terms}
        assert any(one in first and other in second for first, second in permutations(words, 2))
    alone = choose_words(words, frequencies, postings_budget=budget)
    assert chosen.terms == tuple(alone) or sum(expected) >= PAIRS_ENOUGH


@pytest.mark.parametrize(
    ("words", "budget", "of_pairs", "expected"),
    [
        ([(1,), (2,), (3,)], 100, 2_000, Chosen((1,), ((2, 3),))),  # 2 and 3 are expected together in 800
        ([(1,), (2,), (3,)], 100, 799, Chosen((1,), ())),
        ([(2,), (3,)], 100, 2_000, Chosen((), ((2, 3),))),  # none is over the budget when pairs bring enough
        ([(2,), (4,)], 100, 2_000, Chosen((4,), ())),  # 4 and 2: 400 are not enough
        ([(2, 5), (3,)], 100, 4_000, Chosen((), ((2, 3), (3, 5)))),  # each term of a word
        ([(2,), (2,)], 100, 4_000, Chosen((2,), ())),
        ([(9,), (2,), (3,)], 100, 2_000, Chosen((9,), ((2, 3),))),  # an unknown term costs nothing
        ([], 100, 2_000, Chosen((), ())),
    ],
)
def test_choice_of_pairs(words: list[tuple[int, ...]], budget: int, of_pairs: int, expected: Chosen) -> None:
    frequencies = {1: 60, 2: 2_000, 3: 2_000, 4: 1_000, 5: 2_500}
    assert choose(words, frequencies, 10_000, postings_budget=budget, pairs_budget=of_pairs) == expected


def test_rank_puts_the_rare_word_first_and_leaves_out_what_does_not_match() -> None:
    rare, common, other = 1, 2, 3
    documents = [[common, other], [common, common, other], [rare, other, other], [other]]
    assert [position for position, _ in rank([rare, common], documents)] == [2, 1, 0]
    assert rank([9], documents) == rank([rare], []) == []


@given(st.lists(st.lists(st.integers(1, 8), max_size=8), max_size=8), st.lists(st.integers(1, 8), max_size=4))
def test_rank_is_the_dot_product_the_database_computes(documents: list[list[int]], query: list[int]) -> None:
    average = sum(map(len, documents)) / max(1, len(documents))
    frequencies = {term: sum(term in document for document in documents) for term in set(query)}
    chosen = choose_terms(frequencies, len(documents), postings_budget=10**9)
    for position, exact in rank(query, documents):
        document = documents[position]
        assert score(chosen, weights(document, length=len(document), average_length=average)) == pytest.approx(exact)


def test_the_terms_of_one_word_tell_as_much_as_one_in_all_their_documents() -> None:
    told = idfs([(1,), (2, 3), (4, 5)], {1: 10, 2: 4, 3: 6, 4: 7}, 100)
    assert told == {1: idf(10, 100), 2: idf(10, 100), 3: idf(10, 100), 4: idf(7, 100), 5: idf(7, 100)}
    assert idfs([(1,), (1, 2)], {1: 5, 2: 20}, 100)[1] == idf(25, 100)
    assert idfs([], {}, 100) == {}

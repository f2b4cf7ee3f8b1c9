"""What a memory's place adds: neighbours, sessions, questions, lengths, names; and what it must never do."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.fusion import Fused, FusionWeights, fuse
from shared.domain.ranking_weights import CONVERSATION, UNMEASURED, WEIGHTS, weights_for
from shared.domain.structure import USUAL_CHARS, StructureWeights, structured


@dataclass(frozen=True, slots=True)
class Place:
    session: str | None = None
    asks: bool | None = None
    chars: int | None = None


TURN = Place("s1", False, USUAL_CHARS)
RECORD = Place()


def placed(
    scores: dict[int, float],
    places: dict[int, Place],
    weights: StructureWeights,
    beside: list[tuple[int, int]] = [],  # noqa: B006  # never changed
    speakers: set[int] = set(),  # noqa: B006
    companies: set[int] = set(),  # noqa: B006
) -> list[Fused[int]]:
    fused = fuse({}, scores, FusionWeights(0, 1), best_lexical=1.0)
    return structured(fused, places, beside, speakers, companies, weights)


def test_a_turn_gains_from_the_better_of_its_neighbours() -> None:
    weights = StructureWeights(neighbour=0.5)
    found = placed({1: 0.1, 2: 0.4, 3: 0.6}, dict.fromkeys((1, 2, 3), TURN), weights, [(1, 2), (3, 2)])
    assert [item.key for item in found] == [3, 2, 1]
    assert [item.score for item in found] == pytest.approx([0.8, 0.7, 0.3])
    assert found[1].structure == pytest.approx(0.3)
    assert found[1].fused == pytest.approx(0.4)
    # In whichever order they are named, and a neighbour that nothing brought adds nothing.
    assert placed({1: 0.4, 2: 0.6}, dict.fromkeys((1, 2), TURN), weights, [(2, 1), (1, 9)])[1].score == pytest.approx(
        0.7
    )


def test_a_session_that_answers_lifts_its_turns() -> None:
    places = {1: TURN, 2: TURN, 3: Place("s2", False, USUAL_CHARS)}
    found = placed({1: 0.5, 2: 0.4, 3: 0.42}, places, StructureWeights(session=0.3))
    assert [item.key for item in found] == [1, 2, 3]


def test_a_turn_that_asks_tells_little_and_a_short_one_less_than_a_long_one() -> None:
    places = {1: Place("s1", True, USUAL_CHARS), 2: Place("s2", False, USUAL_CHARS)}
    found = placed({1: 0.5, 2: 0.4}, places, StructureWeights(asks=0.25))
    assert [item.key for item in found] == [2, 1]
    assert [item.score for item in found] == pytest.approx([0.4, 0.375])
    sizes = {
        1: Place("s1", False, 5),
        2: Place("s2", False, 300),
        3: Place("s3", False, 10**6),
        4: Place("s4", False, 700),
    }
    by_length = placed(dict.fromkeys(sizes, 0.5), sizes, StructureWeights(length=0.1))
    assert [item.key for item in by_length] == [3, 4, 2, 1]
    assert by_length[0].score == by_length[1].score


def test_what_is_named_gains_only_where_it_leads() -> None:
    places = dict.fromkeys((1, 2, 3), TURN)
    weights = StructureWeights(speaker=0.2)
    leading = placed({1: 0.5, 2: 0.45, 3: 0.4}, places, weights, speakers={1, 3})
    assert [item.key for item in leading] == [1, 3, 2]
    assert leading[1].subject == pytest.approx(0.08)
    # Somebody else said it, or may have: the name in the question moves nothing.
    for scores in ({1: 0.5, 2: 0.6, 3: 0.55}, {1: 0.5, 2: 0.49, 3: 0.45}):
        kept = placed(scores, places, weights, speakers={1, 3})
        assert [item.key for item in kept] == sorted(scores, key=lambda key: -scores[key])
        assert all(item.subject == 0 for item in kept)


def test_without_turns_or_names_nothing_changes() -> None:
    scores = {1: 0.5, 2: 0.9}
    assert placed(scores, dict.fromkeys(scores, RECORD), CONVERSATION) == fuse(
        {}, scores, FusionWeights(0, 1), best_lexical=1.0
    )


def test_beside_turns_other_memories_keep_their_chances() -> None:
    """A turn with usual support is no better than a record of the same score."""
    weights = StructureWeights(neighbour=0.4, session=0.2)
    found = placed({1: 0.5, 2: 0.5, 3: 0.25}, {1: RECORD, 2: TURN, 3: TURN}, weights, [(2, 3)])
    record, turn = sorted(found, key=lambda item: item.key)[:2]
    assert record.score == pytest.approx(turn.score, rel=0.15)


scores_of = st.dictionaries(st.integers(1, 9), st.floats(0.001, 1), min_size=1)
place_of = st.builds(Place, st.sampled_from([None, "a", "b"]), st.booleans(), st.integers(0, 2000))


@given(scores_of, st.data())
def test_scores_stay_between_0_and_1_and_every_memory_stays(scores: dict[int, float], data: st.DataObject) -> None:
    places = {key: data.draw(place_of) for key in scores}
    pairs = data.draw(st.lists(st.tuples(st.sampled_from(list(scores)), st.integers(1, 12))))
    named = data.draw(st.sets(st.sampled_from(list(scores))))
    found = placed(scores, places, CONVERSATION, pairs, named, named)
    assert {item.key for item in found} == scores.keys()
    assert found == sorted(found, key=lambda item: (-item.score, item.key))
    assert all(0 <= item.score <= 1 for item in found)


def test_weights_belong_to_the_model() -> None:
    assert weights_for("all-MiniLM-L6-v2").fusion == FusionWeights(0.5, 0.5, dense_floor=-0.1, full_match=0.6)
    assert weights_for("text-embedding-v4").fusion.dense > 0.5
    assert weights_for("never heard of") == UNMEASURED
    assert all(sum((row.fusion.dense, row.fusion.lexical)) == pytest.approx(1) for row in WEIGHTS.values())

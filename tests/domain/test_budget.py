"""Packing: never above the budget, dated lines in order, worth per token, long and cut texts."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.budget import Told, packed, tokens_of

WHEN = "2026-03-04"


def told(content: str, score: float, **given: object) -> Told:
    fields = {"passage": None, "speaker": None, "when": WHEN, "score": score}
    return Told(content, **{**fields, **given})  # type: ignore[arg-type]


@given(
    st.lists(
        st.builds(told, st.text(max_size=400), st.floats(0, 1), speaker=st.none() | st.text(max_size=20)), max_size=30
    ),
    st.integers(0, 600),
)
def test_the_budget_is_never_exceeded(memories: list[Told], budget: int) -> None:
    found = packed(memories, budget)
    assert found.tokens == tokens_of(found.text) <= budget
    assert list(found.places) == sorted(set(found.places))
    assert len(found.text.splitlines()) == len(found.places) or not found.text.isprintable()


def test_lines_are_dated_numbered_and_in_the_order_of_scores() -> None:
    memories = [told("the total is 8,900", 1.0, speaker="Ann"), told("it was\n8,400", 0.9), told("no", 0.1)]
    found = packed(memories, 1000)
    assert found.text == "[1] [2026-03-04] Ann: the total is 8,900\n[2] [2026-03-04] it was 8,400\n[3] [2026-03-04] no"
    assert found.places == (0, 1, 2)


def test_a_short_line_of_little_worth_does_not_displace_the_answer() -> None:
    answer = told("the lease of the mill ends on the last day of June and is not renewed", 1.0)
    memories = [answer, *(told("ok", 0.4) for _ in range(20))]
    assert 0 in packed(memories, tokens_of("[99] [2026-03-04] " + answer.content) + 2).places


def test_a_long_line_gives_way_to_two_short_ones_of_about_its_score() -> None:
    long = told("word " * 60, 0.9)
    memories = [long, told("first half", 0.89), told("second half", 0.88)]
    assert packed(memories, 70).places == (1, 2)
    assert packed(memories, 200).places == (0, 1, 2)


def test_a_long_memory_is_told_by_its_best_passage() -> None:
    content = "start " * 300 + "the figure is 17 " + "end " * 300
    start = content.index("the figure")
    found = packed([told(content, 1.0, passage=(start, start + 16))], 300)
    assert found.text == "[1] [2026-03-04] …the figure is 17…"


def test_where_nothing_fits_the_best_is_cut() -> None:
    found = packed([told("one two three four five six seven eight nine ten " * 3, 1.0)], 25)
    assert found.text.startswith("[1] [2026-03-04] one")
    assert found.text.endswith("…")
    assert found.tokens <= 25
    assert packed([told("anything", 1.0)], 5) == packed([], 5)

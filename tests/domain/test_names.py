"""Names in questions: which are found, which are left out, and when they stay."""

import pytest

from shared.domain.names import companies_named, named, names_of, without_names


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("Caroline", ("Caroline",)),
        ("Maria del Valle", ("Maria", "Valle")),
        ("user", ()),
        ("assistant-2", ()),
        ("J. Wu", ("Wu",)),
        ("민수", ("민수",)),
        ("王", ()),
        ("", ()),
    ],
)
def test_names_of_a_label(label: str, names: tuple[str, ...]) -> None:
    assert names_of(label) == names


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What did Caroline's sister paint?", "What did sister paint?"),
        ("When did Melanie and Caroline meet at the lake?", "When did and meet at the lake?"),
        ("Which carolines are known?", "Which carolines are known?"),
        ("What about Caroline?", "What about Caroline?"),  # nothing of substance would be left
        ("nobody is named", "nobody is named"),
    ],
)
def test_a_question_without_names(text: str, left: str) -> None:
    assert without_names(text, ("Caroline", "Melanie", "user")) == left


def test_labels_that_are_named() -> None:
    labels = ("Caroline", "Maria del Valle", "user", "민수")
    assert named("Did Maria ask the user about 민수?", labels) == {"Maria del Valle", "민수"}
    assert named("will caroline come", labels) == frozenset()


def test_companies_that_are_named() -> None:
    keys = ("pinnorak foods", "brackwater ceramics", "the mill", "")
    assert companies_named("INV-5521 at Pinnorak, how many dollars?", keys) == {"pinnorak foods"}
    assert companies_named("the foods of the mill", keys) == frozenset()

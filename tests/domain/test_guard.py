"""The guard on every labelled answer: honest ones pass, lies fail with their code; precision and recall are printed."""

import pytest

from shared.domain.guard import check
from shared.domain.support import Source
from tests.domain.guard_cases import DEVELOPED, HELD_OUT, NAMED, Scene

SCENES = NAMED + DEVELOPED + HELD_OUT
HONEST = [pytest.param(scene, answer, id=answer) for scene in SCENES for answer in scene.honest]
LIES = [pytest.param(scene, answer, code, id=answer) for scene in SCENES for answer, code in scene.lies]


@pytest.mark.parametrize(("scene", "answer"), HONEST)
def test_an_honest_answer_passes(scene: Scene, answer: str) -> None:
    assert check(answer, scene.memories, scene.contested).failures == ()


@pytest.mark.parametrize(("scene", "answer", "code"), LIES)
def test_a_lie_is_refused(scene: Scene, answer: str, code: str) -> None:
    assert code in {failure.code for failure in check(answer, scene.memories, scene.contested).failures}


def test_precision_and_recall_of_the_guard() -> None:
    refused_honest = [
        answer for scene in SCENES for answer in scene.honest if not check(answer, scene.memories, scene.contested).ok
    ]
    lies = [(scene, answer) for scene in SCENES for answer, _ in scene.lies]
    passed_lies = [answer for scene, answer in lies if check(answer, scene.memories, scene.contested).ok]
    caught = len(lies) - len(passed_lies)
    refused = caught + len(refused_honest)
    figures = (
        f"precision {caught / refused:.3f} ({caught}/{refused}), "
        f"recall {caught / len(lies):.3f} ({caught}/{len(lies)}), "
        f"honest passed {len(HONEST) - len(refused_honest)}/{len(HONEST)}"
    )
    print(figures)
    assert not refused_honest and not passed_lies, f"{figures}\nrefused: {refused_honest}\npassed: {passed_lies}"


def test_a_number_behind_a_name_counts_no_verb() -> None:
    memory = Source("Crate 12 weighs 2.5 tonnes and travels 300 km.")
    assert check("Crate 12 travels 300 kilometres and weighs 2.5 t [1].", (memory,)).ok


@pytest.mark.parametrize("amount", ["500 US dollars", "500 Swiss francs", "$500", "500 dollars"])
def test_another_currency_in_words_is_another_amount(amount: str) -> None:
    verdict = check(f"The fee is {amount} [1].", (Source("The fee is EUR 500."),))
    assert [failure.code for failure in verdict.failures][:1] == ["CURRENCY_MISMATCH"]
    assert check("The fee is 500 US dollars [1].", (Source("The fee is USD 500."),)).ok

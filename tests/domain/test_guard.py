"""The guard on every labelled answer: honest ones pass, lies fail with their code; precision and recall are printed."""

import pytest

from shared.domain.guard import check
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

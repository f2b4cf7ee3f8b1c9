"""How much statements matter, how they age, what protects them."""

import pytest

from shared.domain.extraction.facts import Weighed
from shared.domain.extraction.importance import weigh
from shared.domain.types import Guard, MemoryType
from tests.domain.extraction.turns import facts

SEMANTIC, EPISODIC = MemoryType.SEMANTIC, MemoryType.EPISODIC


@pytest.mark.parametrize(
    ("text", "low", "high", "ages", "guard"),
    [
        ("I'm allergic to peanuts. It's serious.", 0.9, 1.0, SEMANTIC, Guard.SAFETY),
        ("My emergency injector is in the desk drawer.", 0.9, 1.0, SEMANTIC, Guard.SAFETY),
        ("I take warfarin every day.", 0.9, 1.0, SEMANTIC, Guard.SAFETY),
        ("Remember that my locker code is 4711.", 0.8, 0.95, SEMANTIC, Guard.EXPLICIT),
        ("It is important to me that you never use emojis.", 0.8, 0.95, SEMANTIC, Guard.EXPLICIT),
        ("The tax return is due on 30 June.", 0.75, 0.9, SEMANTIC, Guard.COMMITMENT),
        ("I promised Tomas to send the slides by 12 May.", 0.75, 0.9, SEMANTIC, Guard.COMMITMENT),
        ("I live in Lisbon.", 0.6, 0.85, SEMANTIC, Guard.NONE),
        ("My usual order is a cortado.", 0.5, 0.7, SEMANTIC, Guard.NONE),
        ("I hate early meetings.", 0.5, 0.7, SEMANTIC, Guard.NONE),
        ("I'm thinking of moving to Ghent next year.", 0.4, 0.6, SEMANTIC, Guard.NONE),
        ("I saw Paper Comets at the cinema.", 0.25, 0.4, EPISODIC, Guard.NONE),
        ("The lift is broken again today.", 0.0, 0.2, EPISODIC, Guard.NONE),
        ("How do I boil eggs?", 0.0, 0.2, EPISODIC, Guard.NONE),
        ("Is celery a common allergen?", 0.0, 0.2, EPISODIC, Guard.NONE),
    ],
)
def test_a_statement_weighs_by_its_reason(text: str, low: float, high: float, ages: MemoryType, guard: Guard) -> None:
    found = [Weighed(fact.text, fact.slot, fact.evidence) for fact in facts(text)] or [Weighed(text)]
    scores = weigh(found)
    assert low <= max(score.importance for score in scores) <= high
    assert (scores[0].memory_type, scores[0].protection) == (ages, guard)
    assert scores[0].reason


def test_a_commitment_that_is_over_is_not_protected() -> None:
    (fact,) = facts("I handed in the grant report today, so that's done.", {"slot.due.grant_report": "2026-04-02"})
    (score,) = weigh([Weighed(fact.text, fact.slot, fact.evidence)])
    assert (score.protection, score.memory_type) == (Guard.NONE, EPISODIC)


def test_what_is_specific_weighs_more() -> None:
    vague, specific = weigh([Weighed("I play an instrument."), Weighed("I play the cello in the Harbour Quartet.")])
    assert specific.importance > vague.importance


def test_scores_come_in_the_order_of_the_statements_and_a_turn_weighs_as_its_best_sentence() -> None:
    turn = "It rained again today. I hate early meetings."
    scores = weigh([Weighed("It rained again today."), Weighed(turn)])
    assert scores[0].importance <= 0.2 < scores[1].importance
    assert weigh([]) == ()

"""Sentences that fill no slot: kept as they stand where they tell something lasting, in any of five languages."""

import pytest

from tests.domain.extraction.turns import facts

KEPT = """
I prefer short answers without emojis.
I hate early meetings.
I never fly on Mondays.
I have two kids, Noor and Emeka.
I'm thinking of moving to Ghent next year.
When it rains I take the tram to work, otherwise the bicycle.
I started learning Korean.
I decided to sell the boat.
Please remember that the bins go out on Tuesdays.
Ich wohne seit gestern in Leipzig.
J'habite à Lyon et mon chat s'appelle Figaro.
Yo vivo en Sevilla y trabajo en una panadería.
我住在里斯本。
저는 서울에 살아요.
"""
DROPPED = """
What a day.
It rained all afternoon.
The train was late again.
I slept badly today, and tomorrow is another day.
Not much to report: the lift is broken again, so I took the stairs.
How do I boil eggs so they peel well?
Can you explain how to sharpen kitchen knives?
Write me a limerick about my cat.
Thanks, that was helpful!
Wie spät ist es bei dir?
你好吗？
Der Himmel ist heute grau.
"""


@pytest.mark.parametrize("text", KEPT.strip().splitlines())
def test_what_lasts_is_kept_word_for_word(text: str) -> None:
    assert [(fact.slot, fact.text, fact.evidence) for fact in facts(text)] == [("", text, text)]


@pytest.mark.parametrize("text", DROPPED.strip().splitlines())
def test_small_talk_questions_and_requests_are_not(text: str) -> None:
    assert facts(text) == ()

"""Which questions ask for the past, and which only seem to."""

import pytest

from shared.domain.history_questions import asks_for_past

PAST = """
Where did I live before?
Which city did I live in before this one?
Who was my previous employer?
What did I use to drink in the morning?
Which editor did I formerly use?
Where was I living before Lisbon?
What did Ann do before she joined Acme?
What was my first job?
What was my last employer called?
Since when do I live in Berlin?
How long have I been working at Acme?
When did I move to Lisbon?
Until when did I live in Berlin?
Where did I live until 2024?
What is my old address? I mean, what was my old address?
What do I no longer drink?
Have I ever lived in Spain?
Where did I live in March?
Where was my sister living two years ago?
How has my rent changed?
Which phone did my new one replace?
I used to drink something else, what was it?
Wo habe ich früher gewohnt?
Seit wann arbeite ich bei Acme?
Wie lange wohne ich schon hier?
Was war mein voriger Beruf?
Wann bin ich nach Lissabon gezogen?
我以前住在哪里？
我什么时候搬到里斯本的？
我上一份工作是什么？
我在这里住了多久了？
예전에 어디 살았어?
언제부터 여기서 일했지?
나는 전에 어디 살았어?
"""
PRESENT = """
Where do I live?
What is due before Friday?
What must I finish before the meeting?
Remind me to call Ann before lunch
How long is the flight to Lisbon?
How long does the form take?
How long will the meeting be?
What is my first name?
What was in last week's invoice?
What is a rasp used to do?
Am I used to spicy food?
When is my dentist appointment?
When does the lease end?
What is my last name?
What is the total of INV-5521?
Is the earlier today call moved?
Who is my employer now?
What is due until Friday?
Bis wann muss ich den Bericht abgeben?
Wie lange dauert der Flug?
Wo wohne ich?
我住在哪里？
周五之前要完成什么？
我的会议是什么时候？
어디 살아?
회의가 언제야?
금요일 전에 뭘 끝내야 해?
"""


@pytest.mark.parametrize("question", PAST.strip().splitlines())
def test_it_asks_for_the_past(question: str) -> None:
    assert asks_for_past(question)


@pytest.mark.parametrize("question", PRESENT.strip().splitlines())
def test_it_asks_for_what_holds(question: str) -> None:
    assert not asks_for_past(question)


def test_a_long_text_of_verbs_is_read_to_a_bound() -> None:
    assert not asks_for_past("was did had " * 300 + "before x")

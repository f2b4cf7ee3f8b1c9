"""What the local judge finds, and what it leaves alone, where two statements share no opposed word and no word order.

Rules: pairs of our own, none from the fixtures; each rule has pairs that it must find and pairs that look like them.
It does not know how often real memory holds such pairs (tests/bench/meaning.py).
Source: the rules of meaning/ways.py, meaning/loose.py, meaning/spans.py, meaning/sole.py, meaning/numerals.py.
"""

import pytest

from shared.domain.meaning.judge import MeaningVerdict, Stated, judge_pair
from shared.domain.meaning.numerals import plain_numerals

FIGURES = (
    (
        "Parcel insurance at Merrow covers losses of up to 500 euros.",
        "Merrow's parcel insurance pays out at most EUR 750.",
    ),
    ("Our lease in Kendal runs for five years.", "The Kendal lease was signed for three years."),
    ("The Lark survey went to 240 households.", "The Lark survey covered 310 households."),
    ("The deposit on the van is 300 pounds.", "We had to leave a deposit of GBP 450 for the van."),
    ("The Orme canteen serves lunch from 11:30.", "Lunch in the Orme canteen starts at noon."),
    ("Der Tank fasst 2.000 Liter.", "In den Tank passen 1.500 Liter."),
    ("会议室可容纳三十人。", "会议室最多坐二十人。"),
    ("배송비는 3,000원이다.", "배송비로 5,000원을 낸다."),
)
WAYS = (
    ("The auditors signed off Calder's accounts.", "The auditors refused to sign off Calder's accounts."),
    ("The north gate is kept locked at night.", "At night the north gate stands open."),
    ("The Stamm order was cancelled on 3 May.", "The Stamm order was carried out as agreed."),
    ("Kestrel has ruled out moving to Leeds.", "Kestrel intends to move to Leeds."),
    ("Der Vertrag mit Krumbach wurde verlängert.", "Der Vertrag mit Krumbach ist ausgelaufen."),
    ("The press release says the Mira plant will close.", "The press release says the Mira plant will stay open."),
)
OTHER_RULES = (
    ("The Isla ferry was built in 1998.", "The Isla ferry carried passengers in 1985."),
    ("Corin Hale died in 2019.", "Corin Hale opened the exhibition in 2023."),
    ("Ida Brook is the sole owner of Fern Mill.", "A savings bank owns a quarter of Fern Mill."),
    ("No complaints were received about the Tilney tour.", "Three guests complained about the Tilney tour."),
    ("王工从不加班。", "王工昨晚加班到十点。"),
    ("Ida discovered that the safe had been left open.", "The safe was locked all along."),
    ("The only animals on the Hurst farm are sheep.", "The Hurst farm keeps eighty cows."),
)
CONSISTENT = (
    # reports of what somebody says, and other sources
    ("Doris claims that the roof does not leak.", "The roof leaks over the stairs."),
    ("The brochure promises free parking.", "Guests pay for parking at the Alder hotel."),
    ("Hugo believes the bridge is safe.", "Hugo's engineer believes the bridge is unsafe."),
    ("김 부장은 제품이 안전하다고 주장했다.", "검사 결과 제품은 안전하지 않았다."),
    # two times
    ("In the first half of 2025 Corvid made a profit.", "In the second half of 2025 Corvid made a loss."),
    ("Snow closed the pass for nine days in 2023/24.", "Snow closed the pass for two days in 2024/25."),
    ("In week 12 the line produced 400 units.", "In week 13 the line produced 350 units."),
    ("上半年订单增加了。", "下半年订单减少了。"),
    ("3월에는 손님이 늘었다.", "4월에는 손님이 줄었다."),
    ("Im Winter ist der Campingplatz geschlossen.", "Von Mai bis Oktober ist der Campingplatz geöffnet."),
    ("The ferry was idle in 2021.", "This year the ferry runs."),
    # another thing, person or part
    ("Members park for free.", "Visitors pay for parking."),
    ("The deposit on the van is 300 pounds.", "The van costs 90 pounds a day."),
    ("A ticket costs 12 euros.", "A child's ticket costs 6 euros."),
    ("The dog is old.", "The dog's basket is new."),
    ("The order was delivered on time.", "The invoice for the order was paid late."),
    ("A crate weighs 25 kg.", "Forty crates weigh a tonne."),
    ("Nils is single.", "Nils' sister is married."),
    ("The A train is fast.", "The B train is slow."),
    # currencies, plans, conditions, several values
    ("The fee is 500 dollars.", "The fee comes to 460 euros."),
    ("Quill wants to open a shop in Bath.", "Quill has no shop in Bath."),
    ("With a permit you may fish in the lake.", "Fishing in the lake without a permit is forbidden."),
    ("팀원이 동의하면 문을 열 수 있다.", "팀원의 동의가 없으면 문을 열 수 없다."),
    ("Rask buys paper from Lund.", "Rask also buys paper from Vik."),
    ("Ida Brook owns part of Fern Mill.", "A savings bank owns a quarter of Fern Mill."),
    ("The harbour was rebuilt in 1998.", "Ships moored in the harbour in 1985."),
    ("Corin Hale died in 2019.", "A street was named after Corin Hale in 2023."),
    ("None of our clerks is older than Ada.", "Ada is our oldest clerk."),
    ("There was no day on which the pool was closed.", "The pool was open every day."),
    ("The courier delivers on weekdays.", "The courier does not deliver on Sundays."),
    ("李工会说英语。", "李工不会说法语。"),
)


def _found(pair: tuple[str, str]) -> bool:
    judgement = judge_pair(Stated(pair[0]), Stated(pair[1]))
    return judgement.verdict is MeaningVerdict.CONTRADICTION and judgement.reported


@pytest.mark.parametrize("pair", FIGURES)
def test_figures_of_one_thing_meet_in_other_words(pair: tuple[str, str]) -> None:
    assert _found(pair)
    assert judge_pair(Stated(pair[0]), Stated(pair[1])).rule == "figure"


@pytest.mark.parametrize("pair", WAYS + OTHER_RULES)
def test_what_cannot_both_hold_is_found_in_other_words(pair: tuple[str, str]) -> None:
    assert _found(pair)


@pytest.mark.parametrize("pair", CONSISTENT)
def test_what_only_looks_opposed_is_left_alone(pair: tuple[str, str]) -> None:
    assert not _found(pair), judge_pair(Stated(pair[0]), Stated(pair[1]))


@pytest.mark.parametrize("pair", FIGURES + WAYS + OTHER_RULES + CONSISTENT)
def test_the_order_changes_nothing(pair: tuple[str, str]) -> None:
    assert _found(pair) == _found((pair[1], pair[0]))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("二十五人", "25人"),
        ("一万两千元", "12000元"),
        ("每瓶半升", "每瓶0.5升"),
        ("세 시간", "3시간"),
        ("half a litre of milk", "0.5 litre of milk"),
        ("anderthalb jahre", "18 monate"),
        ("eur 40 a month", "eur 40 monthly"),
        ("a month ago", "a month ago"),
    ],
)
def test_numbers_in_words_are_read(text: str, plain: str) -> None:
    assert plain_numerals(text) == plain

"""Times, kinds, owners and amounts that keep two statements apart, and what still meets in other words.

Rules: silent pairs are of two times, kinds or owners, or one amount in two spellings; the others cannot both hold.
It does not know the fixtures of the bench.
Source: shared/domain/meaning: time_frames, rival_kinds, eastern_numbers, figure_rules, events, roles, frequencies.
"""

import pytest

from shared.domain.meaning.eastern_numbers import whole_numbers
from shared.domain.meaning.judge import MeaningVerdict, Stated, judge_pair
from shared.domain.meaning.measure_nouns import other_measure
from shared.domain.meaning.rival_kinds import rival_kinds
from shared.domain.meaning.time_frames import frames_apart

SILENT = """
Over the first six months Corrin Mills sold 340 looms.|Over the last six months Corrin Mills sold 290 looms.
Absence at Lune Foods ran at 7 % in March.|Over the whole year absence at Lune Foods was 4 %.
Vor dem Umzug verkaufte Corrin 340 Stühle.|Nach dem Umzug verkaufte Corrin 290 Stühle.
1분기 다온물산의 매출은 340억 원이었다.|2분기 다온물산의 매출은 290억 원이었다.
恒安咨询一月份新签客户18家。|恒安咨询二月份新签客户7家。
회의는 한 시간 반 동안 한다.|회의는 1시간 30분 동안 한다.
임대료는 월 200만 원이다.|임대료는 연 2,400만 원이다.
도입 비용은 1억 3천만 원이다.|도입 비용은 달러로 약 9만 5천 달러다.
The track is 5 miles long.|The track is 8 km long.
The motor has 100 hp.|The motor has 75 kW.
The tank holds 2 cubic metres.|The tank holds 2,000 litres.
Corrin's red van does 12 km per litre.|Corrin's blue van does 9 km per litre.
A single at the Corrin costs 80 euros.|A double at the Corrin costs 120 euros.
Release 3.8 of Sextant supports single sign-on.|Single sign-on is missing from release 3.7 of Sextant.
김 부장은 회의에 참석했다.|이 부장은 그 회의에 불참했다.
张磊不会开车。|张磊的妻子每天开车上班。
In wet weather Corrin does not spray.|Corrin sprays in dry weather.
The Corrin lease does not cover heating.|The Corrin lease covers water.
Pavel has the impression that the Ruis client is unhappy.|The Ruis client is happy with our work.
It takes Brandt four days to ship a part.|Brandt has been shipping parts for 24 years.
"""
OPPOSED = """
The Pascoe foundry works three shifts a day.|Each working day at the Pascoe foundry is split into two shifts.
Never set kiln 2 at Severn Tile above 1,240 °C.|The upper limit of kiln 2 at Severn Tile is 1,180 °C.
The haul from the Arle quarry is 12 km.|It is a 12-mile haul from the Arle quarry.
Dana Whit joined Percher Foods in 2018.|Dana Whit started at Percher Foods in 2021.
The Tilde project is led by Ana.|Head of the Tilde project is Boris.
Rent at Calla Court is paid quarterly.|Rent at Calla Court is due every month.
Beatrix Olane spent the whole of last week in a hospital bed.|All last week Beatrix Olane ran our stand.
Die Kündigungsfrist für Halle 4 beträgt sechs Wochen.|Halle 4 können wir nur mit einer Frist von zehn Wochen kündigen.
Das Labor Hainberg ist akkreditiert.|Dem Labor Hainberg fehlt die Akkreditierung.
盛安物流的信用评级在六月被上调了一级。|六月，盛安物流的信用评级遭到下调。
냉동 창고는 항상 영하 20도로 유지된다.|냉동 창고의 설정 온도는 영하 12도로 고정되어 있다.
문 부장은 5월 회의에서 예산 삭감에 반대한다고 말했다.|5월 회의에서 문 부장은 예산 삭감에 찬성한다는 뜻을 밝혔다.
"""


def _pairs(listed: str) -> list[tuple[str, ...]]:
    return [tuple(line.split("|")) for line in listed.strip().splitlines()]


@pytest.mark.parametrize("pair", _pairs(SILENT))
def test_two_times_kinds_owners_or_spellings_are_silent(pair: tuple[str, str]) -> None:
    assert not judge_pair(Stated(pair[0]), Stated(pair[1])).reported


@pytest.mark.parametrize("pair", _pairs(OPPOSED))
def test_one_thing_in_other_words_is_found(pair: tuple[str, str]) -> None:
    there, back = judge_pair(Stated(pair[0]), Stated(pair[1])), judge_pair(Stated(pair[1]), Stated(pair[0]))
    assert there.reported
    assert there.verdict is back.verdict is MeaningVerdict.CONTRADICTION


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("1억 3천만 원이다", "130000000 원이다"),
        ("十三万九千美元", "139000美元"),
        ("第三季度", "第三季度"),
        ("五六个", "五六个"),
        ("3천 원", "3000 원"),
    ],
)
def test_numbers_of_several_parts_become_one(written: str, plain: str) -> None:
    assert whole_numbers(written) == plain


def test_scales_tell_what_is_apart() -> None:
    assert frames_apart("in week 12", "in week 13")
    assert not frames_apart("2분기", "2분기 매출")
    assert rival_kinds("adult tickets", "child tickets")
    assert not rival_kinds("adult and child tickets", "child tickets")
    assert other_measure("the deposit", "the rent")
    assert not other_measure("the rent", "die miete")

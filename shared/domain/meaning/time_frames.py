"""Times that words of no calendar tell apart: high season and low season, before and after a move, by day and by night.

Rules: each line is one scale of times, its times separated by `/`; two sentences with times of one scale and none in
common are of two times. What stands behind "before" and "after" must be the same for the two to exclude each other.
It does not know dates (tense.py).
Source: closed classes of four languages; chosen by us.
"""

import re
from functools import lru_cache

_SCALES = r"""
peak season|high season|hauptsaison|성수기|旺季 / off[- ]season|low season|off-peak|nebensaison|비수기|淡季
상반기|전반기|上半年|first half|first 6 months|1\. halbjahr|ersten? halbjahr / 하반기|후반기|下半年|second half
  |last 6 months|2\. halbjahr|zweiten? halbjahr
월초|초순|상순|月初|上旬|anfang|early in / 중순|中旬|mitte|the middle of / 월말|하순|말일|月末|月底|下旬|ende
  |at the end of|late in
연초|年初|jahresanfang / 연말|年末|年底|jahresende
전월|지난달|上个?月|vormonat|last month|previous month|the month before / 당월|이번 달|이달|本月|这个?月
  |this month|laufenden monat|diesem monat|the month after
전년|작년|지난해|去年|vorjahr|last year|previous year|the year before / 올해|금년|今年|this year|diesem jahr
  |dieses jahr|the year after / 내년|明年|next year|nächstes jahr|nächsten jahr
설 연휴|설날|春节 / 추석|中秋 / 국경절|国庆 / 여름휴가 / 성탄절|圣诞
christmas|weihnachten / easter|ostern / whitsun|pfingsten / new year|neujahr|silvester
낮에|낮 |주간 |白天|daytime|by day|during the day|tagsüber / 밤에|밤 |야간|夜间|晚上|at night|by night|overnight
  |nachts
평일|工作日|weekdays?|working days|werktags?|werktagen / 주말|周末|weekends?|sundays?|saturdays?|sonntags?|samstags?
  |wochenenden?
첫째 주|첫 주|第一周|first week|ersten woche / 둘째 주|第二周|second week|zweiten woche / 셋째 주|第三周
  |third week|dritten woche / 넷째 주|마지막 주|第四周|fourth week|last week of|vierten woche
지난 분기|전 분기|직전 분기|上季度|last quarter|previous quarter|vorquartal / 이번 분기|当季|本季度|this quarter
  |current quarter
첫 달|首月|first month|opening month|ersten monat / 둘째 달|次月|second month|zweiten monat / 셋째 달
  |third month|dritten monat
첫 해|첫해|首年|first year|ersten jahr / 둘째 해|이듬해|次年|second year|zweiten jahr / 셋째 해|third year
  |dritten jahr
first \d+ months|first half / last \d+ months|second half
(?:19)?\d0s|nineties|eighties|seventies / last decade / this decade
첫날|首日|day 1|first day|ersten tag / 둘째 날|이튿날|次日|day 2|second day|zweiten tag / 셋째 날|day 3
  |third day|dritten tag
on arrival|arrivals?|입국|ankunft / on departure|departures?|출국|abfahrt|abreise
봄|春季|春天|spring|frühjahr|frühling / 여름|夏季|夏天|summer|sommer / 가을|秋季|秋天|autumn|herbst / 겨울|冬季
  |冬天|winter
"""
_NUMBERED = re.compile(
    r"(\d{1,4})(년도?(?![간생차 ]*(?:동안|간|째|반))|월(?![가-힣])|분기|차(?= )|주차|회차|학기|일차"
    r"|단계|기(?=[ 에는]))|第?([一二三四五六七八九十]|\d{1,3})(季度|轮|期|周|届|阶段|学期)"
    r"|(?<!\d年)(1?[\d]|十?[一二三四五六七八九十])(月)(?:份|(?=[^\u4e00-\u9fff]|[新的总共]))|(?<!\w)(q"
    r"|h|kw|week|round|day|phase|semester|sprint|season|woche|runde|tag|lap|heat"
    r"|stage) ?(\d{1,4})(?!\d)"
)
_WHOLE_YEAR = re.compile(
    r"\b(?:whole|full|entire|all|ganze[ns]?|gesamte[ns]?) (?:year|jahr)|year as a whole|annual average"
    r"|jahresmittel|übers jahr"
    r"|全年|年均|연간|연평균|한 해 전체"
)
_MONTHS = (
    "january|february|april|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober"
    "|dezember|(?<=the )march|(?<=in )march|(?<=of )march|(?<=for )march|(?<=the )may|(?<=in )may|(?<=of )may"
    "|(?<=for )may|(?<=im )mai"
)
_MONTH = re.compile(rf"(?<![^\W_])(?:{_MONTHS})(?![^\W_])")
_EVENT = re.compile(
    r"(?<![^\W_])(before|after|since|until|prior to|following|vor|nach|bis|seit) (?:the |its |our "
    r"|his |her |their |dem |der |den )?"
    r"([^\W\d_]{4,})"
)
_EASTERN_EVENT = re.compile(
    r"([\u4e00-\u9fff]{2})(?:之|以)?(前|后)(?![\u4e00-\u9fff]?[天年台厨门])|([가-힣]{2,6}?) ?(전|후"
    r"|이전|이후)(?:에|에는|까지|로)?(?= )"
)
_EARLY = frozenset(("before", "until", "prior to", "vor", "bis", "前", "전", "이전"))


def _scale(line: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(
            "|".join(
                word if re.search(r"[\u3400-\u9fff\uac00-\ud7a3]", word) else rf"(?<![^\W_]){word}(?![^\W_])"
                for word in time.strip().split("|")
            )
        )
        for time in line.split(" / ")
    )


_TABLE = tuple(_scale(line) for line in re.sub(r"\n  ", "", _SCALES).strip().splitlines())


@lru_cache(maxsize=4096)
def _times(text: str) -> dict[object, frozenset[str]]:
    found: dict[object, set[str]] = {}
    for number, times in enumerate(_TABLE):
        hit = {str(i) for i, pattern in enumerate(times) if pattern.search(text)}
        if hit:
            found[number] = hit
    for match in _NUMBERED.finditer(text):
        value, of = next(pair for pair in ((match[1], match[2]), (match[3], match[4]), (match[5], match[6]),
                                           (match[8], match[7])) if pair[0])  # fmt: skip
        if of.startswith("년") and len(value) < 2:
            continue  # "3년" is a span
        found.setdefault(of.removesuffix("도"), set()).add(_HAN.get(value, value)[-2:])
    months = set(_MONTH.findall(text))
    if _WHOLE_YEAR.search(text):
        found["span"] = {"year"}
    elif months or found.keys() & {"월", "분기", "季度", "q", "week", "kw", "woche"} or re.search(r"\d月", text):
        found["span"] = {"part"}
    if months:
        found["month"] = {month[:3] for month in months}
    for match in _EVENT.finditer(text):
        found.setdefault(("event", match[2]), set()).add("0" if match[1] in _EARLY else "1")
    for match in _EASTERN_EVENT.finditer(text):
        found.setdefault(("event", match[1] or match[3]), set()).add("0" if (match[2] or match[4]) in _EARLY else "1")
    return {scale: frozenset(values) for scale, values in found.items()}


_HAN = {han: str(n) for n, han in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), 1)}


def frames_apart(a: str, b: str) -> bool:
    """Tell whether two folded texts name times of one scale, and none in common."""
    return bool(_apart(a, b))


def settings_apart(a: str, b: str) -> bool:
    """Tell whether they differ in more than a month or a year, which an event may be dated by."""
    return bool(_apart(a, b) - {"month", "년", "월", "月"})


def _apart(a: str, b: str) -> set[object]:
    first, second = _times(a), _times(b)
    return {scale for scale in first.keys() & second.keys() if not first[scale] & second[scale]}

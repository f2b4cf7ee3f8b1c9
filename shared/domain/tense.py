"""When and how a sentence holds: asserted, planned, conditional, possible or asked; of which time; former or ended.

Rules: only two sentences of one mood can contradict each other, two reports only when they are of one source.
Anchors of one kind (year, quarter, half, month, week, day, weekday, part of the day, season, feast, distance from now)
that share nothing are two times. What "used to be", or was
"during" or "until" something, says nothing of now. A word of change ("since June", "instead of", "no longer") tells
that a later sentence took an earlier one's place.
It does not know what changed (meaning.py).
Source: closed classes of four languages; anchors as in calendar_words.py.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique

from shared.domain.calendar_words import PartialDate
from shared.domain.periods import canonical_period, period_bounds
from shared.domain.quantities import Kind, Quantity


@unique
class Mood(StrEnum):
    """How a sentence is meant."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    CONDITIONAL = "conditional"
    POSSIBLE = "possible"
    ASKED = "asked"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A time a sentence names: its kind and what is said of it."""

    kind: str
    value: str


_CONDITIONAL = re.compile(
    r"\b(?:if|unless|provided|whenever|in case|in the event|as long as|so long as|otherwise"
    r"|when \w+[.]?(?=$)|when (?:it|they|there|the \w+) (?:is|are|\w+s)|except when|only when"
    r"|wenn|falls|sofern|sobald|es sei denn|depending on|as soon as)\b|^should\b|^were\b|^had\b"
    r"|^(?:bei|without|when) [^,]{3,40}, |如果|若|只要|除非|的话|一旦|(?:으|라|하|되|오|가|나|이)?면[ ,]|을 때|경우"
)
_PLANNED = re.compile(
    r"\b(?:plan(?:s|ned|ning)? (?:to|for|on)|the plan\b|planned|intend(?:s|ed|ing)?|intention|wants? to|wanted to"
    r"|hop(?:es?|ed|ing) to|aim(?:s|ed|ing)? (?:to|for)|expect(?:s|ed|ing)? to|(?:is|are|was|were) to be|will|going to|"
    r"forecast|projected|budgeted|target(?:s|ed)?|scheduled|propos(?:es?|ed|als?)|consider(?:s|ing)|would like|"
    r"aspires?|dreams? of|wish(?:es)? to|due to (?:open|close|start|begin|move|arrive|be)|ought|supposed to|"
    r"(?:is|are) to [a-z]+|shall|goal|promis(?:es|ed|ing)|agreed to|decided to|meant to|about to"
    r"|envisag|prepar(?:es|ing) to"
    r"|soll(?:en|te|ten)?|möchte|will|beabsichtigt|vorgesehen|geplant|plant(?= (?:die|der|das|den|dem"
    r"|ein\w*|sich|für|im|zu|kein\w*|auf|mit|\w+ (?:zu|ein\w*|die|den|das))\b)|planen|hofft|estimated?"
    r"|set to|looking to|(?:learning|trying|training|practising|starting|beginning|means?|mean) to)\b"
    r"|计划|打算|将(?!军)|准备|拟|预计|预测|希望|想要|想(?=学|去|买|当|在)|目标|即将|预定"
    r"|계획|예정|예상|려고|고 싶|목표|전망|할 것|될 것|기로 했|희망"
)
_POSSIBLE = re.compile(
    r"\b(?:may (?:be|have|also|still|well|never|yet|soon)|might|could(?! not)|possibly|perhaps|maybe|probably"
    r"|likely|reportedly|rumou?r(?:ed|s)?|allegedly|supposedly"
    r"|apparently|thinks?|believes?|suspects?|guess|unclear|unsure|vielleicht|möglicherweise"
    r"|vermutlich|könnte|angeblich"
    r"|seems?|wonders?|would(?! not)|doubts?|fears?|worr(?:y|ies)|claims? (?:that|to)|asks?|asked)\b"
    r"|可能"
    r"|也许|或许|大概|据说"
    r"|아마|수도 있|지도 모|것 같|듯하"
)
_AS_PLANNED = re.compile(r"\b(?:as|wie) (?:planned|scheduled|expected|promised|intended|geplant|vorgesehen|erwartet)\b")
_REPORTED = re.compile(
    r"\b(?:(?:has|had|have|under|got) the (?:impression|feeling)|(?:is|are) of the (?:view|opinion)|regards?\b.+ as"
    r"|deems?|holds that|takes? the view|in [\w' -]{2,25}'s? (?:view|opinion|eyes|judgement|estimation)|to \w+'s mind"
    r"|as \w+ sees it|if you ask|assumes?|imagines?|supposes?|senses?|hears? that|heard that|word is|rumou?r has it"
    r"|gossip|brochures?|advertisements?|adverts?|is convinced|are convinced|swears? by|would have it"
    r"|rates? (?:it|the|our)"
    r"|lobt|hält .{3,60} für|hielt .{3,60} für|(?:der|ihrer|seiner) (?:meinung|ansicht|auffassung|überzeugung)"
    r"|nach (?:ansicht|meinung|angaben|auffassung)|hat den eindruck|aus sicht|denkt|vermutet|wirbt"
    r"|empfindet|bezeichnet\w*)\b"
    r"|印象|看来|以为|听说|传闻|宣传|在.{1,6}眼里|怀疑|评价|인상을|여긴다|여기고|보고 있다고|평가|소문"
    r"|광고|느낀다|느끼고"
    r"|\b(?:says?|said|swears?|swore|insists?|insisted|claims? (?:that|to|the|it|he|she|its|her|his|our)|claimed"
    r"|maintains? that|argues?|argued|thinks?|believes?"
    r"|feels? that|considers?|reckons?|asserts?|alleges?|boasts?|advertis(?:es?|ed)|describes?|described"
    r"|calls?(?= the| it"
    r"| its| her| his| them| our)|called(?= the| it)|according to (?!(?:the |our |its )?(?:plan|schedule|timetable"
    r"|budget))|is said|are said|it is said|told (?:us|me|her|him|them)"
    r"|complains? that|suspects?|warns? that|warned that|predicts?|is convinced|is of the opinion|finds? (?:the|our"
    r"|it|its|her|his)"
    r" [a-z ]+ (?:too|very|ugly|beautiful|good|bad|fair|unfair)|behauptet\w*|meint|meinte|glaubt|findet(?! .*statt)"
    r"|sagt|sagte|laut"
    r"|zufolge|versichert|beteuert)\b|觉得|认为|声称|自称|据说|据称|相信|表示|宣称|说(?!明)|라고 (?:말|주장|했|한다"
    r"|생각)|다고 (?:말|주장|했|한다|생각|믿|느)"
    r"|[다라]는 (?:뜻|입장|의견|견해)을 (?:밝혔|나타냈|보였)|라고 (?:밝혔|전했)|주장(?:했|한|하)|생각한다|생각했"
)
_NO_SOURCE = frozenset("the that his her its our their and according minutes said says".split())
_FORMER = re.compile(
    r"\b(?:used to|formerly|previously|once (?:was|were|had|lived|worked|owned|ran|belonged)|was once"
    r"|in the past|back then"
    r"|at (?:the|that) time|in those days|during|until (?:\d{4}|january|february|march|april|may|june"
    r"|july|august|september|october|november|december"
    r"|spring|summer|autumn|winter|christmas|easter|last|recently|then|the|his|her|their"
    r"|its|he|she|it|they)|years ago|ago|originally|initially|at first|earlier|as a child"
    r"|in (?:his|her|their|its) youth|früher|damals|ehemals|einst|vormals|zuvor|before the"
    r"|as a (?:boy|girl|student)|in the (?:\d{4}s|(?:\d0|twent|thirt|fort|fift|sixt|sevent|eight"
    r"|ninet)(?:ies|s)|war|olden days|middle ages)|from (?:\d{4}|january|february|march|april|may|june"
    r"|july|august|september|october|november|december|spring|summer"
    r"|autumn|winter) (?:\d+ )?(?:to|until|till) \w+"
    r"|between \w+ and \w+|bis \d{4}|for (?:years|decades|centuries|a time|a while))\b"
    r"|^(?:until|till|bis) "
    r"|以前|去年|上个?月|上周|昨天|曾经|曾|过去|当时|原来|从前|之前|예전|작년|지난해|지난달|지난주"
    r"|어제|과거|이전|한때|당시|었었|던 "
)
_CHANGE = re.compile(
    r"\b(?:since|from (?:today|now|then|that day|[a-z]+ \d|\d|the \d|january|february|march|april|may"
    r"|june|july|august"
    r"|september|october|november|december|monday|next|this)|as of|instead of|rather than|in place of"
    r"|no longer"
    r"|not [a-z ]{0,20}any ?more|any ?more|any longer|moved (?:\w+ ){0,4}(?:from|to|out|away|into)"
    r"|(?:was|were|been|got) "
    r"(?:taken off|lifted|lowered|raised|increased|cut|reduced|changed|replaced|moved|promoted"
    r"|renamed|sold|released|"
    r"transferred|handed|converted|upgraded|reopened|discharged|removed|repainted|extended|shortened"
    r"|postponed|brought "
    r"forward|relocated|repaired|restored|switched)|has(?: since| now| just| meanwhile)? (?:left|been"
    r"|moved|become|taken|"
    r"changed|gone|given|sold|switched|stopped|started|reopened|finished|returned|arrived|passed"
    r"|ended|closed|opened|"
    r"retired|cleared|dried|recovered|risen|fallen|come|grown)|replac(?:ed|es|ing)|succeed(?:ed|s)"
    r"|took over|taken over"
    r"|takes over|switched|changed|turned into|became|has become|now\b(?! that)|until (?:last"
    r"|yesterday|recently|then)|"
    r"left|reopened|sold|(?:was|were) (?:dismissed|fired|sacked|appointed|elected|abolished|closed"
    r"|given away|torn down|set right|paid off)"
    r"|(?:has|have) (?:since |now |just |already |meanwhile )?(?!been )\w+(?:ed|en|own|orn|id|ld|ft"
    r"|nt|un)|(?:has|have) been \w+(?:ed|en|set|put|cut|shut|let|sold|built|paid|made|found)"
    r"|meanwhile|these days|nowadays|by now|retired|resigned|stepped down|handed over|swapped|gave up"
    r"|given up|quit"
    r"|seit|ab sofort|nunmehr|inzwischen|mittlerweile|nicht mehr|kein\w* mehr|statt|anstatt|anstelle"
    r"|jetzt|neu|ab dem"
    r"|umgezogen|verlegt|abgelöst|nun)\b"
    r"|不再|改为|改由|改成|改在|取代|代替|接替|搬到|搬至|搬往|迁至|迁到|现在|如今|已经|起[,，由]?"
    r"|已(?=经|于|从|由|改|搬|换|到|离|完)|换成|转为|调任|"
    r"升至|降至|更名|接任|변경|바뀌|바뀐|이전했|옮겼|옮긴|옮겨|더 이상|이제|부터|대신|교체|새로"
    r"|마치고|마쳤|전환|후임|인상되|인하되|해제|끝나고|끝났"
)
_PERSISTS = re.compile(r"\b(?:since|from)\b")
_ASKED = re.compile(r"[?？]\s*$|(?:까요|나요|니까)[?.]?$|吗[?？]?$")
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_GERMAN_DAYS = dict(zip("montag dienstag mittwoch donnerstag freitag samstag sonntag".split(), _WEEKDAYS, strict=True))
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)}|{'|'.join(_GERMAN_DAYS)})s?\b")
_CJK_WEEKDAY = re.compile(r"([월화수목금토일])요일|(?:星期|周|礼拜)([一二三四五六日天])")
_PART = re.compile(
    r"\b(morning|noon|lunch|afternoon|evening|night|midnight|dawn|dusk|breakfast|dinner|weekend"
    r"|weekday|weekends|weekdays"
    r"|morgens|mittags|abends|nachts|vormittags|nachmittags)s?\b|(早上|上午|中午|下午|晚上|夜里|周末"
    r"|平日)|(아침|오전|점심|오후|저녁|밤|주말|평일)"
)
_SEASON = re.compile(
    r"\b(spring|summer|autumn|winter|sommer|herbst|frühling)\b(?! street| road)"
    r"|([春夏秋冬])(?=[天季])|(봄|여름|가을|겨울)"
)
_OF_NOW = re.compile(r"(?:this|current|dieses|diesen) ?(?:year|jahr)|today|heute|今年|今天|올해|오늘")
_DISTANCE = re.compile(
    r"\b(last|this|next|previous|current|the year before|letzten?|letztes|dieses|diesen|nächsten?"
    r"|nächstes) "
    r"(year|month|week|quarter|season|night|winter|summer|spring|autumn|jahr|monat|woche)\b"
    r"|\b(today|yesterday|tomorrow|heute|gestern|morgen)\b|(去年|今年|明年|前年|上个?月|这个?月|本月"
    r"|下个?月|上周|本周|下周|昨天|今天|明天)"
    r"|(작년|올해|내년|지난해|지난달|이번 ?달|다음 ?달|지난주|이번 ?주|다음 ?주|어제|오늘|내일)"
)
_HALF = re.compile(
    r"\b(?:first|second) half(?! (?:hour|dozen))|\bh[12]\b|\b(?:erste[ns]?|zweite[ns]?|[12]\.) (?:jahreshälfte"
    r"|halbjahr)"
    r"|[上下]半年|[상하]반기"
)
_CJK_MONTH = re.compile(r"(?<!\d)(\d{1,2})월(?! ?\d)|(?<!\d)(\d{1,2})月(?!\d)")
_SEASON_MONTHS = {
    name: frozenset(months)
    for names, months in (
        ("spring frühling 春 봄", "3456"), ("summer sommer 夏 여름", "6789"),
        ("autumn herbst 秋 가을", ("9", "10", "11", "12")), ("winter 冬 겨울", ("11", "12", "1", "2", "3")),
    )
    for name in names.split()
}  # fmt: skip
_FIRST = re.compile(r"first|h1|erste|1|上|상")
_WEEK = re.compile(
    r"\b(?:calendar )?week (\d{1,2})\b|\bkw ?(\d{1,2})\b|\bkalenderwoche (\d{1,2})|第(\d{1,2})周|(\d{1,2})주차"
)
_TERM = re.compile(r"(?<!\d)((?:20|19)?\d\d)[/–](\d\d)(?![\d/])")  # 2024/25
_FEAST = re.compile(
    r"\b(christmas|easter|new year|ramadan|thanksgiving|halloween|carnival|whitsun|pentecost|weihnachten|ostern"
    r"|pfingsten)\b"
    r"|(春节|中秋|国庆|端午|元旦|五一)|(설날|추석|크리스마스)"
)
_YEAR = re.compile(
    r"(?<![\d.,/-])((?:1[5-9]|20|21)\d\d)(?![\d.,]*\d|[-/]\d| ?(?:people|units|eur|usd|chf|kg|km|m\b"
    r"|원|元|명|개))"
)


def mood_of(text: str) -> Mood:
    """Return how a folded sentence is meant."""
    if _ASKED.search(text):
        return Mood.ASKED
    text = _AS_PLANNED.sub(" ", text)
    if _REPORTED.search(text):
        return Mood.REPORTED
    if _CONDITIONAL.search(text):
        return Mood.CONDITIONAL
    if _PLANNED.search(text):
        return Mood.PLANNED
    return Mood.POSSIBLE if _POSSIBLE.search(text) else Mood.ASSERTED


def same_source(a: str, b: str) -> bool:
    """Tell whether two reports are on what one speaker or one document says."""
    words = []
    for text in (a, b):
        match = _REPORTED.search(text)
        told = (
            "" if match is None else text if match.group().startswith(("according", "laut")) else text[: match.start()]
        )
        words.append(set(re.findall(r"[^\W\d_]{3,}", told)) - _NO_SOURCE)
    return bool(words[0] & words[1])


def is_former(text: str) -> bool:
    """Tell whether a folded sentence speaks of a time that is over."""
    return _FORMER.search(text) is not None


def tells_change(text: str) -> bool:
    """Tell whether a folded sentence says that something took the place of something."""
    return _CHANGE.search(text) is not None


def anchors_of(text: str, figures: Iterable[Quantity]) -> frozenset[Anchor]:
    """Return the times that a folded sentence names."""
    found: set[Anchor] = set()
    for figure in figures:
        if figure.kind is Kind.DATE:
            found |= {anchor for day in figure.days for anchor in _of_date(day)}
    found |= {Anchor("year", year) for year in _YEAR.findall(text)}
    found |= {Anchor("weekday", _GERMAN_DAYS.get(day, day)) for day in _WEEKDAY.findall(text)}
    found |= {Anchor("weekday", "".join(day)) for day in _CJK_WEEKDAY.findall(text)}
    found |= {Anchor("part", "".join(part)) for part in _PART.findall(text)}
    found |= {Anchor("season", "".join(part)) for part in _SEASON.findall(text)}
    found |= {Anchor("distance", "".join(part)) for part in _DISTANCE.findall(text)}
    found |= {Anchor("month", "".join(part)) for part in _CJK_MONTH.findall(text)}
    found |= {Anchor("half", "1" if _FIRST.match(part) else "2") for part in _HALF.findall(text)}
    found |= {Anchor("week", "".join(part)) for part in _WEEK.findall(text)}
    found |= {Anchor("term", f"{first[-2:]}/{second[-2:]}") for first, second in _TERM.findall(text)}
    found |= {Anchor("feast", "".join(part)) for part in _FEAST.findall(text)}
    return frozenset(found)


def disjoint(a: frozenset[Anchor], b: frozenset[Anchor]) -> bool:
    """Tell whether two sentences name times of one kind that share nothing."""
    if any(_now_and_then(x, y) or _now_and_then(y, x) for x in a for y in b):
        return True
    kinds = {anchor.kind for anchor in a} & {anchor.kind for anchor in b}
    if _out_of_season(a, b) or _out_of_season(b, a):
        return True
    return any(not ({x for x in a if x.kind == kind} & {x for x in b if x.kind == kind}) for kind in kinds)


def _now_and_then(now: Anchor, then: Anchor) -> bool:
    """Tell "this year" beside a year that is named: who means this year does not number it."""
    return then.kind == "year" and now.kind == "distance" and _OF_NOW.match(now.value) is not None


def _out_of_season(seasons: frozenset[Anchor], months: frozenset[Anchor]) -> bool:
    """Tell "in winter" beside "from May to October"."""
    named = {anchor.value for anchor in months if anchor.kind == "month"}
    spans = [_SEASON_MONTHS[anchor.value] for anchor in seasons if anchor.kind == "season"]
    return bool(named and spans) and not any(named & span for span in spans)


def periods_apart(a: str | None, b: str | None) -> bool:
    """Tell whether two given periods have no day in common."""
    first, second = (canonical_period(period) if period else None for period in (a, b))
    if first is None or second is None:
        return False
    (begin_a, end_a), (begin_b, end_b) = period_bounds(first), period_bounds(second)
    return end_a < begin_b or end_b < begin_a


def _of_date(day: PartialDate) -> Iterable[Anchor]:
    if day.year:
        yield Anchor("year", str(day.year))
    if day.day:
        yield Anchor("day", f"{day.month or ''}-{day.day}")
    elif day.month:
        yield Anchor("month", str(day.month))
    elif day.quarter:
        yield Anchor("quarter", str(day.quarter))

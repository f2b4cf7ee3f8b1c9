"""Events that happen once: two years for one beginning, and a whole time spent in two places.

Rules: both sentences name one bearer. A birth, a founding, a joining or an end is dated once: two years for it, in
whatever words, exclude each other. Who is in hospital, on leave or in dock for a whole week or month did nothing
elsewhere in it; both sentences must name that time.
It does not know subjects (subjects.py) nor moods (judge.py).
Source: everyday knowledge, chosen by us.
"""

import re
from collections.abc import Iterator

from shared.domain.meaning.guards import other_start
from shared.domain.meaning.loose import beside, same_bearer
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.rules import Conflict
from shared.domain.meaning.time_frames import frames_apart
from shared.domain.subjects import Shared

# one line is one event; `!`: a bearer may do it to many things, so nothing else may be told alone
_EVENTS = r"""
born|birth|geboren|出生|生于|태어
died|passed away|death|starb|gestorben|verstorben|去世|逝世|사망|별세
joined|started (?:at|with|work)|came to|(?:was|been) hired|hired|signed on|entered|been with .{1,30} since
  |began (?:at|with|work)|works? (?:at|for) .{1,30} since|fing .{0,30}an|eingestellt|angefangen|kam zu
  |seit .{0,30} (?:bei|im)|入职|加入|进入公司|来到公司|입사|들어왔|합류
founded|established|set up|incorporated|goes back to|dates? (?:back )?(?:to|from)|in business since
  |started (?:out|trading)|gegründet|besteht seit|成立|创立|创办|创建|설립|창립|창업|세워
retired|retirement|pensioned|in rente|in pension|ruhestand|退休|은퇴|정년
married|wedding|wed\b|heirat\w*|hochzeit|结婚|결혼
graduated|degree|abschluss|毕业|졸업
!opened|opening|eröffne\w*|开业|开张|개업|개장|문을 열
!built|erected|completed|construction|erbaut|gebaut|errichtet|建成|竣工|落成|준공|완공|지어
!installed|put .{2,40} in|fitted|eingebaut|installiert|安装|装上|설치
!bought|acquired|purchased|took over|gekauft|erworben|übernahm|收购|购入|买下|인수|구입|매입
!expires?|runs out|(?:lease|contract|policy|agreement|licence|permit|warranty) ends|terminates?|due|valid until
  |läuft .{0,30}(?:aus|ab)|endet|到期|截止|终止|만료|종료|끝나|만기
!signed|concluded|entered into|unterschrieben|unterzeichnet|abgeschlossen|签订|签署|签约|체결|서명
"""
_GROUPED = re.compile(r"\(\?:[^)]*\)")
_LINES = tuple(
    (line.startswith("!"), re.compile("|".join(
        word if re.search(r"[\u3400-\u9fff\uac00-\ud7a3]", word) else rf"(?<![^\W_])(?:{word})(?![^\W_])"
        for word in line.lstrip("!").split("|")).replace("\x00", "|")))
    for line in _GROUPED.sub(lambda m: m.group().replace("|", "\x00"), _EVENTS.replace("\n  ", "")).strip().splitlines()
)  # fmt: skip
_YEAR = re.compile(r"(?<![\d.,/-])((?:1[5-9]|20)\d\d)(?![\d.,/-]*\d)")
_OTHER_TIME = re.compile(
    r"\b(?:again|second|third|another|re-?\w*(?:opened|built|joined|founded|hired|married)"
    r"|erneut|wieder|zweite\w*)\b|再次|重新|第二|다시|재|두 번째"
)
_WHOLE = re.compile(
    r"\b(?:(?:the )?(?:whole|entire)|all (?:week|month|day|through|of last)|throughout|without a break"
    r"|from morning to"
    r"|durchgehend|die ganze|den ganzen|das ganze|ununterbrochen)\b|整[周月天年]|一整|全程|一直|内一直|내내|줄곧|계속"
)
_AWAY = re.compile(
    r"\b(?:in (?:a |the )?(?:hospital|bed|prison|jail|custody|rehab|dry dock|dock|quarantine|plaster)"
    r"|on (?:holiday|leave|vacation|sick leave|strike|parental leave|honeymoon)|off sick|at home ill|abroad|snowed in"
    r"|laid up|in (?:the )?(?:repair|workshop|garage)|under repair|im krankenhaus|im urlaub|in kur"
    r"|krankgeschrieben|trockendock|in der werkstatt|in haft)\b"
    r"|住院|休假|度假|请假|卧床|检修|停航|进坞|出国|隔离|입원|휴가|병가|출장 중|격리|정비창|수리 중|요양"
)
_TIMES = re.compile(
    r"\b(?:last|this|next|that) (?:week|month|weekend|year|monday|tuesday|wednesday|thursday|friday|summer|winter)\b"
    r"|\b(?:diese|letzte|vorige|kommende)[nr]? (?:woche|monat|jahr)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz"
    r"|mai|juni|juli|oktober|dezember)\b|上周|本周|这周|上个?月|本月|이번 주|지난주|이번 달|지난달"
    r"|\d{1,2}월|\d{1,2}月"
)
_SPANS = re.compile(r"\b(?:week|month|woche|monat)\b|周|月|주(?= )|달(?= )")
_NOTHING_DONE = re.compile(r"\b(?:not|no|never|cancelled|postponed|nicht|kein\w*|abgesagt)\b|没|取消|未|않|못|취소|없")
_ALL_FROM = re.compile(
    r"\b(?:all|entirely|exclusively|only|solely|wholly|100 ?%)\b.*?\b(?:from|by|on|in) (?:(?:the|our|its|his|her|a|an"
    r"|own|their|municipal|local) )*([a-z-]{3,})"
)


def by_events(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield two years of one event, or a deed at a time that was spent elsewhere."""
    found = beside(a, b, a.text, b.text)
    if found.others or other_start(a, b) or not (a.script == "han" or same_bearer(a, b, found, shared)):
        return
    years = [set(_YEAR.findall(s.text)) for s in (a, b)]
    days = [{x.value for x in s.anchors if x.kind == "day"} for s in (a, b)]
    once = not (a.negations or b.negations or _OTHER_TIME.search(f"{a.text} {b.text}")) and _one_event(
        a, b, found.apart
    )
    for first, second in (years, days) if once else ():
        if len(first) == len(second) == 1 and first != second:
            yield Conflict(0.6, "date", f"{min(first)} against {min(second)}", stateful=False)
    if _elsewhere(a, b) or _elsewhere(b, a):
        yield Conflict(0.55, "elsewhere", "away for the whole time, and at work in it", stateful=False)
    sources = [_ALL_FROM.search(s.text) for s in (a, b)]
    if sources[0] and sources[1] and sources[0].group(1) != sources[1].group(1) and found.common > 0:
        yield Conflict(
            0.55, "sole", f"all from {sources[0].group(1)}, all from {sources[1].group(1)}", stateful=not past
        )


def _one_event(a: Sentence, b: Sentence, apart: bool) -> bool:
    return any(first.search(a.text) and first.search(b.text) and not (to_many and apart) for to_many, first in _LINES)


def _elsewhere(away: Sentence, deed: Sentence) -> bool:
    if not (_WHOLE.search(away.text) and _AWAY.search(away.text)) or _AWAY.search(deed.text):
        return False
    times = set(_TIMES.findall(away.text)) & set(_TIMES.findall(deed.text))
    spans = set(_SPANS.findall(away.text)) & set(_SPANS.findall(deed.text))
    return (
        bool(times or spans)
        and not frames_apart(away.text, deed.text)
        and not _NOTHING_DONE.search(deed.text)
        and not away.negations
    )

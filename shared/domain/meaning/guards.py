"""What keeps two sentences from contradicting each other: other times, other circumstances, other things.

Rules: two openings ("on long flights", "on short flights") are two circumstances; what was, without lasting, says
nothing of what is; a word of the subject on each side that the other lacks makes two things.
It does not know opposites, figures or slots (judge.py).
Source: REQUIREMENTS C3.
"""

import re

from shared.domain.meaning.reading import Sentence
from shared.domain.quantities import quantities
from shared.domain.subjects import Shared
from shared.domain.tense import anchors_of, disjoint

FRAME_MIN_SHARE = 0.6  # of the shorter sentence's words, to speak of one thing without a common topic word (chosen)
CONDITION_MIN_SHARE = 0.5  # of the shorter sentence's roots, for two conditions to be one (chosen, untested)

_FRONTED = re.compile(
    r"^(on|in|at|during|for|with|after|before|under|when|bei|im|an|nach|vor|without) ((?:the "
    r"|a )?[^\s,]+ ?[^\s,]*)"
)


def scoped_apart(a: Sentence, b: Sentence) -> bool:
    """Tell whether both open with a circumstance, and not the same."""
    first, second = _FRONTED.match(a.text), _FRONTED.match(b.text)
    return first is not None and second is not None and _circumstance(first) != _circumstance(second)


def _circumstance(match: re.Match[str]) -> str:
    """Return what an opening names; "before" and "after", "with" and "without" tell it apart."""
    return match.group() if match.group(1) in ("before", "after", "with", "without") else match.group(2)


def other_start(a: Sentence, b: Sentence) -> bool:
    """Tell Chinese sentences whose subjects differ: neither's first word stands in the other."""
    if a.script != "han":
        return False
    first, second = (_OPENING.sub("", s.text)[:HAN_SUBJECT_CHARS] for s in (a, b))
    return first[:1] != second[:1] and first not in b.text and second not in a.text


def other_owner(a: Sentence, b: Sentence) -> bool:
    """Tell "Kaya's friend" beside "Kaya", and room A beside room B in an unspaced script."""
    if bool(_RELATIVE.search(a.text)) != bool(_RELATIVE.search(b.text)):
        return True
    versions = [set(_VERSION.findall(s.text)) for s in (a, b)]
    if versions[0] and versions[1] and versions[0].isdisjoint(versions[1]):
        return True
    titled = [{"".join(found).removesuffix("s") for found in _TITLED.findall(s.text)} for s in (a, b)]
    if titled[0] and titled[1] and titled[0].isdisjoint(titled[1]):
        return True
    if a.script == "latin":
        return False
    letters = [set(re.findall(r"(?<![a-z])[a-z](?![a-z])", s.text)) for s in (a, b)]
    return bool(letters[0] and letters[1]) and letters[0].isdisjoint(letters[1])


_RELATIVE = re.compile(
    r"(?:'s|s') (?:friend|colleague|neighbou?r|boss|assistant|son|daughter|mother|father|cousin"
    r"|secretary|deputy|uncle|aunt"
    r"|landlord|lawyer|predecessor|successor)\b|的(?:妻子|丈夫|太太|先生|儿子|女儿|父亲|母亲|朋友|同事"
    r"|邻居|助理|秘书)"
    r"|의 (?:아내|남편|아들|딸|아버지|어머니|친구|동료|이웃|비서|조수)"
)
_TITLED = re.compile(
    r"\b(?:herrn?|frau|mr|mrs|ms|dr)\.? ([^\W\d_]{2,})"
    r"|(?<![가-힣])([가-힣])(?= ?(?:부장|과장|대리|사장|차장|팀장|이사|상무|교수|사원|주임|실장|국장"
    r"|대표)(?:[은는이가님]|의 | ))"
    r"|([\u4e00-\u9fff])(?=(?:经理|总监|主任|先生|女士|老师|医生|教授|总工))|(\d+층|[一二三四五六七八九十\d]+楼)"
)
_VERSION = re.compile(r"(?:\b(?:release|version|build|firmware|v)|버전|版本) ?(\d+(?:\.\d+)*)")
HAN_SUBJECT_CHARS = 2  # of a Chinese subject that tell it apart (chosen, untested)
_OPENING = re.compile(r"^[^，,]{0,14}[年月日天周季度时午晨晚间][^，,]{0,4}[，,]|^(?:按照?|根据|据)[^，,]{1,16}[，,]")


_WITHOUT = re.compile(
    r"\b(?:if|when|whenever|wenn|falls|sofern|in case) [^,]{0,40}\b(?:no|not|never|without|nicht|kein\w*|ohne)\b"
    r"|\bunless\b"
    r"|es sei denn|(?:없|않|못하|아니)(?:으)?(?:면|을 경우|을 때)|(?:如果|若|要是"
    r"|只要)[^，,]{0,8}(?:没|不|未|无)|除非"
)


def same_condition(a: Sentence, b: Sentence) -> bool:
    """Tell whether two conditional sentences name one condition."""
    if bool(_WITHOUT.search(a.text)) != bool(_WITHOUT.search(b.text)):
        return False
    shorter = min(len(a.roots), len(b.roots))
    return shorter > 0 and len(a.roots & b.roots) >= CONDITION_MIN_SHARE * shorter


def is_past(sentence: Sentence) -> bool:
    """Tell whether a sentence is told in the past."""
    if sentence.script != "latin":
        return False
    if _GERMAN_PERFECT.search(sentence.text):
        return True
    return re.search(r"\b(?:was|were|had|did|wurde|wurden|war|hatte)\b", sentence.text) is not None or (
        re.search(r"\b(?:is|are|has|have|does|do)\b", sentence.text) is None
        and re.search(
            r"\b[a-z]{2,}ed\b|\b(?:left|sold|bought|met|came|went|died|arrived|rose|fell|won|lost|spent|stood|drew"
            r"|bid|gave"
            r"|took|made|held|ran|sent|paid|got|kept|said|told|began|broke|brought|chose|drove|ate|flew|grew|knew|led"
            r"|rode"
            r"|sang|sat|saw|spoke|swam|taught|threw|wore|wrote|shut|sank|built|found|caught|hit|cut)\b",
            sentence.text,
        )
        is not None
    )


_GERMAN_PERFECT = re.compile(
    r"\b(?:hat|haben)\b.{0,80}\b(?:ge\w{3,}|(?:be|ver|er|ent|zer)\w{2,}|\w+ge\w{2,}|\w+ier)(?:t|en)(?=[.,]|$)"
)
_HAD = re.compile(r"\b(?:had|hatte|hatten|lived|numbered|counted)\b")
_NEVER = re.compile(r"\b(?:never|always|ever|nie|immer)\b|从未|从来|从没|一直|한 번도|적이 없")
_WAS = re.compile(
    r"\b(?:was|were|war|waren) (?:still |very |quite |rather |always |not |often |so |too |sehr "
    r"|nicht )*(?P<state>[a-zäöü-]+)"
)
_PARTICIPLES = frozenset(
    """
     paid sold built sent found made shut cut lost held kept born told won put set bought brought caught taught
    left hit hurt let lent
     read led met fed laid said spent stuck struck dug hung sung begun done gone the a an in on at by from for one
    no it born
    """.split()
)


def was_state(sentence: Sentence) -> bool:
    """Tell a state of the past, "was empty", from an event that lasts, "was paid"."""
    match = _WAS.search(sentence.text)
    return match is not None and not (
        match["state"].removeprefix("un") in _PARTICIPLES
        or match["state"].endswith(("ed", "en", "wn", "ilt", "elt", "ept", "ought", "aught", "et"))
        or match["state"] in _PARTICIPLES
        or "_" in match["state"]
    )


def times_besides_value(a: Sentence, b: Sentence, value_a: str, value_b: str) -> bool:
    """Tell whether the sentences name times apart that are not the values themselves."""
    told = {anchor for value in (value_a, value_b) for anchor in anchors_of(f"in {value}", quantities(f"in {value}"))}
    return disjoint(a.anchors - told, b.anchors - told) and not any(c.isdigit() for c in value_a + value_b)


_EVENT = re.compile(
    r"\b(?:takes? place|took place|findet_statt|held|birthday|founded|born|built|established|opened"
    r"|died|married|issued|signed|dated|due|arrived|delivered|paid|completed|finished"
    r"|expires?|ends?|ended|starts?|started|starting|ending|beginning|begins?|began|bought|sold"
    r"|elected|hired|joined|left|launched|installed|falls|statt(?=[.]|$)|valid until|runs? until"
    r"|rebuilt|restored|renovated|closed|demolished|planted|laid|cast|erected|inaugurated|abolished"
    r"|discovered|invented|written|painted|widened|paved"
    r"|electrified|consecrated|drained|dug|dissolved|sank|burnt|collapsed|retired|graduated|divorced"
    r"|buried|introduced|deadline|birthday|payable|scheduled|inspected|gegründet|geboren|gebaut"
    r"|fällig|läuft|endet|beginnt|erbaut)\b"
    r"|成立|出生|到期|截止|签订|建于|开业|交货|开始|结束|建成|落成|出发|출발|세워|건립|열렸|열린|举行"
    r"|举办|설립|창립|태어|마감|만기|납기|체결|개업|지어|시작|끝"
)


def dated_event(a: Sentence, b: Sentence) -> bool:
    """Tell whether both sentences date an event that happens once."""
    return bool(_EVENT.search(a.text) and _EVENT.search(b.text))


def leftovers(a: Sentence, b: Sentence) -> tuple[frozenset[str], frozenset[str]]:
    """Return the topic words that each sentence has alone."""
    return a.words - b.roots, b.words - a.roots


def about_one_thing(a: Sentence, b: Sentence, shared: Shared) -> bool:
    """Tell whether nothing in front of the verbs makes the two speak of different things."""
    mine, theirs = a.subject - b.roots, b.subject - a.roots
    if (mine and theirs) or (a.qualifiers and b.qualifiers and a.qualifiers != b.qualifiers):
        return False
    return bool(shared.both) or bool(a.words & b.words) or same_head(a, b) or frame_share(a, b) >= FRAME_MIN_SHARE


def same_head(a: Sentence, b: Sentence) -> bool:
    """Tell whether the same words stand in front of both verbs."""
    return bool(a.head) and a.head == b.head


def frame_share(a: Sentence, b: Sentence) -> float:
    """Return the share of the shorter sentence's words that both have."""
    shorter = min(len(a.frame), len(b.frame))
    return len(a.frame & b.frame) / shorter if shorter > 2 else 0.0


_UNIVERSAL = re.compile(
    r"^(?:everybody|everyone|everything|nothing|all|every|each|nobody|no one|none|both|alle|jeder"
    r"|jede|kein|keine|keiner|niemand) "
)


def of_all(a: Sentence, b: Sentence) -> bool:
    """Tell whether one sentence speaks of everybody, the other of some."""
    return bool(_UNIVERSAL.match(a.text) or _UNIVERSAL.match(b.text)) and len(a.words & b.words) > 0


def told_of_two_times(a: Sentence, b: Sentence) -> bool:
    """Tell whether one sentence is of a time that is over, the other of now."""
    if is_past(a) and is_past(b):
        return False
    if _NEVER.search(a.text) or _NEVER.search(b.text):
        return False
    dated = any(is_past(x) and not is_past(y) and _HAD.search(x.text) and x.anchors for x, y in ((a, b), (b, a)))
    return a.former != b.former or was_state(a) != was_state(b) or dated

"""Two sentences in other words about one thing: what each says beyond the other, when word order and verbs differ.

Rules: words of one sentence are the other's when they are equal, of one group, or one is part of the other in a
compound. Words of telling, giving and being do not tell things apart. A subject is shared when a name is, or two
content words. Each sentence saying a thing of its own makes two subjects; one sentence saying more does not.
It does not know what opposes what (rules.py, ways.py).
Source: own; measured on the build halves of fixtures/audit.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from shared.domain.meaning.guards import other_start
from shared.domain.meaning.light_words import LIGHT_HAN, LIGHT_HANGUL, LIGHT_LATIN
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.words import is_neutral, root
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.subjects import Shared

PART_MIN_CHARS = 5  # of a word inside a compound (chosen, untested)
BEARER_MIN_CHARS = 2  # of a Chinese or Korean subject (chosen, untested)
HAN_MIN_RUN = 2  # characters in common that are a word (chosen, untested)

# verbs and nouns that go with any figure or state, by root
LIGHT = frozenset(
    root(word)
    for word in """
    worth award receive attract draw get have give take come go bring put set make do let keep see find count number
    list show read state say tell enter record charge cost price pay amount total sum value figure rate
    measure weigh hold store room space capacity memory size volume net content fit carry lift bear load seat handle
    sign     move work run serve use need want require last takes spend duration period time length height
    width depth weight
    age people person persons man men woman women firm company team staff group customer client visitor guest user
    employee member participant applicant colleague everyone everybody anyone anybody access entry admission enter
    door place site area part side case way kind sort type thing piece item unit level range limit minimum maximum
    beträgt liegt kostet wiegt misst dauert zählt hat fasst liefert erst ab stellt findet gibt steht geht kommt laut
    us our ours month week day year hour call describe according minutes company whole own minute second night morning
    innerhalb binnen höchstens mindestens maximal insgesamt rund etwa genau gut knapp pro je mal stück uhr jahr
    monat tag woche stunde     altogether overall currently whole full average mean apiece daily weekly
    monthly yearly hourly annual
    """.split()
)
_HAN_LIGHT = re.compile(
    r"[的了是在有已经正着过为被将把和与及也都就还很其该这那个之所我们他她它你您从到向对由于以可能会要需应须本每各第共约达超上下中内"
    r"容纳坐载装面积占地净含量人名位次元块钱只件条张台辆总额最多少不起至自比等于来去出入给让使得并且而但或用于时候每天月年日号点分]"
)
_HAN_BEARERS = re.compile("|".join(sorted(LIGHT_HAN, key=len, reverse=True)))
_HANGUL_LIGHT = frozenset(
    "들어간 들어가 정원 수용 크기 넓이 면적 가격 우리 이번 그 저 것 수 등 대해 아무 하지 않았 않는 정말 잘 "
    "있 없 같 더 또 우리의 "
    "주말 토요일 일요일 및 약 총 모두 전체 현재 매우 아주 하루 매일 매년 매월 매달 한 번 때 곳 중".split()
)
_KIND_OF = {
    word: number
    for number, words in enumerate(
        (
            "member members",
            "visitor visitors guest guests tourists",
            "customer customers client clients buyers shoppers",
            "staff employee employees worker workers crew",
            "child children kids pupils students student",
            "adults adult",
            "residents tenants tenant locals",
            "men man",
            "women woman",
            "seniors pensioners",
            "patients",
            "wholesale",
            "retail",
            "drivers",
            "suppliers",
            "cyclists",
            "pedestrians",
            "trainees apprentices interns",
            "freelancers",
        )
    )
    for word in words.split()
}
_DOUBLED = re.compile(r"([bdglmnprt])\1$")
_TIMES = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|winter"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|mornings?|afternoons?|evenings?|nights?|noon"
    r"|today"
    r"|yesterday|tonight|januar|februar|märz|mai|juni|juli|oktober|dezember|montags?|dienstags?|mittwochs?|donnerstags?"
    r"|freitags?|samstags?|sonntags?|wochenende|nachts|morgens|abends|heute|gestern|last|this|next|ago|recently|again)$"
)
_HANGUL_TAIL = re.compile(
    r"(?:에서는|에게는|으로는|에서도|이라는|에서|에게|에는|으로|부터|까지|보다|이라고|이다|은|는|이|가|을|를|에|의|로"
    r"|와|과|도|만|씩"
    r"|하였다|했다|한다|하다|되었다|됐다|된다|된|한|할|하는|되는|였다|이었다|입니다|습니다|있다|다)$"
)


@dataclass(frozen=True, slots=True)
class Beside:
    """What two sentences share beyond names, and what each says alone."""

    common: int
    only_a: frozenset[str]
    only_b: frozenset[str]
    others: bool = False  # whether each speaks of other people: members, visitors

    @property
    def apart(self) -> bool:
        """Whether each says something of its own."""
        return bool(self.only_a and self.only_b)

    @property
    def alone(self) -> int:
        """Return how many words either says alone."""
        return len(self.only_a) + len(self.only_b)


def beside(a: Sentence, b: Sentence, text_a: str, text_b: str) -> Beside:
    """Compare what two sentences say in the given parts of them."""
    if a.script == "han":
        return _han(text_a, text_b)
    mine, theirs = _words(a, text_a), _words(b, text_b)
    only_a = frozenset(word for word in mine if not any(_met(word, other) for other in theirs))
    only_b = frozenset(word for word in theirs if not any(_met(word, other) for other in mine))
    people = [{_KIND_OF[word] for word in re.findall(r"[a-z]+", text) if word in _KIND_OF} for text in (a.text, b.text)]
    lettered = [set(re.findall(r"\bthe ([a-z]) [a-z]{2,}", text)) for text in (a.text, b.text)]
    if lettered[0] and lettered[1] and lettered[0] != lettered[1]:
        people = [{-1}, {-2}]
    others = bool(people[0] and people[1] and not people[0] & people[1])
    return Beside(min(len(mine - only_a), len(theirs - only_b)), only_a, only_b, others)


def one_subject(found: Beside, shared: Shared) -> bool:
    """Tell whether two sentences speak of one subject, though in other words."""
    if shared.apart or shared.rivals or found.others:
        return False
    if found.apart:  # also with one word each: "open to hikers", "closed to cars"
        return False
    if shared.both:
        return found.common > 0 or not found.apart
    return found.common > 1 or (found.common == 1 and found.alone <= 1)


OWN_WORDS_MAX = 2  # that each sentence may have alone beside a shared name and topic (chosen on the development sets)


def named_topic(found: Beside, shared: Shared) -> bool:
    """Tell whether two sentences share a name and a topic word, and say little else alone."""
    if shared.apart or shared.rivals or found.others or not shared.both:
        return False
    return found.common > 0 and max(len(found.only_a), len(found.only_b)) <= OWN_WORDS_MAX


def same_bearer(a: Sentence, b: Sentence, found: Beside, shared: Shared) -> bool:
    """Tell whether what is said is borne by one person or thing, whatever else is told of it."""
    if shared.apart or shared.rivals or a.qualifiers != b.qualifiers:
        return False
    if a.script == "latin":
        return bool(shared.both) or found.common > 0
    return a.text[:BEARER_MIN_CHARS] == b.text[:BEARER_MIN_CHARS] or (a.script == "han" and not other_start(a, b))


def _words(sentence: Sentence, text: str) -> frozenset[str]:
    words = re.findall(r"[^\W\d_]+(?:[-'][^\W\d_]+)*", text)
    named = {word for thing in sentence.things for word in thing.words}
    if sentence.script == "hangul":
        stems = (_HANGUL_TAIL.sub("", _HANGUL_TAIL.sub("", word)) for word in words)
        return frozenset(
            stem for stem in stems if len(stem) > 1 and stem not in _HANGUL_LIGHT and stem not in LIGHT_HANGUL
        )
    units = {word for q in sentence.figures for word in re.findall(r"[^\W\d_]+", q.text)}
    found = set()
    for word in words:
        plain = word.removesuffix("'s").rstrip("'")
        if (
            plain in named
            or plain in units
            or _TIMES.match(plain)
            or plain in ENGLISH_STOP_WORDS
            or plain in LIGHT_LATIN
            or is_neutral(plain)
            or len(plain) < 3
        ):
            continue
        if root(plain) not in LIGHT:
            found.add(plain)
    return frozenset(found)


@lru_cache(maxsize=8192)
def _plain_german(word: str) -> str:
    """Return a word without umlauts and the endings of German cases and plurals."""
    return _GERMAN_ENDING.sub("", word.translate(_UMLAUTS)) if len(word) > 4 else word


_UMLAUTS = str.maketrans("äöü", "aou")
_GERMAN_ENDING = re.compile(r"(?<=[a-z]{4})(?:en|er|em|es|e|n)$")


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    cut = root(word)
    for ending in ("ent", "er", "or", "ation", "ion", "al", "ance", "ence", "ing"):
        if len(cut) > len(ending) + 2 and cut.endswith(ending):
            return _DOUBLED.sub(r"\1", cut[: -len(ending)])
    return cut


def _met(word: str, other: str) -> bool:
    if word == other or _stem(word) == _stem(other):
        return True
    if _plain_german(word) == _plain_german(other):
        return True
    short, long = sorted((word, other), key=len)
    if re.match(r"[가-힣]", word):
        return len(short) > 1 and short in long
    return len(short) >= PART_MIN_CHARS and short in long


def _han(a: str, b: str) -> Beside:
    """Take out every run of characters that both have; what is left are the words of one alone."""
    a, b = (re.sub(r"[\d.,%a-z\W]+", " ", text) for text in (a, b))
    common = 0
    while True:
        run = max((a[i:j] for i in range(len(a)) for j in range(i + HAN_MIN_RUN, len(a) + 1)
                   if " " not in a[i:j] and a[i:j] in b), key=len, default="")  # fmt: skip
        if not run:
            break
        common += len(run) - 1
        a, b = a.replace(run, " "), b.replace(run, " ")
    a, b = _HAN_BEARERS.sub(" ", a), _HAN_BEARERS.sub(" ", b)
    only = (frozenset(run for run in _HAN_LIGHT.sub(" ", text).split() if len(run) > 1 or run not in other)
            for text, other in ((a, b), (b, a)))  # fmt: skip
    only_a, only_b = only
    return Beside(common, only_a, only_b)

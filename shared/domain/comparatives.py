"""Comparisons of two things on one scale, and whether two sentences compare them the other way round.

Rules: "A is heavier than B" puts A above B on weight; "B is lighter than A" says the same, "B is heavier than A" the
reverse. "More X than" is a scale of its own for each X. A superlative puts its thing above whatever it is compared
with. A negated comparison says nothing here.
It does not know figures (meaning/figures.py).
Source: the grammar of comparison in English, German, Korean and Chinese; scales are the pairs of common adjectives.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from shared.domain.meaning.words import IRREGULAR_VERBS, root

# scale | what stands high on it | what stands low
_SCALES = """
weight | heavy heavier heaviest schwer schwerer 무겁 重 | light lighter lightest leicht leichter 가볍 轻
price | dear dearer dearest expensive costly pricier pricy teuer teurer 비싸 贵 | cheap cheaper cheapest billig
  billiger günstiger 싸 저렴 便宜
size | large larger largest big bigger biggest great greater gross grösser wide wider widest broad broader roomier
  spacious 크 넓 大 宽 | small smaller smallest klein kleiner narrow narrower narrowest tiny 작 좁 小 窄
speed | fast faster fastest quick quicker quickest swift swifter sooner schnell schneller 빠르 快 | slow slower
  slowest langsam langsamer 느리 慢
length | long longer longest lang länger 길 长 | short shorter shortest kurz kürzer 짧 短
height | high higher highest tall taller tallest hoch höher 높 高 | low lower lowest niedrig niedriger tiefer 낮
  低 矮
age | old older oldest elder eldest alt älter 오래 나이가 많 老 | new newer newest young younger youngest neu
  neuer jünger 젊 어리 新 年轻
distance | far farther farthest further 멀 远 | near nearer nearest close closer closest näher 가깝 近
strength | strong stronger strongest stärker powerful 강하 强 | weak weaker weakest schwächer 약하 弱
heat | hot hotter hottest warm warmer warmest wärmer heisser 덥 따뜻 热 暖 | cold colder coldest cool cooler
  coolest kälter 춥 차갑 冷
depth | deep deeper deepest tiefer 깊 深 | shallow shallower shallowest flacher 얕 浅
noise | loud louder loudest noisy noisier noisiest lauter 시끄럽 吵 | quiet quieter quietest leiser 조용 安静
quality | good better best besser 좋 낫 好 | bad worse worst poor poorer schlechter 나쁘 差
thickness | thick thicker thickest dicker 두껍 厚 | thin thinner thinnest dünner 얇 薄
brightness | bright brighter brightest heller 밝 亮 | dark darker darkest dunkler 어둡 暗
safety | safe safer safest sicherer 안전 安全 | dangerous riskier unsafe gefährlicher 위험 危险
ease | easy easier easiest einfacher 쉽 容易 | hard harder hardest difficult tougher schwieriger 어렵 难
busyness | busy busier busiest crowded 붐비 忙 热闹 | calm calmer empty emptier 한산 冷清
wealth | rich richer richest wealthy wealthier reicher 부유 富 | poorer poorest ärmer 가난 穷
earliness | early earlier earliest früher 이르 일찍 早 | late later latest später 늦 晚
cleanness | clean cleaner cleanest sauberer 깨끗 干净 | dirty dirtier dirtiest schmutziger 더럽 脏
amount | more most mehr 많 多 | less fewer least fewest weniger 적 少
"""
_SCALE_OF: dict[str, tuple[str, int]] = {}
for _line in _SCALES.replace("\n  ", " ").strip().splitlines():
    _name, _up, _down = (part.strip() for part in _line.split("|"))
    for _sign, _words in ((1, _up), (-1, _down)):
        for _word in _words.split():
            _SCALE_OF.setdefault(_word, (_name, _sign))
SCALE_OF: Mapping[str, tuple[str, int]] = MappingProxyType(_SCALE_OF)

_RIGHT = r"(?:than|als) (?P<right>(?!\d)[^,;.]+)"
_VERB = "|".join(
    (
        "[a-z]+s",
        "[a-z]+ed",
        "[a-z]+t",
        *"sell pay use need have eat hold carry run make take give drink want grow get know work live "
        "bring produce".split(),
        "earn",
        "cost",
        "weigh",
        *sorted(IRREGULAR_VERBS),
    )
)
_THAN = (
    re.compile(
        rf"^(?P<front>(?:more|less|fewer) [a-z]+)(?P<left> .*?(?:in|on|at|during|from"
        rf"|to) [^,;]+?) {_RIGHT}"
    ),
    re.compile(
        rf"^(?P<left>.+?) (?:is|are|was|were|ist|sind|war|has|have|had|hat"
        rf"|haben) (?P<middle>[^,;]*?) ?{_RIGHT}"
    ),
    re.compile(rf"^(?P<left>.+?) (?P<middle>(?:{_VERB})(?: [^,; ]+){{1,6}}?) {_RIGHT}"),
)
_VERB_SCALES = {"cost": "price", "weigh": "weight", "last": "length"}
_MOST = r"(?P<word>[a-z]+est|(?:most|least) [a-z]+|best|worst)"
_SUPERLATIVE = re.compile(
    rf"^(?P<left>.+?) (?:is|are|was|were) (?:by far )?(?:the|our|their|its|his|her"
    rf"|my) {_MOST} (?P<among>[a-z]+)"
)
_SUPERLATIVE_FRONT = re.compile(
    rf"^(?:the|our|their|its|my) {_MOST} (?P<among>[a-z]+) (?:[a-z]+ ){{0,3}}(?:is"
    rf"|was) (?P<left>[^,;.]+)"
)
_LONGER = re.compile(r"\btakes? (?:longer|more time) than\b")
_SHORTER = re.compile(r"\btakes? less (?:time|long) than\b|\bis quicker than\b")
_NOT = re.compile(r"\b(?:not|no|never|none|nobody|neither|nothing|nor|keiner|niemand|nicht|kein|less than|as)\b|n't")
_KOREAN = re.compile(
    r"^(?P<left>.+?)[이가은는] (?P<right>.+?)보다 (?:더 |훨씬 |키가 |몸집이 |힘이 |나이가 |값이 "
    r"|값은 )*(?P<word>[가-힣]+)"
)
_KOREAN_SWAPPED = re.compile(
    r"^(?P<right>.+?)보다 (?P<left>.+?)[이가은는] (?:더 |훨씬 |키가 |힘이 |값이 )*(?P<word>[가-힣]+)"
)
_EDGE = frozenset("the a an of in at our we i they it do does did sold had der die das ein eine im in than".split())

_STANDS = (
    r"(?:is|are|lies|stands|sits|was|were|flows|ranks|finished|arrived|came|left|started|spoke|comes"
    r"|goes|runs|won|died)"
)
# relations that cannot hold both ways round
_ARRANGEMENTS = tuple(
    (re.compile(rf"^(?P<left>.+?) {_STANDS} (?:just |far |directly |well )?{words} (?P<right>[^,;]+)$"), (name, sign))
    for name, sign, words in (
        ("northing", 1, r"north of"),
        ("northing", -1, r"south of"),
        ("easting", 1, r"east of"),
        ("easting", -1, r"west of"),
        ("stream", 1, r"upstream (?:of|from)"),
        ("stream", -1, r"downstream (?:of|from)"),
        ("standing", 1, r"above"),
        ("standing", -1, r"below"),
        ("order", 1, r"(?:before|ahead of|in front of)"),
        ("order", -1, r"(?:after|behind)"),
        ("side", 1, r"(?:to the |on the )?left of"),
        ("side", -1, r"(?:to the |on the )?right of"),
    )
)
_PREFERS = re.compile(r"^.+? (?:prefers|likes) (?P<left>.+?) (?:to|better than|more than) (?P<right>[^,;]+)$")
_ORDERS = (*_ARRANGEMENTS, (_PREFERS, ("preference", 1)))
_ARRANGED = frozenset("northing easting stream standing order side preference".split())
_HAN_SCALES = "|".join(sorted((w for w in SCALE_OF if re.match(r"[\u4e00-\u9fff]", w)), key=len, reverse=True))
_CHINESE = re.compile(rf"^(?P<left>.+?)比(?P<right>.+?)(?:更|还|要)?(?P<word>{_HAN_SCALES})(?:得多|一些|一点|了)?$")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Higher stands above lower on a scale; empty stands for everything else `among` a class."""

    scale: str
    higher: str
    lower: str
    among: str = ""


def comparisons(text: str) -> tuple[Comparison, ...]:
    """Return what a folded sentence compares."""
    plain = _LONGER.sub("is slower than", _SHORTER.sub("is faster than", text.rstrip(".。! ")))
    return tuple(_comparisons(plain))


def reversed_comparison(a: str, b: str) -> str | None:
    """Return the scale on which one folded sentence turns round what the other compares, or None."""
    for first in comparisons(a):
        for second in comparisons(b):
            if first.scale == second.scale and (_turned(first, second) or _turned(second, first)):
                return first.scale
    return None


def compares(text: str) -> bool:
    """Tell whether a folded sentence is a comparison."""
    return any(found.scale not in _ARRANGED for found in comparisons(text))


def _turned(first: Comparison, second: Comparison) -> bool:
    if first.among and first.among == second.among:  # "our largest branch": two of them
        mine, theirs = first.higher or first.lower, second.higher or second.lower
        return bool(first.higher) == bool(second.higher) and mine != theirs
    if first.among:
        return first.higher == second.lower if first.higher else first.lower == second.higher
    return bool(first.higher) and first.higher == second.lower and first.lower == second.higher


def _comparisons(text: str) -> Iterator[Comparison]:
    for order, arranged in _ORDERS:
        match = order.match(text)
        if match is not None:
            yield _placed(arranged, match["left"], match["right"])
            return
    for pattern in (_KOREAN, _KOREAN_SWAPPED):
        match = pattern.match(text)
        if match is not None:
            scale = _unspaced_scale(match["word"])
            if scale:
                yield _placed(scale, match["left"].strip(), match["right"].strip())
            return
    if "比" in text:
        match = _CHINESE.match(text)
        if match is not None:
            yield _placed(SCALE_OF[match["word"]], match["left"], match["right"])
        return
    if _NOT.search(text):
        return
    for than in _THAN:
        match = than.match(text)
        found = list(_than(match)) if match is not None else []
        if found:
            yield from found
            return
    for pattern in (_SUPERLATIVE, _SUPERLATIVE_FRONT):
        match = pattern.match(text)
        if match is None:
            continue
        words = match["word"].split()
        scale = SCALE_OF.get(words[0]) if len(words) == 1 else _named_scale(words[0], words[1])
        if scale is not None:
            thing, among = _key(match["left"]), match["among"].split()[0]
            yield Comparison(scale[0], thing, "", among) if scale[1] > 0 else Comparison(scale[0], "", thing, among)
        return


def _than(match: re.Match[str]) -> Iterator[Comparison]:
    if "front" in match.groupdict():
        degree, counted = match["front"].split()
        sign = 1 if degree == "more" else -1
        yield _placed((f"amount {root(counted)}", sign), match["left"].split(" ")[-1], match["right"].split(" ")[-1])
        return
    middle = match["middle"].split()
    for i, word in enumerate(middle):
        place = SCALE_OF.get(word)
        if place is None:
            continue
        left, right = match["left"], match["right"]
        name, sign = place
        before, after = middle[:i], middle[i + 1 :]
        if name == "amount" and after:
            named = SCALE_OF.get(after[0])
            if named is not None and len(after) == 1:
                name, sign = named[0], named[1] * sign
            elif (
                after[0] in ("in", "on", "at", "during", "im") and len(after) > 1
            ):  # "sold more in March than in April"
                left, after = " ".join(after[1:]), []
                name = f"amount {root(before[-1]) if before else root(match['left'].split()[-1])}"
            elif after[0].endswith("s") and right.split()[0].endswith("s") and right.split()[0] != after[0]:
                left, right, name = after[0], right.split()[0], f"amount {_key(left)}"  # "more girls than boys"
            else:
                name = f"amount {root(after[0])}"
        elif name == "amount" and before:
            name = _VERB_SCALES.get(root(before[-1]), f"amount {root(before[-1])}")
        elif (
            after
            and after[0].isalpha()
            and after[0] not in ("in", "on", "at", "to", "for", "by", "from", "with", "and")
        ):
            name = f"{name} {root(after[0])}"
        elif before and before[-1] not in (
            "much",
            "far",
            "even",
            "slightly",
            "a",
            "bit",
            "little",
            "still",
            "noch",
            "viel",
        ):
            name = f"{name} {root(before[-1])}"
        yield _placed((name, sign), left, right)
        return


def _named_scale(degree: str, word: str) -> tuple[str, int]:
    name, sign = SCALE_OF.get(word, (word, 1))
    return name, sign if degree == "most" else -sign


def _placed(scale: tuple[str, int], left: str, right: str) -> Comparison:
    name, sign = scale
    first, second = _key(left), _key(right)
    return Comparison(name, first, second) if sign > 0 else Comparison(name, second, first)


def _key(text: str) -> str:
    return " ".join(word for word in text.strip(" .,").split() if word not in _EDGE)


def _unspaced_scale(word: str) -> tuple[str, int] | None:
    for length in range(len(word), 0, -1):
        if word[:length] in SCALE_OF:
            return SCALE_OF[word[:length]]
    return None

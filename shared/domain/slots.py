"""Slots that hold one value at a time, and whether two sentences fill one slot with two values.

Rules: two sentences of one frame that differ in one place fill a slot; the words in front of the place tell
             whether it
holds one value (is in, reports to, is owned by) or many (buys from, speaks, has an office in). Values of one class
(colours, weekdays, months, floors) exclude each other behind "is". "The mayor of X is V", "V is X's mayor" are one
slot. A slot is stateful when its value may change (who leads), not when it is history (who founded).
It does not know other subjects (subjects.py) nor times (tense.py).
Source: functional relations of everyday prose, chosen by us.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.domain.meaning.poles import PLACES
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.words import plain_root, root
from shared.domain.slot_frames import CLASS_OF, ENDS_FIXED, ENDS_STATEFUL, MANY
from shared.domain.subjects import Sort

SPAN_MAX_TOKENS = 4  # of a value (chosen, untested)

_ROLE_IS = re.compile(
    r"^(?:the|our) (?P<role>[a-z][a-z -]*?) (?:of|for|at|on|in) (?P<key>[^,;]+?) (?:is|are|was"
    r"|remains) (?:in |at |on )?(?P<value>[^,;]+)$"
)
_POSSESSED_IS = re.compile(
    r"^(?P<key>[^,;]+?)(?:'s|s') (?P<role>[a-z][a-z -]*?) (?:is|are|was|remains|ends|starts|begins"
    r"|falls) (?:in |at |on )?(?P<value>[^,;]+)$"
)
_IS_ROLE = re.compile(
    r"^(?P<value>[^,;]+?) (?:is|was|remains) the (?:only |sole )?(?P<role>[a-z][a-z -]*?) (?:of|for"
    r"|at) (?P<key>[^,;]+)$"
)
_IS_POSSESSED = re.compile(r"^(?P<value>[^,;]+?) (?:is|was|remains) (?P<key>[^,;]+?)(?:'s|s') (?P<role>[a-z][a-z -]*)$")
_VERBAL_ROLE = re.compile(
    r"^(?P<value>[^,;]+?) (?:alone )?(?P<role>leads|heads|runs|chairs|owns|captains|manages|founded"
    r"|invented|wrote|built|designed|won|"
    r"composed|discovered|painted|directs|coaches|edits|conducts|directed|led|presides over"
    r"|commands) (?P<key>[^,;]+)$"
)
_VERBAL_ROLE_BY = re.compile(
    r"^(?P<key>[^,;]+?) (?:is|was|has been) (?P<role>led|headed|run|chaired|owned|captained|managed"
    r"|founded|invented|written|built|designed|won|"
    r"composed|discovered|painted|directed|coached|edited|conducted"
    r"|commanded) (?:solely )?by (?P<value>[^,;]+)$"
)
_ROLE_OF_VERB = {
    **dict.fromkeys("leads led heads headed runs run manages managed directs directed".split(), root("manage")),
    "chairs": "chair",
    "chaired": "chair",
    "owns": root("owner"),
    "owned": root("owner"),
    "wrote": "write",
    "written": "write",
}
_HISTORY = frozenset("founded invented wrote written built designed won composed discovered painted".split())
_UNFIT_ROLE = re.compile(
    r"\b(?:member|part|one|some|many|number|owners|partners|friend|colleague|supplier|suppliers"
    r"|customer|brother|sister|kind|sort|end|beginning|edge|result|share|goal|reason|purpose|plan"
    r"|plans)\b"
)
_TRIM = re.compile(r"\b(?:the|a|an|our|only|alone|solely|now|currently|still|person|mr|mrs|ms|dr)\b|[.!]")
_TIGHT_KO = re.compile(
    r"^(?P<key>.+?)의 (?P<role>[가-힣]+?)(?:은|는|이|가) (?P<value>.+?)(?:에 있다|에 위치한다"
    r"|(?:한 명)?(?:이다|다|입니다|임))?[.]?$"
)
_TIGHT_ZH = re.compile(
    r"^(?P<key>.+?)的(?P<role>[\u4e00-\u9fff]{2,5}?)(?:是|为|在|位于|设在)(?P<value>[^,，。]+?)[。.]?$"
)
_TIGHT_DE = re.compile(
    r"^(?:der|die|das) (?P<role>[a-zäöüß-]+) (?:der|des|von|für|im|in) (?P<key>.+?) (?:ist|heisst"
    r"|liegt|befindet sich) (?:in |im |am |bei )?(?P<value>[^,]+?)[.]?$"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """Two values of one slot, and whether such a value may change in time."""

    name: str
    a: str
    b: str
    stateful: bool
    sure: bool = True


def filled_twice(a: Sentence, b: Sentence) -> Slot | None:
    """Return the slot that two sentences fill with different values, or None."""
    if MANY.search(a.text) or MANY.search(b.text):
        return None
    if re.match(r"(?:an?|one|some|another|ein|eine) ", a.text) and re.match(
        r"(?:an?|one|some|another|ein|eine) ", b.text
    ):
        return None
    found = next(_roles(a.text, b.text), None) or _named_role(a, b)
    if found is not None:
        return found
    return _aligned(a, b) if a.script == "latin" else _aligned_unspaced(a, b)


_TITLES = frozenset("mr mrs ms miss dr father sister prof sir".split())
_NAMED_ROLE_DE = re.compile(r"^(?:der|die|das) (?P<role>[a-zäöüß-]+) (?:heisst|ist) (?P<value>[^,;]+)$")
_NAMED_ROLE = re.compile(r"^(?:the|our) (?P<role>[a-z][a-z -]*?) (?:is|was)(?: called| named)? (?P<value>[^,;]+)$")


def _named_role(a: Sentence, b: Sentence) -> Slot | None:
    """Find "The stationmaster is Otto" against another name."""
    german = [_NAMED_ROLE_DE.match(s.text.rstrip(".! ")) for s in (a, b)]
    if german[0] and german[1] and german[0]["role"] == german[1]["role"] and "heisst" in a.text and "heisst" in b.text:
        return Slot("heisst", german[0]["value"], german[1]["value"], stateful=True)
    first, second = (_NAMED_ROLE.match(s.text.rstrip(".! ")) for s in (a, b))
    if first is None or second is None or first["role"] != second["role"]:
        return None
    names = [
        next(
            (
                t
                for t in s.things
                if t.sort is Sort.NAME and t.words | _TITLES >= set(re.findall(r"[^\W_]+", m["value"]))
            ),
            None,
        )
        for s, m in ((a, first), (b, second))
    ]
    if names[0] is None or names[1] is None or not names[0].rivals(names[1]):
        return None
    return Slot(first["role"], first["value"], second["value"], stateful=True)


def _roles(a: str, b: str) -> Iterator[Slot]:
    for role_a, key_a, value_a, stateful in _triples(a):
        for role_b, key_b, value_b, _ in _triples(b):
            if (
                len(value_a.split()) == len(value_b.split()) == 1
                and {plain_root(value_a), plain_root(value_b)} <= PLACES.keys()
            ):
                continue  # "is tall": a quality
            if role_a == role_b and _same(key_a, key_b) and _differ(value_a, value_b):
                yield Slot(role_a, value_a, value_b, stateful)


def _triples(text: str) -> Iterator[tuple[str, str, str, bool]]:
    text = text.rstrip(".!。 ")
    for pattern in (_ROLE_IS, _POSSESSED_IS, _IS_ROLE, _IS_POSSESSED, _TIGHT_DE, _TIGHT_KO, _TIGHT_ZH):
        match = pattern.match(text)
        if (
            match
            and not _UNFIT_ROLE.search(match["role"])
            and not re.search(r"\d|\b(?:not|no|kein\w*|nicht)\b", match["value"])
            and _is_value(match["value"])
        ):
            role = match["role"].split()
            yield " ".join(map(root, role)), _bare(match["key"]), _bare(match["value"]), True
    for pattern in (_VERBAL_ROLE, _VERBAL_ROLE_BY):
        match = pattern.match(text)
        if match:
            verb = match["role"]
            yield _ROLE_OF_VERB.get(verb, verb), _bare(match["key"]), _bare(match["value"]), verb not in _HISTORY


_ADJECTIVAL = re.compile(
    r"(?:ed|ing|ive|ous|able|ible|ful|less|ant|ent|al|ic|er|y|high|low|good|bad|new|old|late|fast"
    r"|slow|safe|full|red)$"
)


def _is_value(value: str) -> bool:
    """Tell a name or a noun from a quality: "is careful" fills no slot."""
    words = _bare(value).split()
    return 0 < len(words) <= SPAN_MAX_TOKENS


def _bare(text: str) -> str:
    return " ".join(_TRIM.sub(" ", text).split())


def _same(a: str, b: str) -> bool:
    first, second = set(a.split()), set(b.split())
    return bool(first) and (first <= second or second <= first)


def _differ(a: str, b: str) -> bool:
    first, second = a.split(), b.split()
    if not first or not second or set(first) & set(second):
        return False
    classes = {CLASS_OF.get(first[-1]), CLASS_OF.get(second[-1])}
    return len(classes) == 1 or None in classes


_ONLY = re.compile(r"\b(?:only|alone|solely|exclusively|nur|ausschliesslich)\b")


def _class_of(span: Sequence[str]) -> str | None:
    """Return the class of a value by its last or first word, plural or not."""
    word = span[0] if len(span) > 1 and CLASS_OF.get(span[0]) == "ordinal" else span[-1] if len(span) == 1 else ""
    return CLASS_OF.get(word) or CLASS_OF.get(word.removesuffix("s"))


def _aligned(a: Sentence, b: Sentence) -> Slot | None:
    """Find the one place where two sentences of one frame differ."""
    first, second = _frame(a), _frame(b)
    start = 0
    while start < min(len(first), len(second)) and _alike(first[start], second[start]):
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and _alike(first[-1 - end], second[-1 - end]):
        end += 1
    mine, theirs = first[start : len(first) - end], second[start : len(second) - end]
    if not mine or not theirs or max(len(mine), len(theirs)) > SPAN_MAX_TOKENS or start < 2:
        return None
    if set(mine) & set(theirs):
        return None
    front = " ".join(first[:start])
    value_a, value_b = " ".join(mine), " ".join(theirs)
    classes = {_class_of(mine), _class_of(theirs)}
    one_class = len(classes) == 1 and None not in classes
    dated = bool(a.anchors) and a.anchors == b.anchors
    if dated and re.search(r"\b(?:lived|stayed|worked|was|were) (?:in|at)$", front) and classes == {None}:
        return Slot(first[start - 1], value_a, value_b, stateful=False)
    if ENDS_FIXED.search(front) and (one_class or None in classes):
        return Slot(first[start - 1], value_a, value_b, stateful=False)
    if ENDS_STATEFUL.search(front) and (one_class or None in classes):
        return Slot(first[start - 1], value_a, value_b, stateful=True)
    if re.search(r"\b(?:by|von)$", front) and _ONLY.search(a.text) and _ONLY.search(b.text):
        return Slot(first[start - 1], value_a, value_b, stateful=False)
    copula = first[start - 1] in ("is", "are", "ist", "sind", "of", "called", "painted")
    only = _ONLY.search(a.text) or _ONLY.search(b.text)
    if one_class and (copula or only or re.search(r"\b(?:is|are|was|were|ist)\b", front)):
        return Slot(classes.pop() or "", value_a, value_b, stateful=True)
    return None


def _alike(a: str, b: str) -> bool:
    return root(a) == root(b) or {a, b} <= {"in", "on", "at"}


def _frame(sentence: Sentence) -> list[str]:
    """Return the words of a sentence in order, a numbered thing as one."""
    text = sentence.text
    for thing in sentence.things:
        if thing.sort is Sort.NUMBERED and thing.noun:
            text = re.sub(rf"\b({thing.noun}s?) (?:no\.? )?#?({min(thing.words)})\b", r"\1_\2", text)
    words = [word.removesuffix("'s").rstrip("'") for word in re.findall(r"[^\W_]+(?:[-'_.][^\W_]+)*", text)]
    return [word for word in words if word not in _PASSED_OVER]


_PASSED_OVER = frozenset(
    "the a an alone solely only now currently still just der die das mr mrs ms dr father sister".split()
)


_KO_ONE = re.compile(
    r"담당|대표|본사|사장|팀장|소유|주인|수도|위치|책임|마감|기한|이름|색|생일|출신|에 있|에서 태어"
    r"|시장|교장|의사|관리|감독|이사|층|요일|소속"
)
_ZH_ONE = re.compile(
    r"负责人|总部|经理|位于|设在|总裁|校长|市长|所有|属于|截止|到期|名字|颜色|生日|出生|首都"
    r"|[人长主父母]是|在$|属于|主任|队长|由|在.{1,8}$|住在|向.{1,6}汇报|星期|周[一二三四五六日]|月"
)


def _aligned_unspaced(a: Sentence, b: Sentence) -> Slot | None:
    first, second = a.text.rstrip(".。"), b.text.rstrip(".。")
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    mine, theirs = first[start : len(first) - end], second[start : len(second) - end]
    one = _KO_ONE if a.script == "hangul" else _ZH_ONE
    rest = first[:start] + first[len(first) - end :]
    if (
        not mine
        or not theirs
        or max(len(mine), len(theirs)) > 6
        or start < 2
        or any(c.isdigit() for c in mine + theirs)
    ):
        return None
    if a.script == "han" and mine in "左右东西南北上下" and theirs in "左右东西南北上下" and "在" in rest:
        return Slot("side", mine, theirs, stateful=True)
    if a.script == "han" and not re.search(
        r"(?:[人长主部者员日期色名址都字父母家队师]是|在|为|由|位于|属于|归|叫|姓|于|[左右东西南北])$", first[:start]
    ):
        return None
    if one.search(rest) and not re.search(r"一家|之一|도 있|지점|分店|办事处|也", rest):
        return Slot("value", mine, theirs, stateful=True)
    return None

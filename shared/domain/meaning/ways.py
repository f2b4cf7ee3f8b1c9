"""Whether two sentences say opposed things in ways that no single word carries: "let go" against "kept on".

Rules: a sentence takes the pole of the way it uses, the other one when a denial stands close in front of it; a
sentence that uses ways of both poles takes none. The ways are taken out before what each sentence says beside them is
compared. It is reported only where both are of one subject and neither is former, planned or told of another time.
It does not know moods and times (judge.py); the ways are data (ways_table.py, ways_life.py, ways_trade.py).
Source: own; measured on the build halves of fixtures/audit.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from shared.domain.meaning.loose import Beside, beside
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.ways_life import LIFE_WAYS
from shared.domain.meaning.ways_table import WORK_WAYS
from shared.domain.meaning.ways_trade import TRADE_WAYS

PLANS = "planned"  # the axis of plans and their being ruled out
DENIAL_MAX_WORDS = 4  # between a denial and the way it turns round: "has not yet been fully" (chosen, untested)

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_DENIED = re.compile(
    rf"\b(?:not(?! only| just)|never|no longer|nicht|nie|kein\w*|nobody|no one|none|neither|niemand"
    rf"|hardly)(?: [^\s,;]+){{0,{DENIAL_MAX_WORDS}}} ?$"
    r"|\bno (?:day|night|time|occasion|case|moment|week|month|year)\b[^,;]{0,40}$|(?:不|没有?|未|并非|从不"
    r"|从未)[\u4e00-\u9fff]{0,2}$"
)
_DENIED_BEHIND = re.compile(
    r"^[가-힣]{0,4}?(?:지 ?(?:않|못|는 않)|[이가은는을] ?(?:아니|없))|^[^,;.]{0,25}\bnicht\b(?! nur)"
)


@dataclass(frozen=True, slots=True)
class Way:
    """A way found in a sentence: its axis, its pole, and the sentence without it."""

    axis: str
    pole: int
    said: str
    rest: str
    of_subject: bool = False  # whether the way tells of its bearer, whatever else is told


def _pole(ways: str) -> re.Pattern[str]:
    listed = [way.strip() for way in ways.split(" / ")]
    latin = "|".join(way for way in listed if way and not _CJK.search(way))
    eastern = "|".join(way for way in listed if _CJK.search(way))
    return re.compile(
        "|".join(part for part in (rf"(?<![^\W_])(?:{latin})(?![^\W_])" if latin else "", eastern) if part)
    )


def _axes() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    found = []
    joined = re.sub(r"\n +/ ", " / ", f"{WORK_WAYS}{LIFE_WAYS}{TRADE_WAYS}")
    lines = [line for line in joined.splitlines() if line.strip()]
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        name, _, ways = first.partition("|")
        found.append((name.strip(), _pole(ways), _pole(second.partition("|")[2])))
    return tuple(found)


AXES = _axes()


def opposed_ways(a: Sentence, b: Sentence, axis: str | None = None) -> tuple[Way, Way, Beside] | None:
    """Return two ways that oppose each other, with what the sentences say beside them; the closest pair."""
    found: list[tuple[Way, Way, Beside]] = []
    for mine in _ways(a.text):
        for theirs in _ways(b.text):
            if mine.axis == theirs.axis and mine.pole != theirs.pole and axis in (None, mine.axis):
                found.append((mine, theirs, beside(a, b, mine.rest, theirs.rest)))
    agreed = {x.axis for x in _ways(a.text) for y in _ways(b.text) if x.axis == y.axis and x.pole == y.pole}
    found = [found_pair for found_pair in found if found_pair[0].axis not in agreed]
    return min(found, key=lambda pair: (pair[2].alone, -pair[2].common, pair[0].axis), default=None)


@lru_cache(maxsize=4096)
def _ways(text: str) -> tuple[Way, ...]:
    found = []
    for name, first, second in AXES:
        poles: dict[int, str] = {}
        rest = text
        for number, pattern in ((1, second), (0, first)):
            for match in pattern.finditer(rest):
                if not match.group().strip("\ue001 "):
                    continue
                denied = _DENIED.search(rest[: match.start()]) or _DENIED_BEHIND.search(rest[match.end() :])
                if denied and name.endswith("!"):
                    continue  # "no wine before noon" is no pledge
                poles.setdefault(1 - number if denied else number, match.group())
            rest = pattern.sub(lambda m: "\ue001" * len(m.group()), rest)
        if len(poles) == 1:
            ((pole, said),) = poles.items()
            found.append(Way(name.rstrip("!"), pole, said, rest.replace("\ue001", " "), name.endswith("!")))
    return tuple(found)

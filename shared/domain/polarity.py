"""What a clause asserts or denies on the axes of opposed poles, and whether two clauses contradict each other.

Rules: a negation reaches the next few words of its clause; in Korean it stands behind, in German it may. What is
conditional, possible, planned or asked is not asserted. Two clauses are opposed on an axis when one asserts a pole that
the other denies, or asserts another pole; on a two-sided axis a denial asserts the other side. A clause that says both
is opposed to nothing. Of a memory's clauses, those that speak of the same things are the ones compared.
It does not know subjects beyond shared words, nor time.
Source: polarity axes with negation scope, as in the measured local judge of the project's recipes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from shared.domain.polarity_axes import AXES_TABLE
from shared.domain.statements import sentences
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

NEGATION_REACH_WORDS = 4  # "has not yet been approved" (chosen, untested)
NEGATION_BEHIND_CHARS = 8  # Korean: 승인되지 않았다 (chosen, untested)
SAME_PREDICATE_MIN_SHARE = 0.6  # of the shorter clause's words, to compare plain negations (chosen, untested)

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_NEGATORS = frozenset(
    "not no never without neither nor cannot none nobody hardly nicht kein keine keinen keiner nie niemals ohne".split()
)
_BETWEEN = frozenset("yet fully already really actually completely entirely formally finally still ever".split())
_IRREGULAR: Mapping[str, str] = MappingProxyType(
    dict(
        pair.split("=")
        for pair in """
        sent=send made=make bought=buy sold=sell left=leave came=come went=go gave=give took=take got=get held=hold
        met=meet told=tell found=find paid=pay said=say wrote=write began=begin kept=keep built=build spent=spend
        """.split()
    )
)
_NEGATED_BY_VERB = frozenset("failed fails fail refused refuses lacks lack lacking unable".split())
_UNSURE = re.compile(
    r"\b(?:if|whether|unless|(?<!\d )(?<!in )(?<!of )may(?! \d)|might|could|would|should|can|will|shall|until|till"
    r"|before|once|when|awaiting|pending|planned|expected|to be|wenn|falls|ob|soll|sollte|wird|kann|must|needs?|either"
    r"|request(?:s|ed)?|plans? (?:to|for))\b"
)
_CLAUSE = re.compile(
    r"[;:—]|,(?!\d)|，|；|、|\s-\s|\b(?:but|whereas|while|although|though|however|because|so that|and|aber|sondern)\b"
)
_HAN_NOT = re.compile(r"(?:未|没有|没|不|尚未|并未|并非|无)$")
_HANGUL_NOT = re.compile(r"[가-힣]{0,4}?(?:지 ?(?:않|못|아니)|안 되)")
_HANGUL_NOT_BEFORE = re.compile(r"(?:\b안|\b못|미|비|불) ?$")
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_LACKS = re.compile(r"\b(?:missing|absent|lack(?:s|ed|ing)?|fehl(?:t|te|en|ten|end))\b")  # denied, without a negation
_UNNEGATED_PHRASES = re.compile(
    r"\b(?:not only|no later than|no doubt|no longer than|not just|no\. ?\d|no more than)\b"
)


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis and its poles; `two_sided` when denying one pole asserts the other."""

    name: str
    two_sided: bool
    poles: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Stance:
    """What a clause says on one axis: a pole, asserted or denied, and the word it says it with."""

    axis: str
    pole: int
    denied: bool
    word: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with its stances, its other telling words, and the words it negates."""

    text: str
    stances: tuple[Stance, ...]
    words: frozenset[str]
    negated: frozenset[str]


def _inflections(verb: str) -> tuple[str, ...]:
    if verb.endswith("e"):
        return verb, verb + "s", verb + "d", verb[:-1] + "ing"
    if verb.endswith("y") and verb[-2] not in "aeo":
        return verb, verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing"
    ending = "es" if verb.endswith(("s", "ch", "sh", "x")) else "s"
    last = verb[-1] if verb in ("ban", "drop", "permit", "forbid") else ""
    return verb, verb + ending, verb + last + "ed", verb + last + "ing"


def _read_table() -> tuple[Axis, ...]:
    axes: list[Axis] = []
    rows: list[list[str]] = []
    for line in AXES_TABLE.strip().splitlines():
        name, *poles = [part.strip() for part in line.split("|")]
        if name:
            rows.append([name])
        rows[-1] += poles
    for name, *poles in rows:
        read = tuple(
            tuple(
                form
                for word in pole.split()
                for form in (_inflections(word[1:]) if word.startswith("~") else (fold(word.replace("_", " ")),))
            )
            for pole in poles
        )
        axes.append(Axis(name.rstrip("!"), name.endswith("!"), read))
    return tuple(axes)


AXES: tuple[Axis, ...] = _read_table()
_TWO_SIDED: Mapping[str, bool] = MappingProxyType({axis.name: axis.two_sided for axis in AXES})
_PLACES: dict[str, list[tuple[str, int]]] = {}
for _axis in AXES:
    for _number, _pole in enumerate(_axis.poles):
        for _form in _pole:
            _PLACES.setdefault(_form, []).append((_axis.name, _number))
_LATIN = sorted((form for form in _PLACES if not _CJK.search(form)), key=len, reverse=True)
_EASTERN = sorted((form for form in _PLACES if _CJK.search(form)), key=len, reverse=True)
_FORM = re.compile(
    rf"(?<![^\W_])(?<!-)(?:{'|'.join(map(re.escape, _LATIN))})(?![^\W_\u3040-\u9fff\uac00-\ud7a3])(?!-)"
    rf"|(?:{'|'.join(map(re.escape, _EASTERN))})"
)


_DONE_FORMS = "|".join(re.escape(form[1:]) for form in _EASTERN if form[0] == "已")
_HAN_DONE = re.compile(rf"已[^,，。;；、未没不]{{1,24}}?({_DONE_FORMS})")  # 已于 5 月 6 日付款


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a text that say anything, each with what it asserts and denies."""
    found: list[Clause] = []
    for sentence in sentences(text):
        folded = _UNNEGATED_PHRASES.sub(" ", fold(sentence).replace("n't", " not").replace("cannot", "can not"))
        folded = _HAN_DONE.sub(r"已\1", folded)
        asked = folded.endswith(("?", "？"))
        position = 0
        for edge in [*_CLAUSE.finditer(folded), None]:
            part = folded[position : edge.start() if edge else len(folded)]
            position = edge.end() if edge else position
            if part.strip():
                found.append(_clause(part, asked=asked))
    return tuple(found)


def opposed(a: Clause, b: Clause) -> tuple[Stance, Stance] | None:
    """Return the two stances by which two clauses contradict each other, or None."""
    for mine in a.stances:
        theirs = [stance for stance in b.stances if stance.axis == mine.axis]
        if theirs and not any(_agree(mine, stance) for stance in theirs):
            conflict = next((stance for stance in theirs if _conflict(mine, stance)), None)
            if conflict is not None:
                return mine, conflict
    return None


def contradiction(claim: Clause, memory: Sequence[Clause]) -> str | None:
    """Return how a claim contradicts the clauses of a memory that speak of the same things, or None."""
    for word in dict.fromkeys(stance.word for stance in claim.stances):
        senses = [_against(claim, stance, memory) for stance in claim.stances if stance.word == word]
        told = [sense for sense in senses if sense is not None]
        if told and all(told):  # a word of two senses ("declined") contradicts only when no sense of it agrees
            return told[0]
    return _plain_denial(claim, memory)


def _against(claim: Clause, stance: Stance, memory: Sequence[Clause]) -> str | None:
    """Return how one stance is contradicted, "" when a clause that speaks of the same does not, None when none does."""
    mine = Clause(claim.text, tuple(s for s in claim.stances if s.axis == stance.axis), claim.words, claim.negated)
    speaking = [c for c in memory if any(held.axis == stance.axis for held in c.stances)]
    found = [opposed(mine, c) for c in _nearest(claim, speaking)]
    if not found:
        return None
    conflicts = [pair for pair in found if pair is not None]
    if len(conflicts) < len(found):
        return ""
    said, held = conflicts[0]
    return f"{_spoken(said)!r} against {_spoken(held)!r} ({stance.axis})"


def _nearest(claim: Clause, speaking: Sequence[Clause]) -> list[Clause]:
    shared = [len(claim.words & clause.words) for clause in speaking]
    most = max(shared, default=0)
    return [clause for clause, count in zip(speaking, shared, strict=True) if count == most]


def _plain_denial(claim: Clause, memory: Iterable[Clause]) -> str | None:
    """Find a memory's clause that says the same as the claim save for one negation."""
    found = None
    for clause in memory:
        shorter = min(len(claim.words), len(clause.words))
        shared = claim.words & clause.words
        if shorter < 2 or len(shared) < SAME_PREDICATE_MIN_SHARE * shorter or len(shared) < 2:
            continue
        if bool(claim.negated & shared) == bool(clause.negated & shared):
            return None
        if _LACKS.search(claim.text) or _LACKS.search(clause.text):
            continue
        word = min((claim.negated | clause.negated) & shared)
        found = f"{word!r} is denied on one side only"
    return found


def _conflict(mine: Stance, theirs: Stance) -> bool:
    if mine.denied != theirs.denied:
        return mine.pole == theirs.pole
    return not mine.denied and mine.pole != theirs.pole


def _agree(mine: Stance, theirs: Stance) -> bool:
    if mine.denied == theirs.denied:
        return mine.pole == theirs.pole
    return mine.pole != theirs.pole and _TWO_SIDED[mine.axis]


def _clause(text: str, *, asked: bool) -> Clause:
    words = [(match.group(), match.start()) for match in _WORD.finditer(text)]
    unsure = [match.start() for match in _UNSURE.finditer(text)]
    reached = _negated(words)
    stances: list[Stance] = []
    spoken: set[str] = set()
    for match in _FORM.finditer(text):
        spoken |= set(_WORD.findall(match.group()))
        if asked or any(start < match.start() for start in unsure):
            continue
        denied = _denied(text, match, reached)
        stances += [Stance(axis, pole, denied, match.group()) for axis, pole in _PLACES[match.group()]]
    telling = {
        _root(word)
        for word, _ in words
        if word not in ENGLISH_STOP_WORDS and word not in _NEGATORS and not (word in spoken and not word.isdigit())
    }
    negated = _first_negated(words, telling, reached)
    if asked or unsure:
        negated, telling = set(), telling if stances else set()
    return Clause(text.strip(), tuple(stances), frozenset(telling), frozenset(negated))


def _negated(words: Sequence[tuple[str, int]]) -> frozenset[int]:
    """Return where the words begin that a negation in front of them reaches; two negations cancel."""
    reached: dict[int, int] = {}
    for i, (word, _) in enumerate(words):
        verb = word in _NEGATED_BY_VERB and i + 1 < len(words) and words[i + 1][0] in ("to", "any", "a")
        if word in _NEGATORS or verb:
            for _, start in words[i + 1 : i + 1 + NEGATION_REACH_WORDS]:
                reached[start] = reached.get(start, 0) + 1
            if word.startswith(("nicht", "kein")) and i + 1 == len(words) and i:  # "Er zahlte nicht."
                reached[words[i - 1][1]] = 1
    return frozenset(start for start, times in reached.items() if times % 2)


def _first_negated(words: Sequence[tuple[str, int]], telling: set[str], reached: frozenset[int]) -> set[str]:
    """Return the first telling word behind each negation, when it is no word of an axis: what is plainly denied."""
    found: set[str] = set()
    after = False
    for word, start in words:
        if start not in reached:
            after = True
        elif after and word not in ENGLISH_STOP_WORDS and word not in _BETWEEN:
            found |= {_root(word)} & telling
            after = False
    return found


def _denied(text: str, match: re.Match[str], reached: frozenset[int]) -> bool:
    if not _CJK.search(match.group()):
        return match.start() in reached
    before, behind = text[: match.start()], text[match.end() : match.end() + NEGATION_BEHIND_CHARS]
    return any(
        (_HAN_NOT.search(before), _HANGUL_NOT.match(behind), _HANGUL_NOT_BEFORE.search(before))
    )  # fmt: skip


def _root(word: str) -> str:
    """Strip the commonest endings: good only for telling whether two clauses share a word."""
    word = _IRREGULAR.get(word, word)
    for ending in ("ing", "ies", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _spoken(stance: Stance) -> str:
    return f"not {stance.word}" if stance.denied else stance.word

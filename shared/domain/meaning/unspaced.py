"""A Korean or Chinese sentence in the parts that a spaced one has: topic words, poles, denials.

Rules: poles are looked for inside the text, negation beside them; Korean words lose particles and endings; of
             Chinese, pairs of neighbouring
characters stand for words. What a Korean topic particle closes off, in front of the verb, takes no pole.
It does not segment words (there is no dictionary).
Source: bigrams for CJK as in tokens.py; particles and endings are closed classes.
"""

import re
from collections.abc import Iterable
from typing import Any

from shared.domain.meaning.poles import PLACES, UNSPACED, Stance
from shared.domain.quantities import Quantity

_UNSPACED_NOT = re.compile(
    r"(?:没有|并没|尚未|从未|从来没有|从来没|从来不|从不|并非|并不|不再|未曾|不是|不会|不能|无法|没"
    r"|未|不|无|非|别)(?:过|被|得到|有|曾|完全|能|会|太|是)?$"
)
_HANGUL_NOT = re.compile(
    r"^[가-힣]{0,3}?(?:지 ?(?:도 |는 )?(?:않|못|아니|안)|은 아니|는 아니|이 아니|가 아니"
    r"|[이가은는도을를]? ?(?:전혀 )?(?:없|안 (?:되|됐)|못 (?:했|한)))"
)
_HANGUL_NOT_BEFORE = re.compile(r"(?:(?:^|\s)(?:안|못)|미|비|불|무) ?$")
_PARTICLES = re.compile(
    r"(?:에서는|에게는|으로는|에서|에게|에는|으로|부터|까지|보다|이라고|이다|은|는|이|가|을|를|에|의"
    r"|로|와|과|도|만|씩)$"
)
_ENDINGS_KO = re.compile(
    r"(?:하였다|했다|한다|하다|되었다|됐다|된다|되다|되지|하지|였다|이었다|입니다|습니다|있다|없다"
    r"|았다|었다|는다|이다|하고|해서|다)[.]?$"
)
_FUNCTION_HAN = re.compile(
    r"[的了是在有已经正着过为被将把和与及也都就还很其该这那一个]|目前|现在|总是|一直|从未|没有|未|不"
    r"|无|并"
)
_NEUTRAL_HANGUL = frozenset(
    "항상 늘 매번 언제나 현재 지금 이미 아직 모두 전부 한 명 그 이 총 총액 대금 매우 아주 전혀 한번 "
    "있 없 되 하 것".split()
)


def unspaced_parts(text: str, script: str, figures: Iterable[Quantity]) -> dict[str, Any]:
    """Return the fields of a sentence that come from its characters."""
    stances: list[Stance] = []
    denied: set[str] = set()
    rest = text
    for figure in figures:
        rest = rest.replace(figure.text, " ", 1)
    for match in UNSPACED.finditer(rest):
        before, behind = rest[: match.start()], rest[match.end() :]
        if (
            script == "hangul"
            and re.search(r"^\S*(?:은|는|이|가|을|를)?\s", behind)
            and re.match(r"^[가-힣]{0,2} [가-힣]+[은는이가] ", behind)
        ):
            continue  # in front of the topic: "북쪽 다리는"
        odd = bool(
            _HANGUL_NOT.match(behind) or _HANGUL_NOT_BEFORE.search(before)
            if script == "hangul"
            else _UNSPACED_NOT.search(before)
        )
        stances += [Stance(axis, pole, odd, match.group()) for axis, pole in PLACES[match.group()]]
        if odd:
            denied.add(match.group())
    bare = UNSPACED.sub(" ", rest)
    if script == "hangul":
        negations = len(
            re.findall(r"지 ?(?:는 |도 )?(?:않|못|아니)|없[다었는고으]|아니[다었며]|(?:^|\s)(?:안|못) ", rest)
        )
        stems = [_PARTICLES.sub("", _ENDINGS_KO.sub("", word)) for word in re.findall(r"[^\W\d_]+", bare)]
        words = {stem for stem in stems if len(stem) > 1 and stem not in _NEUTRAL_HANGUL}
        tokens = tuple(_PARTICLES.sub("", word.rstrip(".")) for word in text.split())
        subject = frozenset(stems[:1]) & words
    else:
        negations = len(
            re.findall(
                r"没有|从未|从不|从来不|从来没|尚未|并未|并非|不再|没|未(?!来)|不(?!锈|断|动产)|无(?!锡|线)", rest
            )
        )
        runs = re.findall(r"[\u3400-\u9fff]+", _FUNCTION_HAN.sub(" ", bare))
        words = {run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))}
        tokens = tuple(c for c in text if not c.isspace() and c not in "。.,，")
        subject = frozenset()
    return {
        "tokens": tokens, "words": frozenset(words), "subject": subject, "stances": tuple(stances),
        "negations": negations, "denied": frozenset(denied), "roots": frozenset(words | {s.word for s in stances}),
        "head": subject, "frame": frozenset(words), "clause_of": dict.fromkeys(words, 0),
    }  # fmt: skip

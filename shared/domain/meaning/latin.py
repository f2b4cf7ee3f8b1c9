"""A sentence of a spaced script in words: topic roots, poles, what is denied, what stands in front of the verb.

Rules: a negation reaches the rest of its clause; "nobody" and German "nicht" the whole clause; two cancel. What
stands in front of the first verb tells one thing from another and takes no pole: "the new crane". Names and units are
no topic words.
It does not know things (subjects.py) nor times (tense.py).
Source: negation scope as in polarity.py; the verb is found by closed classes and endings.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from shared.domain.meaning.poles import PHRASE, PLACES, Stance, plain_stances
from shared.domain.meaning.words import IRREGULAR_VERBS, is_neutral, plain_root, root
from shared.domain.quantities import Kind, Quantity
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.subjects import Thing

NEGATION_REACH_WORDS = 7  # "has not, as far as we know, been paid" is beyond it (chosen, untested)

_CLAUSE_END = re.compile(
    r"^(?:but|whereas|while|although|though|however|because|and|aber|sondern|so|since|yet|when|until"
    r"|before|after|if)$"
)
_NEGATORS = frozenset(
    """
     not no never without neither nor none nobody nothing hardly scarcely barely rarely seldom lacks lack lacking
    lacked cannot
     no_longer not_any_more nowhere free_of devoid nicht kein keine keinen keiner keinem nie niemals ohne niemand
    nirgends
    weder unable except fails_to fehlt fehlen fehlte mangelt
    """.split()
)
_WHOLE_CLAUSE = frozenset(
    """
    no none nobody neither kein keine keiner niemand weder nicht nie niemals nothing fehlt fehlen fehlte mangelt
    """.split()
)
_CEASED = frozenset("stopped stops stop ceased ceases quit".split())
GERMAN_AUXILIARIES = frozenset("hat hast".split())  # whose roots are those of English "hate"
_VERBAL = frozenset("fail failed fails refuse refuses refused unable forgot forget forgets neglected".split())
_PHRASES: Mapping[str, str] = {
    "can not": "cannot",
    "no longer": "no_longer",
    "free of": "free_of",
    "no doubt": " ",
    "not only": " ",
    "not just": " ",
    "no later than": "within",
    "no more than": "at most",
    "no less than": "at least",
    "not more than": "at most",
    "nicht mehr": "no_longer",
    "gave up": "stopped",
    "given up": "stopped",
    "gives up": "stops",
    "a couple of": "2",
}
_WORD = re.compile(r"[^\W_]+(?:[-'_][^\W_]+)*|[^\W_]+|[,;:]")
_PLAIN_PHRASE = re.compile(r"\b(?:" + "|".join(_PHRASES) + r")\b")
_PARTICLE_VERB = re.compile(
    r"\b(gave|give|gives|threw|throws|turned|turns|turn|switched|switch|voted|torn|tore|put) ((?:the "
    r"|her |his |its |their )?[a-z]+) (away|off|on|down|out|back)\b"
)
_VERBS = frozenset(
    """
     is are was were has have had does do did will can cannot must may might should would could be been needs need
    makes made
     runs run works work pays pay sells sell buys buy gives gave takes took comes came goes went gets got holds
    held keeps kept
     leads lives owns uses used serves stands stood lies lay sits sat rose fell grew shrank sank belongs contains
    costs weighs
     lasts ends starts begins closes opens ist sind war hat wird wurde wurden liefert wiegt beträgt steht liegt
    bleibt zahlt
     produces builds employs consists meets covers requires wants plans delivers answers reports treats flies
    drinks eats
     drives carries reaches leaves left arrives moved lost won passes says said means feels seems looks became
    remains live stand lie sell run work employ own serve use hold keep
     cost weigh last end start begin open close meet cover deliver fly drink eat drive carry reach leave arrive
    move pass
    """.split()
)
_QUALIFIERS = frozenset(
    """
     first second third fourth fifth sixth last next previous former latter present current upper lower inner
    outer left right front
     rear back elder younger senior junior major minor other morning evening day night summer winter adult child
    early late old new
    """.split()
)
_LIGHT = frozenset("the a an is are was were be been has have had to of in on at and it its that this".split())


def latin_parts(text: str, named: Iterable[Thing], figures: Iterable[Quantity]) -> dict[str, Any]:
    """Return the fields of a sentence that come from its words."""
    text = _PARTICLE_VERB.sub(r"\1_\3 \2", text)
    joined = _PLAIN_PHRASE.sub(lambda m: _PHRASES[m.group()], text)
    joined = PHRASE.sub(lambda m: m.group().replace(" ", "_"), joined)
    tokens = [token.removesuffix("'s").rstrip("'") for token in _WORD.findall(joined)]
    silent = {word for thing in named for word in thing.words}
    silent |= {word for q in figures if q.kind is not Kind.NUMBER for word in re.findall(r"[^\W\d_]+", q.text)}
    reach = _reach(tokens)
    stances: list[Stance] = []
    words: dict[str, int] = {}
    denied: set[str] = set()
    roots: set[str] = set()
    clause = 0
    negators = {i for i, token in enumerate(tokens) if _is_negator(tokens, i, token)}
    verb = _verb_at(tokens)
    before: set[str] = set()
    for i, token in enumerate(tokens):
        if token in ",;:" or _CLAUSE_END.match(token):
            clause += 1
        if i in negators or not token[:1].isalpha() or (token in silent and i >= verb):
            continue
        if i < verb and token not in ENGLISH_STOP_WORDS:
            before.add(root(token))
        if token in silent:
            continue
        places = PLACES.get(token) if "_" in token else PLACES.get(plain_root(token))
        if (
            i < verb or token in GERMAN_AUXILIARIES
        ):  # "the new crane": what stands in front of the verb tells one thing from another
            places = None
        odd = bool(reach.get(i, 0) % 2)
        stances += plain_stances(token, odd, clause)
        if places:
            stances += [Stance(axis, pole, odd, token, clause) for axis, pole in places]
        elif is_neutral(token) and not (i < verb and plain_root(token) in PLACES and token not in ENGLISH_STOP_WORDS):
            continue
        else:
            words.setdefault(root(token), i)
        roots.add(root(token))
        if odd:
            denied.add(root(token))
    clauses = _clauses(tokens)
    return {
        "tokens": tuple(tokens), "words": frozenset(words), "stances": tuple(stances), "negations": len(negators),
        "denied": frozenset(denied), "roots": frozenset(roots), "head": frozenset(before),
        "qualifiers": _QUALIFIERS & set(tokens[:verb]),
        "subject": frozenset(word for word, at in words.items() if at < verb),
        "frame": frozenset(root(t) for t in tokens if t[:1].isalpha() and t not in _LIGHT),
        "clause_of": {root(t): clauses[i] for i, t in reversed(list(enumerate(tokens)))},
    }  # fmt: skip


def _clauses(tokens: list[str]) -> list[int]:
    numbers, clause = [], 0
    for token in tokens:
        if token in ",;:" or _CLAUSE_END.match(token):
            clause += 1
        numbers.append(clause)
    return numbers


def _is_negator(tokens: list[str], i: int, token: str) -> bool:
    ceased = token in _CEASED and i + 1 < len(tokens) and tokens[i + 1].endswith("ing")
    return token in _NEGATORS or ceased or (token in _VERBAL and _reach_begins(tokens, i))


def _verb_at(tokens: list[str]) -> int:
    """Return where the first verb stands; without one, the first pole word, else the end."""
    for i, token in enumerate(tokens):
        if i and (
            _is_verb(token)
            or (token.endswith("s") and plain_root(token) in PLACES and tokens[i - 1] not in _BEFORE_NOUN)
        ):
            return i
    poles = (i for i, token in enumerate(tokens) if i and ("_" in token or plain_root(token) in PLACES))
    return next(poles, len(tokens))


_BEFORE_NOUN = frozenset(
    "the a an of in on at for with to by from his her its our their your my all no some these those".split()
)


def _is_verb(token: str) -> bool:
    return (
        token in _VERBS
        or (token.endswith("ed") and len(token) > 4)
        or token in IRREGULAR_VERBS
        or ("_" in token and token in PLACES)
    )


def _reach_begins(tokens: list[str], i: int) -> bool:
    """Tell "failed to pay" from "failed"."""
    return i + 1 < len(tokens) and tokens[i + 1] in ("to", "any")


def _reach(tokens: list[str]) -> dict[int, int]:
    """Count the negations that reach each token."""
    reach: dict[int, int] = {}
    for i, token in enumerate(tokens):
        if not _is_negator(tokens, i, token):
            continue
        start = i + 1
        last = len(tokens) - 1 if token in _WHOLE_CLAUSE and token != "no" else i + NEGATION_REACH_WORDS
        if token in ("nicht", "nie", "niemals") or (token == "no" and i == 0):
            last = len(tokens)
        for j in range(start, min(last + 1, len(tokens))):
            if tokens[j] in ",;:" or (_CLAUSE_END.match(tokens[j]) and j > start):
                break
            if tokens[j] == "with" and any(plain_root(t) in PLACES for t in tokens[start:j]):
                break  # "not unhappy with the new flat"
            reach[j] = reach.get(j, 0) + 1
        if token in ("nicht", "nie", "niemals") and i >= len(tokens) - 2:  # "zahlt die Rechnung nicht"
            for j in range(i):
                reach[j] = reach.get(j, 0) + 1
    return reach

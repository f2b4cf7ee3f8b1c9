"""A model's answers about facts and their importance, read strictly.

Rules: exactly the keys that were asked for; texts are texts, booleans booleans, numbers finite and in their range, days
days. A fact's evidence stands in the user's words, white space and kinds of quotes aside. A slot has the form of one, a
value only where there is a slot, and none where a slot of one value ends. Every fault is told, up to MAX_MESSAGES.
It does not know how an answer was asked for.
Source: REQUIREMENTS C6; the faults of the reference's reader (a text taken for a list, NaN for 1.0, "false" for true).
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from services.judge.answer_text import shown
from services.judge.provider import Json, Wrong
from shared.domain.extraction.facts import Fact, Heard, Importance
from shared.domain.extraction.reader import FACTS_MAX
from shared.domain.text import fold, refused_character
from shared.domain.types import Guard, MemoryType

MAX_MESSAGES = 8
"""Of one answer's faults that are told. Chosen, untested."""

MAX_TEXT_CHARS, MAX_VALUE_CHARS, MAX_REASON_CHARS = 600, 80, 200
"""Of a fact's sentence, of a value or subject, of a reason. Chosen, untested."""

_TEXTS = ("text", "subject", "slot", "value", "former", "since", "until", "evidence")
_FLAGS = ("ends", "corrects")
_FACT_KEYS = frozenset((*_TEXTS, *_FLAGS))
_SCORE_KEYS = frozenset(("importance", "type", "protection", "reason"))
_SLOT = re.compile(r"slots?\.[a-z0-9][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_-]*)?")
_TYPES = {each.value: each for each in (MemoryType.EPISODIC, MemoryType.SEMANTIC)}
_GUARDS = {each.value: each for each in Guard}


def facts_of(value: Json, heard: Heard) -> tuple[Fact, ...] | Wrong:
    """Read the facts of a turn."""
    if not isinstance(value, dict):
        return Wrong(("the answer is not a JSON object",))
    messages = [f"there is no key {shown(key)}" for key in value if key != "facts"]
    listed = value.get("facts")
    if not isinstance(listed, list):
        told = "the facts are not a list" if "facts" in value else 'the key "facts" is missing'
        return Wrong((told, *messages)[:MAX_MESSAGES])
    if len(listed) > FACTS_MAX:
        messages.append(f"there are {len(listed)} facts, at most {FACTS_MAX} are allowed")
    facts = []
    for number, each in enumerate(listed, 1):
        wrong = list(_faults(each, heard))
        if not wrong and isinstance(each, dict):
            facts.append(_fact(each, heard))
        messages += [f"fact {number}: {message}" for message in wrong]
    return Wrong(tuple(messages[:MAX_MESSAGES])) if messages else tuple(facts)


def importances_of(value: Json, count: int) -> tuple[Importance, ...] | Wrong:
    """Read the importance of `count` statements, in order."""
    if not isinstance(value, dict):
        return Wrong(("the answer is not a JSON object",))
    keys = [str(index) for index in range(1, count + 1)]
    messages = [f"statement {key} is missing" for key in keys if key not in value]
    messages += [f"there is no statement {shown(key)}" for key in value if key not in keys]
    scores = []
    for key in keys:
        if key not in value:
            continue
        wrong = list(_score_faults(value[key]))
        if not wrong:
            scores.append(_importance(value[key]))
        messages += [f"statement {key}: {message}" for message in wrong]
    return Wrong(tuple(messages[:MAX_MESSAGES])) if messages else tuple(scores)


def _faults(each: Json, heard: Heard) -> Iterator[str]:
    """Yield what is wrong with one fact."""
    if not isinstance(each, dict):
        yield "is not a JSON object"
        return
    yield from _key_faults(each, _FACT_KEYS)
    yield from (f"{name} is not a text" for name in _TEXTS if name in each and not isinstance(each[name], str))
    yield from (f"{name} is not a boolean" for name in _FLAGS if name in each and not isinstance(each[name], bool))
    said = {name: text for name in _TEXTS if isinstance(text := each.get(name), str)}
    if len(said) < len(_TEXTS) or not all(isinstance(each.get(name), bool) for name in _FLAGS):
        return
    yield from _text_faults(said, heard)
    yield from _slot_faults(said, ends=each["ends"] is True)


def _text_faults(said: dict[str, str], heard: Heard) -> Iterator[str]:
    yield from (f"{name} holds a character that no text may hold" for name in said if refused_character(said[name]))
    if not said["text"].strip() or len(said["text"]) > MAX_TEXT_CHARS:
        yield f"text is empty or has more than {MAX_TEXT_CHARS} characters"
    for name in ("subject", "value", "former"):
        if len(said[name]) > MAX_VALUE_CHARS:
            yield f"{name} has more than {MAX_VALUE_CHARS} characters"
    evidence = fold(said["evidence"])
    if not evidence or evidence not in fold(heard.user_text):
        yield "evidence is not copied from what the user said"
    for name in ("since", "until"):
        if said[name] and _day(said[name]) is None:
            yield f"{name} is no day as YYYY-MM-DD"


def _slot_faults(said: dict[str, str], *, ends: bool) -> Iterator[str]:
    slot, value = said["slot"], said["value"].strip()
    if not slot:
        if value or said["former"] or ends:
            yield "there is a value, a former value or an end, and no slot"
        return
    if not _SLOT.fullmatch(slot):
        yield "slot is not slot.<name> or slots.<name> in lower case"
    empty = ends and slot.startswith("slot.")
    if empty and value:
        yield "a slot of one value that ends has no value"
    if not empty and not value:
        yield "the slot has no value"


def _score_faults(each: Json) -> Iterator[str]:
    """Yield what is wrong with one score."""
    if not isinstance(each, dict):
        yield "is not a JSON object"
        return
    yield from _key_faults(each, _SCORE_KEYS)
    importance = each.get("importance")
    # A boolean is an int to Python, and 1.0 to a careless reader.
    if isinstance(importance, bool) or not isinstance(importance, int | float):
        if "importance" in each:
            yield "importance is not a number"
    elif not 0 <= importance <= 1:
        yield "importance is not between 0 and 1"
    for name, words in (("type", _TYPES), ("protection", _GUARDS)):
        word = each.get(name)
        if name in each and not (isinstance(word, str) and word in words):
            yield f"{name} is none of {', '.join(words)}"
    reason = each.get("reason")
    if "reason" in each and not (isinstance(reason, str) and 0 < len(reason.strip()) <= MAX_REASON_CHARS):
        yield f"reason is not a text of 1 to {MAX_REASON_CHARS} characters"


def _key_faults(each: dict[str, Json], expected: frozenset[str]) -> Iterator[str]:
    yield from (f"the key {shown(key)} is missing" for key in sorted(expected - each.keys()))
    yield from (f"there is no key {shown(key)}" for key in each if key not in expected)


def _fact(each: dict[str, Json], heard: Heard) -> Fact:
    """Write a checked fact."""
    said = {name: str(each[name]).strip() for name in _TEXTS}
    since, until = _day(said["since"]), _day(said["until"])
    return Fact(
        text=said["text"],
        evidence=said["evidence"],
        valid_from=_start(since) if since else heard.observed_at,
        valid_to=_start(until + timedelta(days=1)) if until else None,
        subject=said["subject"],
        slot=said["slot"],
        value=said["value"],
        former_value=said["former"],
        ends=each["ends"] is True,
        corrects=each["corrects"] is True,
    )


def _importance(each: Json) -> Importance:
    """Write a checked score."""
    assert isinstance(each, dict)
    score = each["importance"]
    assert isinstance(score, int | float)
    return Importance(
        importance=float(score),
        memory_type=_TYPES[str(each["type"])],
        protection=_GUARDS[str(each["protection"])],
        reason=" ".join(str(each["reason"]).split()),
    )


def _day(text: str) -> date | None:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year < date.max.year else None


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)

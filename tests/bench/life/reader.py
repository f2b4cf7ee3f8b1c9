"""A reader without a model: answers a probe from memory lines alone, the same way for every agent.

Rules: it recognises any value of the asked slot that was told so far (`Probe.known`), as a strong model would, and so
measures memories and not reading; which of several values holds, it may learn only from the lines: from their dates,
from words of change or end, else the first line (the best ranked) wins. The user's own words go before the assistant's.
A line may begin with "[2026-04-19]", "[since 2026-04-19]", "[2026-01-02 to 2026-04-19]" (ended) and with a speaker,
"user:" or "assistant:".
It does not know the key: an unknown value is no answer, and what no line says it does not say.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from tests.bench.life.cues import Said, Tense, said
from tests.bench.life.model import Mode, Probe
from tests.bench.life.wording import normal

UNKNOWN = "I don't know."
_ISO = r"\d{4}-\d\d-\d\d"
_PREFIX = re.compile(rf"\[(?:(?:since )?(?P<start>{_ISO})(?: to (?P<end>{_ISO}))?|until (?P<until>{_ISO}))\]\s*")
_DAY = re.compile(rf"(?<!\S)(?:{_ISO}|--\d\d-\d\d)(?!\S)")
_SPEAKER = re.compile(r"(user|assistant): ")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    day: date | None
    ended: date | None
    told: tuple[Said, ...]

    def of(self, *tenses: Tense) -> list[Said]:
        return [found for found in self.told if found.tense in tenses]


def read(probe: Probe, lines: Sequence[str]) -> str:
    """Return the answer that the lines give to a probe."""
    own: list[_Line] = []
    echoes: list[_Line] = []
    for line in lines:
        parsed, speaker = _parsed(line, probe.known)
        if parsed.told:
            (echoes if speaker == "assistant" else own).append(parsed)
    found = own or echoes
    if not found:
        return UNKNOWN
    match probe.mode:
        case Mode.ALL:
            return _all(found, probe.known)
        case Mode.BEFORE:
            return _before(found)
        case Mode.SINCE:
            return _since(found)
        case _:
            return _latest(found).text


def evidence(probe: Probe, lines: Sequence[str]) -> list[int]:
    """Return the places of the lines that tell a value of the asked slot: what an answer is read from."""
    return [place for place, line in enumerate(lines) if _parsed(line, probe.known)[0].told]


def _parsed(line: str, known: Sequence[Sequence[str]]) -> tuple[_Line, str]:
    prefix = _PREFIX.match(line)
    text = line[prefix.end() :] if prefix else line
    speaker = _SPEAKER.match(text)
    text = text[speaker.end() :] if speaker else text
    days = prefix.groupdict() if prefix else {}
    ended = days.get("end") or days.get("until")
    usual = {spelling: group[0] for group in known for spelling in group}
    told = tuple(replace(found, value=usual[found.value]) for found in said(text, usual))
    if ended:
        told = tuple(replace(found, tense=Tense.PAST) for found in told)
    day = days.get("start")
    parsed = _Line(text, date.fromisoformat(day) if day else None, date.fromisoformat(ended) if ended else None, told)
    return parsed, speaker[1] if speaker else ""


def _latest(found: Sequence[_Line]) -> _Line:
    """Return the line that tells what holds: newest by date, else by a word of change, else the first.

    Lines that only deny or recall a value count too: "no longer drinks tea" may be the last word on it.
    """
    live = [line for line in found if line.ended is None] or list(found)
    live = [line for line in live if line.of(Tense.CURRENT, Tense.PAST)] or live  # a plan is no change
    dated = [line for line in live if line.day is not None]
    if dated:
        return max(reversed(dated), key=lambda line: line.day or date.min)
    denied = {told.value for line in live for told in line.of(Tense.PAST)}
    standing = [line for line in live if any(told.value not in denied for told in line.of(Tense.CURRENT))]
    choice = standing or [line for line in live if line.of(Tense.CURRENT)] or live
    return next((line for line in choice if line.told[0].change), choice[0])


def _before(found: Sequence[_Line]) -> str:
    """Return the line on the value before the present one, which is the last value to end or to be overtaken."""
    ended = [line for line in found if line.ended is not None]
    if ended:
        return max(ended, key=lambda line: line.ended or date.min).text
    latest = _latest(found)
    now = {told.value for told in latest.of(Tense.CURRENT)}
    left = [told.value for told in latest.of(Tense.PAST)]
    if left:
        return f"Before: {left[0]}."
    others = [line for line in found if any(told.value not in now for told in line.told)]
    if not others:
        return UNKNOWN
    line = _latest(others) if any(line.day for line in others) else others[0]
    value = next(told.value for told in line.told if told.value not in now)
    return f"Before: {value}."


def _since(found: Sequence[_Line]) -> str:
    """Return a line that itself names a day, else the first dated line of the asked value."""
    named = next((line for line in found if _DAY.search(normal(line.text))), None)
    if named is not None:
        return named.text
    dated = sorted((line for line in found if line.day is not None), key=lambda line: line.day or date.min)
    first = dated[0] if dated else found[0]
    return f"{first.day}: {first.text}" if first.day else first.text


def _all(found: Sequence[_Line], known: Sequence[Sequence[str]]) -> str:
    """Return one sentence for every value whose last word is that it holds."""
    held = []
    for value in (group[0] for group in known):
        lines = [line for line in found if any(told.value == value for told in line.told)]
        if lines and any(told.value == value for told in _latest(lines).of(Tense.CURRENT)):
            denied = any(told.value == value for line in lines if line.day is None for told in line.of(Tense.PAST))
            if not denied:
                held.append(value)
    return f"{', '.join(held)}." if held else UNKNOWN

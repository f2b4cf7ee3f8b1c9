"""How pages say things: instants, values, scores and the words of the field.

Rules: days and times are UTC and say so; a value is shown as it was written. It does not know HTML beyond `time`.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType

from markupsafe import Markup

_RULES = {
    "importance": "one side was flagged as more important",
    "source-authority": "a source goes before a remark",
    "recency": "the later statement goes before the earlier one",
}
_STATES = {
    "active": "believed now",
    "superseded": "was true; something took its place",
    "incorrect": "was never true",
    "merged": "spoken for by a digest",
    "forgotten": "faded, or forgotten by choice",
    "erased": "erased for good",
}
_STRENGTHS = ((0.85, "very strong"), (0.7, "strong"), (0.55, "moderate"), (0.35, "weak"), (0.0, "very weak"))


def instant(text: str) -> datetime:
    """Read an instant as the API prints it."""
    return datetime.fromisoformat(text)


def day(text: str | None) -> Markup:
    """Show the day of an instant: 10 April 2026."""
    if not text:
        return Markup("")
    at = instant(text)
    return Markup('<time datetime="{}">{}</time>').format(text, f"{at.day} {at:%B %Y}")


def moment(text: str | None) -> Markup:
    """Show an instant to the minute: 10 Apr 2026, 09:00 UTC."""
    if not text:
        return Markup("")
    at = instant(text)
    return Markup('<time datetime="{}">{}</time>').format(text, f"{at.day} {at:%b %Y, %H:%M} UTC")


def ago(text: str, now: datetime) -> str:
    """Say how far an instant is from now: 3 days ago, in 2 hours."""
    seconds = (now - instant(text)).total_seconds()
    for unit, length in (("year", 31_557_600), ("month", 2_629_800), ("day", 86_400), ("hour", 3600), ("minute", 60)):
        count = int(abs(seconds) // length)
        if count:
            told = f"{count} {unit}{'s' * (count > 1)}"
            return f"{told} ago" if seconds > 0 else f"in {told}"
    return "just now"


def value(written: object) -> str:
    """Show a value of metadata as it was written; texts without quotes."""
    match written:
        case str():
            return written
        case Decimal():
            return str(written)
        case dict():
            return f"{{{', '.join(f'{name}: {value(one)}' for name, one in written.items())}}}"
        case list():
            return f"[{', '.join(value(one) for one in written)}]"
        case _:
            return json.dumps(written)


def strength(confidence: float) -> str:
    """Say an ordinal confidence in a word: it orders recommendations and is no probability."""
    return next(word for least, word in _STRENGTHS if float(confidence) >= least)


def notches(confidence: float) -> int:
    """Return how many of five marks an ordinal confidence fills, at least one."""
    return max(1, min(5, round(float(confidence) * 5)))


def rule(name: str) -> str:
    """Say what a rung of the ladder weighs."""
    return _RULES.get(name, name)


def state(name: str) -> str:
    """Say what a state means."""
    return _STATES.get(name, name)


def kind(name: str) -> str:
    """Write a kind as a word: payroll event."""
    return name.replace("_", " ")


def label(name: str) -> str:
    """Write a name of the API as words: observed at."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name).replace("_", " ").strip()


def days(hours: float) -> str:
    """Say a number of hours in days: 3 days."""
    return f"{float(hours) / 24:g} day{'s' * (float(hours) != 24)}"


def count(number: int, noun: str, plural: str = "") -> str:
    """Say a number of things: 1 memory, 2,000 memories."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def cut(text: str, length: int = 240) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


FILTERS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        each.__name__: each
        for each in (day, moment, ago, value, strength, notches, rule, state, kind, label, days, count, cut)
    }
)

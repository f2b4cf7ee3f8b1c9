"""A model's answer as text: what it thought aloud, the fence it put around, and the JSON inside, read strictly.

Rules: a leading think block and one fence around the whole are taken off, nothing else; prose beside the JSON is an
error, not something to search through. The JSON is RFC 8259: no NaN, no infinity, no number beyond a double, no key
twice, no lone surrogate. A message says what is wrong and quotes nothing but keys of the answer.
It does not know what the answer should hold.
"""

import json
import math
import re

from services.judge.provider import Json

MAX_JSON_CHARS = 64_000
"""Of an answer that is read as JSON. Chosen, untested."""

MAX_KEY_CHARS = 40
"""Of a key that a message repeats. Chosen, untested."""

_OPEN, _CLOSE = "<think>", "</think>"
_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)


class NotJson(ValueError):
    """The answer is not one JSON value."""


class Unthinking:
    """Passes a stream of text on without a leading think block, and without the white space before the answer."""

    def __init__(self) -> None:
        self._held = ""
        self._thought = False
        self._speaking = False

    def feed(self, piece: str) -> str:
        """Return what can be passed on now."""
        if self._speaking:
            return piece
        self._held = (self._held + piece).lstrip()
        if not self._thought and self._held.startswith(_OPEN) and _CLOSE in self._held:
            self._held = self._held.partition(_CLOSE)[2].lstrip()
            self._thought = True
        if not self._held or (not self._thought and (_OPEN.startswith(self._held) or self._held.startswith(_OPEN))):
            return ""
        self._speaking = True
        return self._held

    def rest(self) -> str:
        """Return what was held back at the end; a think block that never closed holds no answer."""
        return "" if self._speaking or self._held.startswith(_OPEN) else self._held


def spoken(text: str) -> str:
    """Return an answer without a leading think block, which some servers cut off at its opening mark."""
    stripped = text.strip()
    if stripped.startswith(_OPEN):
        return stripped.partition(_CLOSE)[2].strip()
    return stripped


def unwrapped(text: str) -> str:
    """Return an answer in words without what was thought before it, or the fence around the whole of it."""
    bare = spoken(text).rpartition(_CLOSE)[2].strip()
    fenced = _FENCE.fullmatch(bare)
    return fenced[1].strip() if fenced else bare


def is_wrapped(text: str) -> bool:
    """Tell whether a growing answer in words turned out to have been thoughts so far, or stands in a fence."""
    return _CLOSE in text or text.lstrip().startswith("```")


def parse(text: str) -> Json:
    """Read an answer that is one JSON value, in a fence or not.

    Raises: NotJson, with a message fit for the model.
    """
    bare = spoken(text)
    if not bare.startswith(("{", "[")) and _CLOSE in bare:
        bare = bare.partition(_CLOSE)[2].strip()
    fenced = _FENCE.fullmatch(bare)
    bare = fenced[1] if fenced else bare
    if not bare:
        raise NotJson("the answer is empty")
    if len(bare) > MAX_JSON_CHARS:
        raise NotJson(f"the answer has more than {MAX_JSON_CHARS} characters")
    try:
        value: Json = json.loads(bare, object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite)
        json.dumps(value, ensure_ascii=False).encode()
    except NotJson:
        raise
    except UnicodeEncodeError as error:
        raise NotJson("a text holds half a character") from error
    except RecursionError as error:
        raise NotJson("the answer is nested too deeply") from error
    except ValueError as error:
        raise NotJson("the answer is not one JSON value and nothing else") from error
    return value


def shown(key: str) -> str:
    """Return a key of an answer in the form in which a message repeats it."""
    return json.dumps(key[:MAX_KEY_CHARS])


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = [key for key, _ in pairs]
        raise NotJson(f"the key {shown(next(key for key in keys if keys.count(key) > 1))} occurs twice")
    return made


def _constant(word: str) -> float:
    raise NotJson(f"{word} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise NotJson("a number is too large")
    return value

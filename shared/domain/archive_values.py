"""The kinds of values that records of an archive have: how each is read, and what it must be.

Rules: a value is of its kind or refused; nothing is turned into another kind. What cannot be stored is refused by name.
It does not know which field is of which kind (archive.py).
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any
from uuid import UUID

from shared.domain.decision import Action
from shared.domain.findings import FindingKind, FindingState
from shared.domain.money.cash import CashStatus
from shared.domain.money.ledger import Side
from shared.domain.text import refused_character
from shared.domain.types import Guard, MemoryKind, MemoryState, MemoryType
from shared.domain.values import ValueType

_INT_BITS, _LONG_BITS = 31, 63  # of PostgreSQL's int and bigint, without the sign
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NUMBER = re.compile(r"-?\d{1,500}(\.\d{1,500})?")  # above what the domain writes (metadata.py)
_HEX = re.compile(r"([0-9a-f]{2})*")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(\+00:00|Z)")
_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class WrongValue(ValueError):
    """What a value must be and is not."""


def refuse_constant(_: str) -> None:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise WrongValue("must be a string")
    if (name := refused_character(value)) is not None:
        raise WrongValue(f"holds {name}")
    return value


def _matching(pattern: re.Pattern[str], told: str) -> Callable[[object], str]:
    def kind(value: object) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise WrongValue(f"must be {told}")
        return value

    return kind


def _whole(bits: int) -> Callable[[object], int]:
    def kind(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**bits:
            raise WrongValue(f"must be a whole number from 0, below 2^{bits}")
        return value

    return kind


def _float(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise WrongValue("must be a finite number")
    return float(value)


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongValue("must be true or false")
    return value


def _instant(value: object) -> datetime:
    """Read an instant in UTC."""
    text = _matching(_INSTANT, "an instant in UTC, such as 2026-05-01T09:00:00+00:00")(value)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise WrongValue("is no instant of the calendar") from None


def _date(value: object) -> date:
    try:
        return date.fromisoformat(_text(value))
    except ValueError:
        raise WrongValue("must be a date, such as 2026-05-01") from None


def _list(kind: Callable[[object], Any]) -> Callable[[object], list[Any]]:
    def kinds(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise WrongValue("must be a list")
        return [kind(item) for item in value]

    return kinds


def _json(value: object, told: str, types: tuple[type, ...]) -> str:
    text = _text(value)
    try:
        decoded = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        decoded = Ellipsis
    if not isinstance(decoded, types):
        raise WrongValue(f"must be a string that holds {told}")
    if _ESCAPED_NUL.search(text) or refused_character(json.dumps(decoded, ensure_ascii=False)) is not None:
        raise WrongValue("holds what cannot be stored")
    return text


def _object(value: object) -> str:
    return _json(value, "a JSON object", (dict,))


def _scalar(value: object) -> str:
    return _json(value, "one JSON scalar", (str, int, float, bool, type(None)))


def _word(words: Iterable[StrEnum]) -> Callable[[object], str]:
    known = {word.value for word in words}

    def kind(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise WrongValue(f"must be one of {', '.join(sorted(known))}")
        return value

    return kind


def _uuid(value: object) -> UUID:
    return UUID(_matching(_UUID, "a UUID in lower case")(value))


KINDS: Mapping[str, Callable[[object], Any]] = MappingProxyType(
    {
        "text": _text,
        "texts": _list(_text),
        "uuid": _uuid,
        "uuids": _list(_uuid),
        "int": _whole(_INT_BITS),
        "long": _whole(_LONG_BITS),
        "float": _float,
        "bool": _bool,
        "instant": _instant,
        "date": _date,
        "number": _matching(_NUMBER, "a decimal number as a string"),
        "hex": _matching(_HEX, "pairs of hexadecimal digits"),
        "object": _object,
        "scalar": _scalar,
        "kind": _word(MemoryKind),
        "state": _word(MemoryState),
        "type": _word(MemoryType),
        "guard": _word(Guard),
        "value": _word(ValueType),
        "side": _word(Side),
        "cash": _word(CashStatus),
        "decision": _word(Action),
        "finding": _word(FindingKind),
        "standing": _word(FindingState),
    }
)

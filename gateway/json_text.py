"""JSON as it was written: read strictly, with numbers as their text, and written again verbatim.

Rules: an object is a tuple of pairs, so that repeated keys are seen; a number is the text that stood there, so that
18400.00 and 23-digit integers survive; NaN and Infinity are kept apart to be refused by name. White space between
tokens and the spelling of string escapes are the only things `verbatim` does not keep. It does not know any contract.
Source: RFC 8259.
"""

import json
from json.encoder import encode_basestring as quoted
from typing import TypeAlias

from shared.domain.errors import InvalidArgument

MAX_NESTING_LEVELS = 64
"""Of a JSON value inside a request; chosen, untested: far above the 8 levels that metadata may have."""


class Number(str):
    """A JSON number as it was written."""

    __slots__ = ()


class NotFinite(str):
    """NaN, Infinity or -Infinity, which are not JSON."""

    __slots__ = ()


Json: TypeAlias = "str | bool | list[Json] | tuple[tuple[str, Json], ...] | None"
"""A number is a `Number`; `type(value) is str` tells a string from it."""


class Wrong(Exception):
    """A value that a field does not take. `inside` is the path below the field."""

    def __init__(self, reason: str, description: str, inside: str = "") -> None:
        super().__init__(reason, description)
        self.reason = reason
        self.description = description
        self.inside = inside


_decoder = json.JSONDecoder(
    object_pairs_hook=tuple, parse_float=Number, parse_int=Number, parse_constant=NotFinite, strict=True
)


def parse(body: bytes) -> Json:
    """Read one JSON value. Raises: InvalidArgument JSON_INVALID, JSON_TOO_DEEP."""
    try:
        value: Json = _decoder.decode(body.decode())
    except UnicodeDecodeError as error:
        raise InvalidArgument.of("body", "JSON_INVALID", f"is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidArgument.of("body", "JSON_INVALID", f"is not JSON at {where}: {error.msg}") from None
    except RecursionError:
        raise _too_deep("body") from None
    return value


def _too_deep(field: str) -> InvalidArgument:
    return InvalidArgument.of(field, "JSON_TOO_DEEP", f"nests deeper than {MAX_NESTING_LEVELS} levels")


def refuse_forbidden(text: str) -> None:
    """Raises: Wrong FORBIDDEN_CHARACTER for U+0000 and lone surrogates, which no store holds."""
    if "\0" in text:
        raise Wrong("FORBIDDEN_CHARACTER", "holds U+0000")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Wrong("FORBIDDEN_CHARACTER", f"holds the lone surrogate U+{ord(text[error.start]):04X}") from None


def verbatim(value: Json, inside: str = "", level: int = 1) -> str:
    """Write a value as it was read. Raises: Wrong, with the path of what may not be there."""
    if level > MAX_NESTING_LEVELS:
        raise Wrong("JSON_TOO_DEEP", f"nests deeper than {MAX_NESTING_LEVELS} levels", inside)
    match value:
        case Number():
            return value
        case NotFinite():
            raise Wrong("NUMBER_NOT_FINITE", f"{value} is not JSON", inside)
        case str():
            return _string(value, inside)
        case tuple():
            return _object(value, inside, level)
        case list():
            return f"[{','.join(verbatim(item, f'{inside}[{i}]', level + 1) for i, item in enumerate(value))}]"
        case None:
            return "null"
        case _:
            return "true" if value else "false"


def _string(text: str, inside: str) -> str:
    try:
        refuse_forbidden(text)
    except Wrong as wrong:
        raise Wrong(wrong.reason, wrong.description, inside) from None
    return quoted(text)


def _object(pairs: "tuple[tuple[str, Json], ...]", inside: str, level: int) -> str:
    seen = set()
    parts = []
    for key, item in pairs:
        below = f"{inside}.{key}"
        if key in seen:
            raise Wrong("DUPLICATE_FIELD", "is given twice", below)
        seen.add(key)
        parts.append(f"{_string(key, below)}:{verbatim(item, below, level + 1)}")
    return f"{{{','.join(parts)}}}"

"""Memories out of what other systems export: chats as JSON lines, and the memories of mem0.

Rules: pure; each item gives a memory for POST /v1/memories:import or what is wrong with it, by its number, and a wrong
one never stops the others. Numbers stay as they were written. What has no place of its own goes into the metadata. It
does not know HTTP.
Source: docs/moving.md has the mapping; mem0's documentation of `get_all` and of its exports.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any

ROLES_LEFT_OUT = frozenset({"system", "developer", "tool", "function"})
"""What they say is no memory of a conversation: instructions, and output of programs."""
MILLISECONDS_FROM = Decimal(10) ** 11  # a number above is milliseconds since 1970: as seconds it is after the year 5000
_ROLE, _CONTENT = ("role", "speaker", "author", "from"), ("content", "text", "message", "value")
_TIME = ("timestamp", "created_at", "createdAt", "time", "date", "ts")
_SESSION = ("session", "session_id", "sessionId", "conversation_id", "thread_id")
_CHAT = frozenset((*_ROLE, *_CONTENT, *_TIME, *_SESSION, "name", "id"))
_MEM0_TEXT = ("memory", "data", "text")
_MEM0_WHO = ("user_id", "agent_id", "app_id", "run_id", "actor_id", "role")
_MEM0 = frozenset((*_MEM0_TEXT, *_MEM0_WHO, "id", "hash", "created_at", "updated_at", "metadata", "categories",
                   "expiration_date", "score", "score_details"))  # fmt: skip
_MARKED = re.compile(r'"\\u0000(-?[0-9.eE+-]+)"')


@dataclass(frozen=True, slots=True)
class Item:
    """One item of an export: its number from 1, and a memory or what is wrong with it."""

    number: int
    memory: Mapping[str, Any] | None
    reason: str = ""
    description: str = ""

    def line(self) -> bytes:
        """Return the memory as a line of an upload; a blank one, which keeps the numbers, where it is wrong."""
        if self.memory is None:
            return b"\n"
        text = json.dumps(self.memory, ensure_ascii=False, default=_marked, separators=(",", ":"))
        return _MARKED.sub(r"\1", text).encode() + b"\n"


class _Wrong(ValueError):
    """What is wrong with an item: a reason and a description."""


def chat(lines: Iterable[bytes], zone: tzinfo | None = None) -> Iterator[Item]:
    """Yield the messages of a chat, one JSON object a line, as turns; `zone` reads times without an offset."""
    return _items(lines, lambda value: _turn(value, zone))


def mem0(text: bytes, zone: tzinfo | None = None) -> Iterator[Item]:
    """Yield what mem0 exports: an answer of `get_all`, a list, or one memory a line."""
    try:
        whole = _parse(text)
    except _Wrong:
        return _items(text.split(b"\n"), lambda value: _fact(value, zone))
    if isinstance(whole, dict) and not any(name in whole for name in _MEM0_TEXT):
        whole = next((whole[name] for name in ("results", "memories") if isinstance(whole.get(name), list)), [whole])
    values = whole if isinstance(whole, list) else [whole]
    return (_item(number, value, lambda value: _fact(value, zone)) for number, value in enumerate(values, start=1))


def _items(lines: Iterable[bytes], make: Any) -> Iterator[Item]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                value = _parse(line)
            except _Wrong as error:
                yield Item(number, None, *error.args)
            else:
                yield _item(number, value, make)


def _item(number: int, value: object, make: Any) -> Item:
    try:
        if not isinstance(value, dict):
            raise _Wrong("ITEM_INVALID", "is not a JSON object")
        return Item(number, {name: field for name, field in make(value).items() if field not in (None, "", [], {})})
    except _Wrong as error:
        return Item(number, None, *error.args)


def _turn(value: Mapping[str, Any], zone: tzinfo | None) -> dict[str, Any]:
    role = _text(value, _ROLE)
    if role.lower() in ROLES_LEFT_OUT:
        raise _Wrong("ROLE_LEFT_OUT", f"what the role {role} says is not imported")
    return {
        "kind": "turn",
        "content": _content(value),
        "speaker": _text(value, ("name",)) or role,
        "session": _text(value, _SESSION),
        "observedAt": _instant(_first(value, _TIME), zone),
        "sourceRef": f"chat:{one}" if (one := _text(value, ("id",))) else None,
        "metadata": {name: other for name, other in value.items() if name not in _CHAT},
    }


def _fact(value: Mapping[str, Any], zone: tzinfo | None) -> dict[str, Any]:
    own, tags = value.get("metadata") or {}, value.get("categories") or []
    if not isinstance(own, dict) or not isinstance(tags, list):
        raise _Wrong("ITEM_INVALID", "metadata must be an object and categories a list")
    content = _text(value, _MEM0_TEXT)
    if not content.strip():
        raise _Wrong("CONTENT_EMPTY", "has no memory")
    kept = {name: value[name] for name in ("agent_id", "app_id", "actor_id", "role") if value.get(name)}
    kept |= {name: other for name, other in value.items() if name not in _MEM0 and other is not None}
    return {
        "kind": "note",
        "content": content,
        "speaker": _text(value, ("user_id",)),
        "session": _text(value, ("run_id",)),
        "observedAt": _instant(value.get("updated_at") or value.get("created_at"), zone),
        "expiresAt": _expiry(value.get("expiration_date")),
        "sourceRef": f"mem0:{one}" if (one := _text(value, ("id",))) else None,
        "tags": [str(tag) for tag in tags],
        "metadata": {**own, **({"mem0": kept} if kept else {})},
    }


def _content(value: Mapping[str, Any]) -> str:
    """Return what a message says: a string, or the texts of its parts."""
    said = _first(value, _CONTENT)
    if isinstance(said, list):
        texts = [part.get("text") if isinstance(part, dict) else part for part in said]
        said = "\n".join(text for text in texts if isinstance(text, str))
    if said is not None and not isinstance(said, str):
        raise _Wrong("ITEM_INVALID", "content must be a string, or a list of parts with text")
    if not (said or "").strip():
        raise _Wrong("CONTENT_EMPTY", "says nothing")
    return said or ""


def _instant(value: object, zone: tzinfo | None) -> str | None:
    """Read ISO 8601, or seconds or milliseconds since 1970."""
    if value in (None, ""):
        return None
    try:
        number = None if isinstance(value, bool) else Decimal(str(value))
    except InvalidOperation:
        number = None
    try:
        if number is not None:
            seconds = number / 1000 if abs(number) >= MILLISECONDS_FROM else number
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(seconds * 1_000_000))
        else:
            at = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError):
        raise _Wrong("TIME_INVALID", f"{str(value)[:40]!r} is no time") from None
    if at.utcoffset() is None:
        if zone is None:
            raise _Wrong("TIME_NAIVE", f"{str(value)[:40]!r} has no offset from UTC, and no zone was given")
        at = at.replace(tzinfo=zone)
    return at.isoformat()


def _expiry(value: object) -> str | None:
    """Return the end of a last day, in UTC."""
    if not value:
        return None
    try:
        day = date.fromisoformat(str(value)[:10])
        return datetime(day.year, day.month, day.day, tzinfo=UTC).__add__(timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        raise _Wrong("TIME_INVALID", f"expiration_date: {str(value)[:40]!r} is no date") from None


def _first(value: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _text(value: Mapping[str, Any], names: Iterable[str]) -> str:
    found = _first(value, names)
    if isinstance(found, dict | list | bool):
        raise _Wrong("ITEM_INVALID", f"{next(iter(names))} must be a string")
    return "" if found is None else str(found)


def _parse(text: bytes) -> Any:
    try:
        return json.loads(text.decode(), parse_float=Decimal, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise _Wrong("JSON_INVALID", f"is not UTF-8 at byte {error.start}") from None
    except (ValueError, RecursionError) as error:
        raise _Wrong("JSON_INVALID", f"is not JSON: {error}"[:200]) from None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _marked(value: object) -> str:
    return f"\0{value}"

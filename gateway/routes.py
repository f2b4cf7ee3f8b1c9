"""Which binding answers a verb and a path: a matcher compiled from the templates of the HTTP rules.

Rules: a path is split before it is decoded, so that an encoded slash stays inside its segment. A literal beats a field,
and a field with a `:custom` suffix beats one without. Two rules for the same verb and template are a start-up error. It
does not know what a route leads to.
Source: the path template of google/api/http.proto, without `*`, `**` and nested fields, which no contract here uses.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from urllib.parse import unquote

_FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}((?::[A-Za-z]+)?)")
_LITERAL = re.compile(r"[A-Za-z0-9._~:-]+")


class Rule(Protocol):
    """What a route is made from."""

    @property
    def verb(self) -> str:
        """The HTTP method, in upper case."""

    @property
    def template(self) -> str:
        """The path, with `{field}` for a whole segment, which a `:custom` suffix may follow."""


R = TypeVar("R", bound=Rule)


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment of a template: a literal, or a field and the suffix behind it."""

    literal: str
    field: str
    suffix: str

    def value(self, text: str) -> str | None:
        """Return the field's value in a segment that matches (empty for a literal), else None."""
        if not self.field:
            return "" if text == self.literal else None
        value = text.removesuffix(self.suffix) if text.endswith(self.suffix) else ""
        return value or None


@dataclass(frozen=True, slots=True)
class Match(Generic[R]):
    """A path that is served: the rules by verb, and the fields in the path."""

    rules: dict[str, R]
    fields: dict[str, str]

    @property
    def allowed(self) -> str:
        """The verbs, as the header Allow lists them."""
        return ", ".join(sorted({*self.rules, *(["HEAD"] if "GET" in self.rules else [])}))


def segments(template: str) -> tuple[Segment, ...]:
    """Read a template. Raises: ValueError for syntax that is not served."""
    if not template.startswith("/"):
        raise ValueError(f"{template}: a template begins with a slash")
    found = []
    for part in template[1:].split("/"):
        if field := _FIELD.fullmatch(part):
            found.append(Segment("", field[1], field[2]))
        elif _LITERAL.fullmatch(part):
            found.append(Segment(part, "", ""))
        else:
            raise ValueError(f"{template}: this template syntax is not served")
    return tuple(found)


def path_fields(template: str) -> tuple[str, ...]:
    """Return the fields that a template takes from the path."""
    return tuple(segment.field for segment in segments(template) if segment.field)


class Router(Generic[R]):
    """All rules, ready to be matched."""

    def __init__(self, rules: Iterable[R]) -> None:
        self._fixed: dict[tuple[str, ...], dict[str, R]] = {}
        templates: dict[tuple[Segment, ...], dict[str, R]] = {}
        for rule in rules:
            parts = segments(rule.template)
            if any(part.field for part in parts):
                by_verb = templates.setdefault(parts, {})
            else:
                by_verb = self._fixed.setdefault(tuple(part.literal for part in parts), {})
            if by_verb.setdefault(rule.verb, rule) is not rule:
                raise ValueError(f"{rule.verb} {rule.template} is declared twice")
        self._templates = sorted(templates.items(), key=lambda item: _specificity(item[0]))

    def match(self, raw_path: bytes) -> Match[R] | None:
        """Return what serves a path as it came over the wire, percent-encoded; None if nothing does."""
        try:
            parts = tuple(unquote(part, errors="strict") for part in raw_path[1:].decode("ascii").split("/"))
        except UnicodeDecodeError:
            return None
        if fixed := self._fixed.get(parts):
            return Match(fixed, {})
        for template, rules in self._templates:
            fields = _fields(template, parts)
            if fields is not None:
                return Match(rules, fields)
        return None


def _fields(template: Sequence[Segment], parts: Sequence[str]) -> dict[str, str] | None:
    if len(template) != len(parts):
        return None
    fields = {}
    for segment, part in zip(template, parts, strict=True):
        value = segment.value(part)
        if value is None:
            return None
        if segment.field:
            fields[segment.field] = value
    return fields


def _specificity(template: Sequence[Segment]) -> list[tuple[bool, bool]]:
    return [(bool(segment.field), not segment.suffix) for segment in template]

"""JSON into a message, by decoders compiled once per descriptor.

Rules: every key must be a field, in lowerCamelCase or as in the contract, once; null is absent; fields without a public
form are refused; everything wrong is collected and named, up to 20 at a time. A raw JSON field keeps its value as it
was written. It does not know where the JSON came from.
Source: the proto3 JSON mapping, made strict.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway import scalars
from gateway.contracts import is_private, is_raw_json, object_type, principal_part, real_oneof
from gateway.json_text import Json, Wrong, verbatim
from shared.domain.errors import InvalidArgument, Violation
from shared.rpc.status import MAX_VIOLATIONS

MAX_PATH_CHARACTERS = 200  # of a field's path in a problem, which echoes the caller's own keys; chosen, untested


class Faults:
    """Collects what is wrong with one request."""

    def __init__(self) -> None:
        self._found: list[Violation] = []

    def add(self, path: str, reason: str, description: str) -> None:
        """Note one wrong field. Raises: InvalidArgument when that is enough."""
        shown = path.encode(errors="backslashreplace").decode()
        self._found.append(Violation(shown[:MAX_PATH_CHARACTERS], reason, description))
        if len(self._found) == MAX_VIOLATIONS:
            self.raise_any()

    def raise_any(self) -> None:
        """Raises: InvalidArgument if anything was found."""
        if self._found:
            raise InvalidArgument.of_all(tuple(self._found))


Fill: TypeAlias = Callable[[Message, Json, str, Faults], None]
"""Put a JSON value into one field of a message; the text is the field's path."""


class FieldDecoder:
    """One field: its names, and how a value gets in."""

    __slots__ = ("fill", "name", "oneof", "refusal")

    def __init__(self, name: str, fill: Fill | None, oneof: str | None, refusal: str) -> None:
        self.name = name
        self.fill = fill
        self.oneof = oneof
        self.refusal = refusal


class MessageDecoder:
    """All public fields of one message type, and with `internal` those too that internal callers give.

    `refused` names fields that are given elsewhere, with where that is.
    """

    def __init__(
        self,
        descriptor: Descriptor,
        refused: Mapping[str, str] | None = None,
        known: "dict[str, MessageDecoder] | None" = None,
        *,
        internal: bool = False,
    ) -> None:
        known = {} if known is None else known
        known.setdefault(descriptor.full_name, self)
        self._fields: dict[str, FieldDecoder] = {}
        for field in descriptor.fields:
            hidden = bool(principal_part(field)) if internal else is_private(field)
            where = (refused or {}).get(field.name, "is not for public callers" if hidden else "")
            fill = None if where else compile_field(field, known)
            self._fields[field.name] = self._fields[field.json_name] = FieldDecoder(
                field.name, fill, real_oneof(field), where
            )

    def decode(self, message: Message, value: Json, path: str, faults: Faults) -> None:
        """Fill a message from a JSON object; `path` is empty or ends with a dot."""
        if not isinstance(value, tuple):
            faults.add(path.rstrip(".") or "body", "WRONG_TYPE", "must be an object")
            return
        seen: dict[str, str] = {}
        for key, item in value:
            field = self._fields.get(key)
            if field is None:
                faults.add(path + key, "UNKNOWN_FIELD", "is not a field of this request")
            elif field.fill is None:
                faults.add(path + key, "FIELD_NOT_ALLOWED", field.refusal)
            elif field.name in seen:
                faults.add(path + key, "DUPLICATE_FIELD", "is given twice")
            elif item is None:
                seen[field.name] = key
            elif field.oneof is not None and field.oneof in seen:
                faults.add(path + key, "DUPLICATE_FIELD", f"cannot be given together with {seen[field.oneof]}")
            else:
                seen[field.name] = key
                if field.oneof is not None:
                    seen[field.oneof] = key
                field.fill(message, item, path + key, faults)


def compile_field(field: FieldDescriptor, known: dict[str, MessageDecoder]) -> Fill:
    """Return what puts a JSON value into a field. Raises: ValueError for a type that has no public form."""
    if message := object_type(field):
        if message.GetOptions().map_entry:
            raise ValueError(f"{field.full_name}: maps have no public form")
        below = known.get(message.full_name) or MessageDecoder(message, None, known)
        return _messages(field.name, below) if field.is_repeated else _message(field.name, below)
    if is_raw_json(field):
        return _value(field.name, verbatim)
    convert = scalars.of_field(field)
    if field.is_repeated:
        return _values(field.name, convert)
    return _copied(field.name, convert) if field.message_type is not None else _value(field.name, convert)


def _wrong(path: str, wrong: Wrong, faults: Faults) -> None:
    faults.add(path + wrong.inside, wrong.reason, wrong.description)


def _value(name: str, convert: scalars.Convert) -> Fill:
    def fill(message: Message, value: Json, path: str, faults: Faults) -> None:
        try:
            setattr(message, name, convert(value))
        except Wrong as wrong:
            _wrong(path, wrong, faults)

    return fill


def _copied(name: str, convert: scalars.Convert) -> Fill:
    def fill(message: Message, value: Json, path: str, faults: Faults) -> None:
        try:
            getattr(message, name).CopyFrom(convert(value))
        except Wrong as wrong:
            _wrong(path, wrong, faults)

    return fill


def _values(name: str, convert: scalars.Convert) -> Fill:
    def fill(message: Message, value: Json, path: str, faults: Faults) -> None:
        if not isinstance(value, list):
            faults.add(path, "WRONG_TYPE", "must be an array")
            return
        items = []
        for i, item in enumerate(value):
            try:
                items.append(convert(item))
            except Wrong as wrong:
                _wrong(f"{path}[{i}]", wrong, faults)
        getattr(message, name).extend(items)

    return fill


def _message(name: str, below: MessageDecoder) -> Fill:
    def fill(message: Message, value: Json, path: str, faults: Faults) -> None:
        inner = cast("Message", getattr(message, name))
        inner.SetInParent()
        below.decode(inner, value, f"{path}.", faults)

    return fill


def _messages(name: str, below: MessageDecoder) -> Fill:
    def fill(message: Message, value: Json, path: str, faults: Faults) -> None:
        if not isinstance(value, list):
            faults.add(path, "WRONG_TYPE", "must be an array")
            return
        items = getattr(message, name)
        for i, item in enumerate(value):
            below.decode(items.add(), item, f"{path}[{i}].", faults)

    return fill

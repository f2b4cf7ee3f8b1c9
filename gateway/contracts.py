"""Which methods are public and under which HTTP rules, and how fields look in JSON: read from the descriptors alone.

Rules: a method is public if it has a google.api.http rule; it must then name the scope it needs. A field that is filled
from the principal or kept for internal callers has no public form. It does not know HTTP requests or any single method.
Source: google/api/http.proto.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from candor.options.v1 import options_pb2
from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from gateway.names import screaming

ROLES = ("ingest", "retrieve", "audit")
"""The roles that the gateway calls; a contract's package names its role."""

_HTTP: Any = annotations_pb2.http  # its published types know it as a plain field
_STRINGS = frozenset({"google.protobuf.Timestamp", "google.protobuf.FieldMask"})
"""Messages that are one string in JSON."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One HTTP rule of one method. `number` 0 is the method's own rule, the others are its additional bindings."""

    role: str
    method: MethodDescriptor
    number: int
    verb: str
    template: str
    body: str
    access: "options_pb2.Access.ValueType"
    is_open: bool = False
    """Whoever sends no credential may call it, for the public tenant."""

    @property
    def path(self) -> str:
        """The method's path in gRPC."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"

    @property
    def request_type(self) -> type[Message]:
        """The generated class of the request."""
        return GetMessageClass(self.method.input_type)

    @property
    def response_type(self) -> type[Message]:
        """The generated class of the response, or of one message of the stream."""
        return GetMessageClass(self.method.output_type)


def services() -> Iterator[tuple[str, ServiceDescriptor]]:
    """Yield every service of the roles the gateway calls, with its role."""
    for role in ROLES:
        package = importlib.import_module(f"candor.{role}.v1")
        for module in pkgutil.iter_modules(package.__path__):
            if module.name.endswith("_pb2"):
                file = importlib.import_module(f"{package.__name__}.{module.name}").DESCRIPTOR
                yield from ((role, service) for service in file.services_by_name.values())


def bindings() -> list[Binding]:
    """Return every HTTP rule of every public method. Raises: ValueError for a rule this gateway cannot serve."""
    found = []
    for role, service in services():
        for method in service.methods:
            options = method.GetOptions()
            if not options.HasExtension(_HTTP):
                continue
            access = options.Extensions[options_pb2.access]
            if not access:
                raise ValueError(f"{method.full_name} has an HTTP rule and no access")
            rule, is_open = options.Extensions[_HTTP], options.Extensions[options_pb2.open]
            for number, one in enumerate((rule, *rule.additional_bindings)):
                verb = one.WhichOneof("pattern")
                if verb is None or verb == "custom" or one.response_body:
                    raise ValueError(f"{method.full_name}: this kind of HTTP rule is not served")
                found.append(Binding(role, method, number, verb.upper(), getattr(one, verb), one.body, access, is_open))
    return found


def principal_part(field: FieldDescriptor) -> "options_pb2.PrincipalPart.ValueType":
    """Return the part of the principal that fills a field; 0 for none."""
    return field.GetOptions().Extensions[options_pb2.from_principal]


def form_files(method: MethodDescriptor) -> str:
    """Return the field of the request that the files of a form go to; empty where only JSON is read."""
    return method.GetOptions().Extensions[options_pb2.form_files]


def is_private(field: FieldDescriptor) -> bool:
    """Return whether a field has no public form in JSON."""
    options = field.GetOptions()
    is_body = bool(options.Extensions[options_pb2.media_type])
    return bool(principal_part(field)) or options.Extensions[options_pb2.internal] or is_body


def internal_access(field: FieldDescriptor) -> "options_pb2.Access.ValueType":
    """Return the scope with which a public caller may give what is internal below a field; 0 for none."""
    return field.GetOptions().Extensions[options_pb2.internal_for]


def is_raw_json(field: FieldDescriptor) -> bool:
    """Return whether a string field holds a JSON value."""
    return field.GetOptions().Extensions[options_pb2.raw_json]


def object_type(field: FieldDescriptor) -> Descriptor | None:
    """Return the type of a field that is an object in JSON."""
    message = field.message_type
    return None if message is None or message.full_name in _STRINGS else message


def string_type(field: FieldDescriptor) -> str:
    """Return the name of the message type that a field writes as one string; empty for any other field."""
    message = field.message_type
    return "" if message is None or message.full_name not in _STRINGS else message.name


def real_oneof(field: FieldDescriptor) -> str | None:
    """Return the oneof a field is a member of; an `optional` field is a member of none."""
    oneof = field.containing_oneof
    return oneof.name if oneof is not None and oneof.name != f"_{field.name}" else None


def enum_words(enum: EnumDescriptor | None) -> dict[int, str]:
    """Return the public word of each value: its name in lower case, without the enum's own name."""
    if enum is None:
        return {}
    prefix = f"{screaming(enum.name)}_"
    return {value.number: value.name.removeprefix(prefix).lower() for value in enum.values}

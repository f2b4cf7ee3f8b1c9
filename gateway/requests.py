"""One HTTP request into one message: path, query, body, idempotency key and principal, each to its fields.

Rules: what the path gives cannot be given again; a query parameter is a field of the request that is neither in the
path nor in the body; a parameter that is no field is refused; a parameter is repeated only for a repeated field.
Everything wrong is collected. It does not know what happens to the message.
Source: the transcoding rules of google/api/http.proto, made strict.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from candor.options.v1.options_pb2 import PrincipalPart
from google.protobuf.message import Message

from gateway import json_text
from gateway.auth import Principal
from gateway.contracts import Binding, form_files, is_private, object_type, principal_part
from gateway.decode import Faults, MessageDecoder
from gateway.forms import Form, FormFiller
from gateway.parameters import Parameter
from gateway.routes import path_fields
from shared.domain.errors import InvalidArgument

REQUEST_ID_FIELD = "request_id"
MAX_PARAMETERS = 200  # of one query; chosen, untested


class RequestReader:
    """Reads the requests of one binding."""

    def __init__(self, binding: Binding) -> None:
        if binding.method.client_streaming:
            binding = replace(binding, body="")  # its lines are read one by one, elsewhere
        descriptor = binding.method.input_type
        in_path = path_fields(binding.template)
        self.takes_body = bool(binding.body)
        self._type = binding.request_type
        self._body_field = "" if binding.body == "*" else binding.body
        body_type = object_type(descriptor.fields_by_name[self._body_field]) if self._body_field else descriptor
        if body_type is None:
            raise ValueError(f"{binding.method.full_name}: a body is a message")
        given = dict.fromkeys(in_path, "is given by the path") if binding.body == "*" else {}
        self._body = MessageDecoder(body_type, given) if self.takes_body else None
        self._path = {name: Parameter(descriptor.fields_by_name[name]) for name in in_path}
        self._query: dict[str, Parameter] = {}
        self._refused: dict[str, str] = {}
        for field in descriptor.fields:
            if is_private(field):
                self._refused |= dict.fromkeys((field.name, field.json_name), "is not for public callers")
            elif field.name in in_path:
                self._refused |= dict.fromkeys((field.name, field.json_name), "is given by the path")
            elif binding.body != "*" and field.name != self._body_field:
                parameter = Parameter.of(field)
                if parameter is not None:
                    self._query[field.name] = self._query[field.json_name] = parameter
        self._parts = [
            (field.name, _PARTS[principal_part(field)]) for field in descriptor.fields if principal_part(field)
        ]
        self._has_request_id = REQUEST_ID_FIELD in descriptor.fields_by_name
        files = form_files(binding.method)
        self._form = FormFiller(descriptor, files, self._refused) if files and self.takes_body else None
        self.takes_form = self._form is not None

    def read(
        self,
        fields: dict[str, str],
        query: bytes,
        body: bytes | Form,
        idempotency_key: str,
        principal: Principal,
    ) -> Message:
        """Return the request. Raises: InvalidArgument naming every wrong field."""
        message: Any = self._type()
        faults = Faults()
        for name, text in fields.items():
            self._path[name].fill(message, [text], name, faults)
        self._read_query(message, query, faults)
        if isinstance(body, Form):
            if self._form is not None:
                self._form.fill(message, body, faults)
        elif self._body is not None:
            target = getattr(message, self._body_field) if self._body_field else message
            target.SetInParent()
            self._body.decode(target, json_text.parse(body) if body else (), "", faults)
        faults.raise_any()
        if self._has_request_id and idempotency_key:
            if message.request_id not in ("", idempotency_key):
                raise InvalidArgument.of(
                    REQUEST_ID_FIELD, "IDEMPOTENCY_KEY_MISMATCH", "differs from the header Idempotency-Key"
                )
            message.request_id = idempotency_key
        for name, part in self._parts:
            setattr(message, name, part(principal))
        return message  # type: ignore[no-any-return]  # a Message, built above

    def _read_query(self, message: Message, query: bytes, faults: Faults) -> None:
        if not query:
            return
        given: dict[str, tuple[Parameter, str, list[str]]] = {}
        for key, text in _pairs(query):
            parameter = self._query.get(key)
            if key in self._refused:
                faults.add(key, "FIELD_NOT_ALLOWED", self._refused[key])
            elif parameter is None:
                faults.add(key, "UNKNOWN_FIELD", "is not a parameter of this request")
            else:
                given.setdefault(parameter.name, (parameter, key, []))[2].append(text)
        for parameter, key, texts in given.values():
            parameter.fill(message, texts, key, faults)


def _pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError:
        raise InvalidArgument.of("query", "QUERY_INVALID", "is not UTF-8, percent-encoded") from None
    except ValueError:
        description = f"has more than {MAX_PARAMETERS} parameters"
        raise InvalidArgument.of("query", "QUERY_INVALID", description) from None


_PARTS: dict[int, Callable[[Principal], str | bool]] = {
    PrincipalPart.PRINCIPAL_PART_TENANT_ID: lambda principal: principal.tenant_id,
    PrincipalPart.PRINCIPAL_PART_ACTOR: lambda principal: principal.actor,
    PrincipalPart.PRINCIPAL_PART_PUBLIC: lambda principal: principal.is_public,
}

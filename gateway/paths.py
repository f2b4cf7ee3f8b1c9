"""The fields that a service finds wrong, under the names that public callers know.

Rules: services name a field as the contract does, from their request on: `memories[3].observed_at`. A caller sent
`memories[3].observedAt`; where the body is one field of the request, what is below that field stood there by itself.
What lies inside a raw JSON value is the caller's own spelling and stays, and so does a path that the contract does not
know.
It does not know any single method.
Source: the proto3 JSON mapping.
"""

import re

from google.protobuf.descriptor import Descriptor

from gateway.contracts import Binding, object_type
from shared.domain.errors import InvalidArgument, Violation

_STEP = re.compile(r"([a-z][a-z0-9_]*)((?:\[\d+\])*)(?:\.|$)")


class PublicPaths:
    """Names the fields of one binding's requests."""

    def __init__(self, binding: Binding) -> None:
        self._request = binding.method.input_type
        body = self._request.fields_by_name.get(binding.body)
        self._body = object_type(body) if body is not None and not body.is_repeated else None
        self._prefix = f"{binding.body}." if self._body is not None else ""

    def public(self, path: str) -> str:
        """Return the public path of a field."""
        if self._body is None:
            return _public(self._request, path)
        if path.startswith(self._prefix):
            return _public(self._body, path.removeprefix(self._prefix))
        found = _public(self._request, path)
        return _public(self._body, path) if found == path else found

    def named(self, error: InvalidArgument) -> InvalidArgument:
        """Return an error of a service with public paths."""
        if not error.violations:
            return error
        violations = tuple(Violation(self.public(v.field), v.reason, v.description) for v in error.violations)
        was, now = InvalidArgument.of_all(error.violations), InvalidArgument.of_all(violations)
        metadata = dict(error.metadata)
        if metadata.get("field") == error.violations[0].field:
            metadata["field"] = violations[0].field
        return InvalidArgument(
            error.reason,
            now.message if error.message == was.message else error.message,
            metadata=metadata,
            violations=violations,
            retry_after_seconds=error.retry_after_seconds,
        )


def _public(message: Descriptor, path: str) -> str:
    """Return a path in JSON names, as far as the contract goes; the rest stays."""
    steps: list[str] = []
    inside: Descriptor | None = message
    while inside is not None and (step := _STEP.match(path)):
        field = inside.fields_by_name.get(step[1])
        if field is None:
            break
        steps.append(field.json_name + step[2])
        path, inside = path[step.end() :], object_type(field)
    return ".".join([*steps, path] if path else steps)

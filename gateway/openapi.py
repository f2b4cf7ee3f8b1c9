"""The OpenAPI document of everything public, generated from the descriptors and their comments.

Rules: one operation per HTTP rule; nothing about a single method is written here. It does not know how requests are
served, only how they look.
Source: OpenAPI 3.1.
"""

from collections.abc import Mapping

from candor.options.v1 import options_pb2
from candor.options.v1.options_pb2 import Access
from google.protobuf.descriptor import Descriptor

from gateway import comments, examples, forms, problems, streams, uploads
from gateway.contracts import Binding, enum_words, form_files, is_private, object_type
from gateway.limits import MAX_IDEMPOTENCY_KEY_CHARACTERS
from gateway.requests import REQUEST_ID_FIELD
from gateway.routes import path_fields
from gateway.schemas import Schema, Schemas

VISIBLE_ASCII = "^[!-~]+$"
VERSION = "1"  # of the public interface, as in /v1
SUMMARY = "Agent memory that audits itself and forgets on time."
_PROBLEM = {"$ref": "#/components/responses/Problem"}
_SECURITY: list[Schema] = [{"bearer": []}, {"apiKey": []}]


def document(bindings: list[Binding]) -> Schema:
    """Return the whole document."""
    schemas = Schemas(comments.load())
    known = examples.load()
    paths: dict[str, Schema] = {}
    for binding in bindings:
        operation = _operation(binding, schemas)
        _exemplify(operation, binding, known.get(binding.method.full_name))
        paths.setdefault(binding.template, {})[binding.verb.lower()] = operation
    paths |= _OPERATIONAL_PATHS
    return {
        "openapi": "3.1.0",
        "info": {"title": "Candor", "version": VERSION, "summary": SUMMARY},
        "servers": [{"url": "/"}],
        "security": _SECURITY,
        "tags": _tags(bindings, schemas),
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {**dict(sorted(schemas.components.items())), "Problem": _PROBLEM_SCHEMA},
            "responses": {"Problem": _PROBLEM_RESPONSE},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def _tag(binding: Binding) -> str:
    return binding.method.containing_service.name.removesuffix("Service")


def _tags(bindings: list[Binding], schemas: Schemas) -> list[Schema]:
    texts: dict[str, list[str]] = {}
    for binding in bindings:
        text = schemas.comment(binding.method.containing_service.full_name)
        if text not in texts.setdefault(_tag(binding), []):
            texts[_tag(binding)].append(text)
    return [{"name": name, "description": " ".join(parts)} for name, parts in sorted(texts.items())]


def _operation(binding: Binding, schemas: Schemas) -> Schema:
    method = binding.method
    comment = schemas.comment(method.full_name)
    summary, _, _ = comment.partition(". ")
    operation: Schema = {
        "operationId": method.name + (f"_{binding.number + 1}" if binding.number else ""),
        "tags": [_tag(binding)],
        "summary": summary.rstrip("."),
        "description": f"{comment} Scope: {enum_words(Access.DESCRIPTOR)[binding.access]}.",
        "parameters": _parameters(binding, schemas),
        "responses": {"200": _success(binding, schemas), **_problem_responses(binding)},
    }
    if binding.is_open:
        operation["description"] += " Without a credential: for the public tenant."
        operation["security"] = [*_SECURITY, {}]
    if binding.body:
        operation["requestBody"] = _body(binding, schemas)
    return operation


def _exemplify(operation: Schema, binding: Binding, example: Schema | None) -> None:
    """Put the parts of an example where they go."""
    if example is None:
        return
    fields = binding.method.input_type.fields_by_name
    for name, value in examples.parameters(binding, example).items():
        for parameter in operation["parameters"]:
            if parameter["in"] != "header" and parameter["name"] in (name, fields[name].json_name):
                parameter["example"] = value
    body = examples.body(binding, example)
    if body is not None:
        next(iter(operation["requestBody"]["content"].values()))["example"] = body


def _parameters(binding: Binding, schemas: Schemas) -> list[Schema]:
    descriptor = binding.method.input_type
    in_path = path_fields(binding.template)
    found: list[Schema] = []
    for field in descriptor.fields:
        if field.name in in_path:
            schema = schemas.field(field, reading=True)
            found.append(_parameter(field.name, "path", schema, required=True))
        elif binding.body != "*" and field.name != binding.body and not is_private(field) and not object_type(field):
            schema = schemas.field(field, reading=True)
            found.append(_parameter(field.json_name, "query", schema, required=schemas.is_required(field)))
    if REQUEST_ID_FIELD in descriptor.fields_by_name:
        text = (
            "Makes a repetition safe: the same key with the same body gives the same answer, without a second effect."
        )
        schema = {"type": "string", "pattern": VISIBLE_ASCII, "maxLength": MAX_IDEMPOTENCY_KEY_CHARACTERS}
        schema["description"] = text
        found.append(_parameter("Idempotency-Key", "header", schema, required=False))
    return found


def _parameter(name: str, where: str, schema: Schema, *, required: bool) -> Schema:
    text = schema.get("description", "")
    bare = {key: value for key, value in schema.items() if key != "description"}
    return {"name": name, "in": where, "required": required, "description": text, "schema": bare}


def _body(binding: Binding, schemas: Schemas) -> Schema:
    descriptor = binding.method.input_type
    if binding.method.client_streaming:
        line = schemas.request(uploads.shape_of(binding).value)
        return {"required": False, "content": {streams.NDJSON: {"schema": line}}}
    if binding.body == "*":
        schema = schemas.request(descriptor, frozenset(path_fields(binding.template)))
        required = any(schemas.is_required(f) for f in descriptor.fields)
    else:
        message = object_type(descriptor.fields_by_name[binding.body])
        schema, required = schemas.request(message or descriptor), True
    content: Schema = {"application/json": {"schema": schema}}
    files = form_files(binding.method)
    if files:
        content[forms.MULTIPART] = {"schema": _form(descriptor, files, schemas)}
    return {"required": required, "content": content}


def _form(descriptor: Descriptor, files: str, schemas: Schemas) -> Schema:
    """Return the schema of a form: the files, and each field once for all of them."""
    found: Schema = {"files": {"type": "array", "items": {"type": "string", "format": "binary"}}}
    item = object_type(descriptor.fields_by_name[files])
    for message in (item, descriptor) if item else (descriptor,):
        for field in message.fields:
            if not is_private(field) and not object_type(field) and field.name not in forms.OF_A_FILE:
                found[field.json_name] = schemas.field(field, reading=True)
    return {"type": "object", "properties": found}


def _success(binding: Binding, schemas: Schemas) -> Schema:
    output = binding.method.output_type
    if not binding.method.server_streaming:
        content: Schema = {"application/json": {"schema": schemas.response(output)}}
        for field in output.fields:
            if media := field.GetOptions().Extensions[options_pb2.media_type]:
                content[media.partition(";")[0]] = {
                    "schema": {"type": "string", "description": schemas.comment(field.full_name)}
                }
        return {"description": schemas.comment(output.full_name), "content": content}
    line: Schema = {
        "type": "object",
        "description": "One line: a result, or as the last line a problem.",
        "properties": {
            "result": schemas.response(output, frozenset({"resume_token"})),
            "problem": {"$ref": "#/components/schemas/Problem"},
            streams.RESUME_TOKEN: {"type": "string"},
        },
    }
    content = {streams.NDJSON: {"schema": line}, streams.EVENTS: {"schema": {"type": "string"}}}
    return {"description": f"{schemas.comment(output.full_name)} A stream of lines.", "content": content}


def _problem_responses(binding: Binding) -> Mapping[str, Schema]:
    statuses = {400, 401, 403, 404, 429, 500, 503}
    if binding.verb != "GET":
        statuses.add(409)
    if binding.body:
        statuses |= {413, 415}
    return {str(status): _PROBLEM for status in sorted(statuses)} | {"default": _PROBLEM}


def _plain(summary: str, media_type: str) -> Schema:
    success = {"description": summary, "content": {media_type: {"schema": {}}}}
    return {"get": {"summary": summary, "tags": ["Operation"], "security": [], "responses": {"200": success}}}


_OPERATIONAL_PATHS: Mapping[str, Schema] = {
    "/health": _plain("This process answers", "application/json"),
    "/ready": _plain("Requests can be served", "application/json"),
    "/ready/deep": _plain("The models answer, too; looked at every ten minutes at most", "application/json"),
    "/openapi.json": _plain("This document", "application/json"),
    "/docs": _plain("This document, to be read by people", "text/html"),
}
_PROBLEM_SCHEMA: Schema = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "required": ["type", "title", "status", "detail", "reason", "requestId", "metadata"],
    "properties": {
        "type": {"type": "string", "description": f"{problems.TYPE_PREFIX}<the reason in lower case>"},
        "title": {"type": "string", "description": "The kind of error."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "detail": {"type": "string", "description": "What happened, for people."},
        "reason": {"type": "string", "description": "What happened, for programs: UPPER_SNAKE, never changed."},
        "requestId": {"type": "string", "description": "Finds the request in the logs."},
        "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        "violations": {
            "type": "array",
            "description": "Every field that is wrong, at most 20.",
            "items": {
                "type": "object",
                "required": ["field", "reason", "description"],
                "properties": {name: {"type": "string"} for name in ("field", "reason", "description")},
            },
        },
    },
}
_PROBLEM_RESPONSE: Schema = {
    "description": "A problem; `reason` tells which.",
    "content": {problems.CONTENT_TYPE.decode(): {"schema": {"$ref": "#/components/schemas/Problem"}}},
}

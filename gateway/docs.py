"""The OpenAPI document as one page for people: every operation, its fields, and a command that calls it.

Rules: no script, nothing loaded from elsewhere; all text is escaped. It knows the document and nothing else.
"""

import json
from collections.abc import Iterator
from html import escape
from typing import Any

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
Document = dict[str, Any]
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; } h3 { margin-bottom: .25rem; } h3 code { font-size: 1rem; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: .9rem; }
caption { text-align: left; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; }
pre { background: #8881; padding: .75rem; overflow-x: auto; border-radius: 4px; font-size: .85rem; }
article { border-top: 1px solid #8884; padding: .5rem 0 1rem; }
"""


def page(document: Document) -> str:
    """Return the HTML page."""
    info = document["info"]
    title = escape(info["title"])
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: interface</title>',
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>',
        f"<h1>{title}</h1><p>{escape(info['summary'])} The same as data: ",
        '<a href="/openapi.json">/openapi.json</a>.</p>',
        "<p>Send a key as <code>Authorization: Bearer</code>; the examples take it from <code>$CANDOR_KEY</code> and ",
        "the address from <code>$CANDOR_URL</code>. Every error is a problem (RFC 9457) that names its reason.</p>",
    ]
    for tag in document["tags"]:
        parts.append(f"<section><h2>{escape(tag['name'])}</h2><p>{escape(tag['description'])}</p>")
        for path, verb, operation in _operations(document):
            if tag["name"] in operation["tags"]:
                parts.append(_article(document, path, verb, operation))
        parts.append("</section>")
    parts.append("</body></html>")
    return "".join(parts)


def _operations(document: Document) -> Iterator[tuple[str, str, Document]]:
    for path, item in document["paths"].items():
        for verb, operation in item.items():
            yield path, verb.upper(), operation


def _article(document: Document, path: str, verb: str, operation: Document) -> str:
    parameters = [(p["name"], p["in"], p["schema"], p["description"], p["required"]) for p in operation["parameters"]]
    body = _body_schema(document, operation)
    fields = [] if body is None else list(_fields(body))
    answers = operation["responses"]["200"]["content"]
    answer = _resolve(document, next(iter(answers.values()))["schema"])
    return (
        f'<article id="{escape(operation["operationId"])}"><h3><code>{verb} {escape(path)}</code></h3>'
        f"<p>{escape(operation['description'])}</p>"
        f"{_table('Parameters and body', [*parameters, *fields])}{_table('Answer', list(_fields(answer)))}"
        f"<pre>{escape(example(document, path, verb, operation))}</pre></article>"
    )


def _fields(schema: Document) -> Iterator[tuple[str, str, Document, str, bool]]:
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        yield name, "body", field, field.get("description", ""), name in required


def _table(caption: str, rows: list[tuple[str, str, Document, str, bool]]) -> str:
    if not rows:
        return ""
    lines = (
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(_type(schema))}</td>"
        f"<td>{'' if where == 'body' else f'{where}. '}{'Required. ' if required and caption != 'Answer' else ''}"
        f"{escape(text)}</td></tr>"
        for name, where, schema, text, required in rows
    )
    return f"<table><caption>{caption}</caption>{''.join(lines)}</table>"


def _type(schema: Document) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(schema["enum"])
    kind = schema.get("type", "any JSON value")
    if kind == "array":
        return f"array of {_type(schema['items'])}"
    return " or ".join(kind) if isinstance(kind, list) else str(schema.get("format", kind))


def example(document: Document, path: str, verb: str, operation: Document) -> str:
    """Return a curl command that makes the call: by its example, else with what it requires."""
    lines = [
        f'curl -X {verb} "$CANDOR_URL{path.replace("{", "$").replace("}", "")}"',
        '-H "Authorization: Bearer $CANDOR_KEY"',
    ]
    body = _body_schema(document, operation)
    if body is not None:
        media, content = next(iter(operation["requestBody"]["content"].items()))
        text = json.dumps(content.get("example") or _sample(document, body, top=True), ensure_ascii=False)
        lines += [f"-H 'Content-Type: {media}'", f"-d '{text}'"]
    return " \\\n  ".join(lines)


def _body_schema(document: Document, operation: Document) -> Document | None:
    if "requestBody" not in operation:
        return None
    return _resolve(document, next(iter(operation["requestBody"]["content"].values()))["schema"])


def _resolve(document: Document, schema: Document) -> Document:
    if "$ref" not in schema:
        return schema
    found: Document = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _sample(document: Document, schema: Document, *, top: bool = False) -> Any:
    """Return a value that a schema takes: with required fields only, below the top at least with its first one."""
    schema = _resolve(document, schema)
    if "enum" in schema:
        return schema["enum"][1]
    match schema.get("type"):
        case "object":
            properties = schema["properties"]
            names = schema.get("required") or list(properties)[: 0 if top else 1]
            return {name: _sample(document, properties[name]) for name in names}
        case "array":
            return [_sample(document, schema["items"])]
        case "string":
            return "2026-04-01T09:00:00Z" if schema.get("format") == "date-time" else "text"
        case "integer" | "number":
            return 1
        case "boolean":
            return True
    return {}

"""An example request of each public method, from `examples.json` beside it, and where its parts go in HTTP.

Rules: an example is the whole request in public JSON, its ids being invented; a method without one has none in the
document. Tests send each of them. It does not know what any method does.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from gateway.contracts import Binding
from gateway.routes import path_fields

FILE = Path(__file__).with_name("examples.json")
PREFIX = "candor."


def load() -> Mapping[str, dict[str, Any]]:
    """Return the examples by the method's full name."""
    examples: dict[str, dict[str, Any]] = orjson.loads(FILE.read_bytes())
    return {PREFIX + name: example for name, example in examples.items()}


def parameters(binding: Binding, example: Mapping[str, Any]) -> dict[str, Any]:
    """Return what goes in the path and in the query, by the field's name in the contract."""
    fields = {field.name: field.json_name for field in binding.method.input_type.fields}
    in_path = path_fields(binding.template)
    wanted = [name for name in fields if name in in_path or (binding.body != "*" and name != binding.body)]
    return {name: example[fields[name]] for name in wanted if fields[name] in example}


def body(binding: Binding, example: Mapping[str, Any]) -> Any:
    """Return what goes in the body; None for a binding without one."""
    if not binding.body:
        return None
    fields = binding.method.input_type.fields_by_name
    if binding.body != "*":
        return example.get(fields[binding.body].json_name)
    elsewhere = {fields[name].json_name for name in path_fields(binding.template)}
    return {name: value for name, value in example.items() if name not in elsewhere}

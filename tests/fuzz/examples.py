"""The examples of the document as ground for random requests: right but for what a generated request says otherwise.

Rules: what an example says stays or goes by chance, part by part; it does not know any operation.
"""

import random
from typing import Any

DROPPED_SHARE, REPLACED_SHARE = 0.1, 0.2  # of an example's parts; chosen, untested


def body(document: dict[str, Any], path: str, method: str) -> Any:
    """Return the example of an operation's JSON body; None where there is none."""
    content = document["paths"][path][method.lower()].get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("example")


def varied(example: Any, other: Any, chance: random.Random) -> Any:
    """Return an example, some of whose parts are left out or said otherwise by another value."""
    if isinstance(example, dict) and isinstance(other, dict):
        kept = {key: value for key, value in example.items() if chance.random() >= DROPPED_SHARE}
        for key, value in other.items():
            if key in kept and chance.random() < 0.5:
                kept[key] = varied(kept[key], value, chance)
            elif chance.random() < REPLACED_SHARE:
                kept[key] = value
        return kept
    if isinstance(example, list) and isinstance(other, list) and example:
        return [varied(chance.choice(example), item, chance) for item in other[:3]] or example
    return other if chance.random() < REPLACED_SHARE else example

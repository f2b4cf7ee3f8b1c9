"""Spellings of one name: CamelCase, lowerCamelCase, snake_case, UPPER_SNAKE, kebab-case.

Rules: pure; it does not know what is named.
"""

import re

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(name: str) -> str:
    """Return `memory_type` for `memoryType` or `MemoryType`; a snake_case name stays."""
    return _HUMP.sub("_", name).lower()


def screaming(name: str) -> str:
    """Return `MEMORY_TYPE` for `MemoryType`."""
    return snake(name).upper()


def camel(name: str) -> str:
    """Return `memoryType` for `memory_type`."""
    head, *tail = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in tail)


def kebab(name: str) -> str:
    """Return `memory-not-found` for `MEMORY_NOT_FOUND`."""
    return name.lower().replace("_", "-")

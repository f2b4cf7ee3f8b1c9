"""Patches: what is sent changes, what is not sent stays.

Rules: a patched memory is checked as a new one is. Fields are compared in their stored form, so a patch that only
spells a value in another normal form changes nothing.
It does not know the wire form of a patch, nor revisions and their numbers.
Source: REQUIREMENTS A7.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeAlias

from shared.domain import draft as drafts
from shared.domain.types import Draft

# A field's new value; None clears it.
Values: TypeAlias = Mapping[str, Any]
Changes: TypeAlias = Mapping[str, tuple[Any, Any]]

PATCHABLE = (
    *("content", "company", "period", "record", "source_ref", "counterparty", "speaker", "session", "tags"),
    *("metadata", "importance", "pinned", "observed_at", "expires_at", "references"),
)
_FIELD_OF = {"metadata": "metadata_json"}
_CLEARED: Mapping[str, Any] = {"content": "", "tags": (), "references": (), "pinned": False, "metadata": "{}"}
# What an embedder reads of a memory: passages.embedded_text.
EMBEDDED = frozenset(("content", "speaker", "observed_at"))


def patched(before: Draft, values: Values) -> Draft:
    """Return the memory with the given fields set and all others kept.

    Raises: InvalidArgument naming every wrong field below `patch.`.
    """
    kept = {field.name: getattr(before, field.name) for field in fields(before)}
    new = {_FIELD_OF.get(name, name): _CLEARED.get(name) if v is None else v for name, v in values.items()}
    return drafts.check(**{**kept, **new}, prefix="patch.")


def changes(before: Draft, after: Draft) -> Changes:
    """Return the fields that differ, each with the value before and after."""
    pairs = (
        (name, getattr(before, _FIELD_OF.get(name, name)), getattr(after, _FIELD_OF.get(name, name)))
        for name in PATCHABLE
    )
    return {name: (old, new) for name, old, new in pairs if old != new}


def changes_json(found: Changes) -> str:
    """Write changes as `{"field": {"before": …, "after": …}}`; metadata stay as they were written."""
    entries = (
        f'{json.dumps(name)}:{{"before":{_json(name, old)},"after":{_json(name, new)}}}'
        for name, (old, new) in found.items()
    )
    return "{" + ",".join(entries) + "}"


def _json(field: str, value: Any) -> str:
    if field == "metadata":
        return str(value)
    if isinstance(value, datetime):
        value = value.isoformat(timespec="microseconds").replace("+00:00", "Z")
    return json.dumps(value, ensure_ascii=False)

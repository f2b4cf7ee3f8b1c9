"""What a memory's metadata claims of its record: one typed claim for each top-level scalar.

Rules: null, arrays and objects claim nothing. `record`, `refs`, `references`, `importance` and `depends_on` are
fields of the memory and never claims. `currency` and `<attribute>_currency` qualify the amounts beside them and are
claims of their own only where there is no such amount. Counts, rates and the like are no amounts. Versions, codes and
numbers that only name something are text. Attributes are compared as written; one too long for the index claims
nothing.
It does not know records, time and other memories.
Source: REQUIREMENTS A6; the words below are chosen, untested.
"""

import json
import re
from dataclasses import dataclass
from decimal import Decimal

from shared.domain.currencies import currency_code
from shared.domain.metadata import NumberLiteral, parse_literals
from shared.domain.values import CanonicalValue, ValueType, canonical_value, text_value

ATTRIBUTE_MAX_BYTES = 256  # it is part of an index entry
FIELD_KEYS = frozenset(("record", "refs", "references", "importance", "depends_on"))
CURRENCY_KEY = "currency"

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[0-9]+")
_ALONE = "version id uuid iban bic isbn ean sku zip postcode phone telephone fax"
_LAST = "code number no nr ref reference serial key"
_NAMES_ALONE = frozenset(_ALONE.split())
_NAMES_AS_LAST_PART = _NAMES_ALONE | frozenset(_LAST.split())
_COUNTED = """
count quantity qty pct percent percentage ratio rate score index days hours minutes weeks months month years year
quarter employees headcount units pages items age
"""
_NO_AMOUNT = frozenset(_COUNTED.split())


@dataclass(frozen=True, slots=True)
class Claim:
    """One attribute's value: as written, canonical, and typed. `number` is as stated, in `currency` or `unit`."""

    attribute: str
    raw: str  # one JSON scalar
    canonical: str
    value_type: ValueType
    number: Decimal | None = None
    currency: str | None = None
    unit: str | None = None


def claims_of(metadata_json: str) -> tuple[Claim, ...]:
    """Return the claims of a checked metadata text, in its order."""
    entries = {key: value for key, value in parse_literals(metadata_json).items() if _is_scalar(value)}
    shared = _code(entries.get(CURRENCY_KEY))
    claims: list[Claim] = []
    qualified: set[str] = set()
    for attribute, value in entries.items():
        own = next((key for key in (f"{attribute}_{CURRENCY_KEY}", f"{attribute}Currency") if key in entries), None)
        found = _value(attribute, value, _code(entries.get(own)) if own else None, shared)
        if found is None or not _is_claimed(attribute):
            continue
        if found.number is not None and found.unit is None and _is_amount(attribute):
            qualified.update(key for key in (own, CURRENCY_KEY) if key)
        claims.append(_claim(attribute, value, found))
    return tuple(claim for claim in claims if claim.attribute not in qualified)


def _value(attribute: str, value: object, own: str | None, shared: str | None) -> CanonicalValue | None:
    if isinstance(value, NumberLiteral | str) and _is_name(attribute):
        return text_value(value) if value.strip() else None
    if attribute == CURRENCY_KEY or attribute.endswith((f"_{CURRENCY_KEY}", "Currency")):
        code = _code(value)
        return CanonicalValue(code, ValueType.TEXT) if code else None
    if isinstance(value, bool | str):
        return canonical_value(value, own or (shared if _is_amount(attribute) else None))
    return None


def _claim(attribute: str, value: object, found: CanonicalValue) -> Claim:
    raw = str(value) if isinstance(value, NumberLiteral) else json.dumps(value, ensure_ascii=False)
    return Claim(attribute, raw, found.canonical, found.value_type, found.number, found.currency, found.unit)


def _code(value: object) -> str | None:
    return currency_code(value) if isinstance(value, str) and not isinstance(value, NumberLiteral) else None


def _is_scalar(value: object) -> bool:
    return isinstance(value, bool | str)  # a number is still the literal that was written


def _is_claimed(attribute: str) -> bool:
    return attribute not in FIELD_KEYS and 0 < len(attribute.encode("utf-8", "surrogatepass")) <= ATTRIBUTE_MAX_BYTES


def _parts(attribute: str) -> list[str]:
    return [part.casefold() for part in _PARTS.findall(attribute)]


def _is_name(attribute: str) -> bool:
    parts = _parts(attribute)
    if not parts:
        return False
    return parts[-1] in (_NAMES_AS_LAST_PART if len(parts) > 1 else _NAMES_ALONE)


def _is_amount(attribute: str) -> bool:
    return not _NO_AMOUNT.intersection(_parts(attribute)[-1:])

"""What a tenant declares of its data, and the policy that recall and audit follow from it.

Rules: an attribute is named as metadata name it. A stateful one changes over time: of two dated values the later one
holds. A multi-valued one has several values at once: they never contradict. A declared tolerance takes the place of the
general one. An attribute cannot be both stateful and multi-valued. Slots of turns need no declaration: `slot.` begins a
stateful one, `slots.` one of several values. Settings are kept as one JSON object, in which each reader minds its own
keys and leaves the others as they are.
It does not know versions, tenants or the database.
Source: REQUIREMENTS C2, C3.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from types import MappingProxyType

from shared.domain.claims import ATTRIBUTE_MAX_BYTES
from shared.domain.draft import VIOLATIONS_MAX
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.text import refused_character

ATTRIBUTES_MAX = 1_000  # declared of one sort; chosen, untested
SLOT, SLOTS = "slot.", "slots."  # how attributes begin that are read from turns: of one value at a time, of several
STATEFUL, MULTI_VALUED, TOLERANCES = "stateful_attributes", "multi_valued_attributes", "tolerances"

_DECIMAL = re.compile(r"[0-9]{1,30}(?:\.[0-9]{1,30})?", re.ASCII)
_NO_TOLERANCES: Mapping[str, Decimal] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Policy:
    """What the judgement of values depends on beside the values. `tolerances` are absolute, 0 or more."""

    stateful: frozenset[str] = frozenset()
    multi_valued: frozenset[str] = frozenset()
    tolerances: Mapping[str, Decimal] = field(default_factory=lambda: _NO_TOLERANCES)

    def is_stateful(self, attribute: str) -> bool:
        """Tell whether an attribute changes over time: one that is declared so, or a slot of turns."""
        return attribute in self.stateful or (attribute.startswith(SLOT) and attribute not in self.multi_valued)

    def is_multi_valued(self, attribute: str) -> bool:
        """Tell whether an attribute has several values at once: one that is declared so, or such a slot of turns."""
        return attribute in self.multi_valued or (attribute.startswith(SLOTS) and attribute not in self.stateful)


NOTHING_DECLARED = Policy()


@dataclass(frozen=True, slots=True)
class Change:
    """What of a policy is to be set, as it was asked for; None leaves it as it is."""

    stateful: Sequence[str] | None = None
    multi_valued: Sequence[str] | None = None
    tolerances: Sequence[tuple[str, str]] | None = None


def changed(policy: Policy, change: Change, prefix: str = "") -> Policy:
    """Return the policy after a change.

    Raises: InvalidArgument ATTRIBUTE_INVALID, TOO_MANY_ATTRIBUTES, TOLERANCE_INVALID, ATTRIBUTE_REPEATED,
    SETTINGS_CONTRADICTORY, naming every wrong field, at most 20.
    """
    wrong: list[Violation] = []

    def refuse(place: str, reason: str, description: str) -> None:
        wrong.append(Violation(f"{prefix}{place}", reason, description))

    if change.stateful is not None:
        policy = replace(policy, stateful=frozenset(_attributes(STATEFUL, change.stateful, refuse)))
    if change.multi_valued is not None:
        policy = replace(policy, multi_valued=frozenset(_attributes(MULTI_VALUED, change.multi_valued, refuse)))
    if change.tolerances is not None:
        names = _attributes(TOLERANCES, [name for name, _ in change.tolerances], refuse)
        for position, (name, text) in enumerate(change.tolerances):
            if not _DECIMAL.fullmatch(text):
                refuse(f"{TOLERANCES}[{position}].value", "TOLERANCE_INVALID", "must be a decimal of 0 or more")
            if name in names[:position]:
                refuse(f"{TOLERANCES}[{position}].attribute", "ATTRIBUTE_REPEATED", "has a tolerance already")
        if not wrong:
            policy = replace(policy, tolerances=MappingProxyType({n: Decimal(t) for n, t in change.tolerances}))
    both = sorted(policy.stateful & policy.multi_valued)
    if both and not wrong:
        refuse(MULTI_VALUED, "SETTINGS_CONTRADICTORY", f"{both[0]!r} is stateful: it has one value at a time")
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong[:VIOLATIONS_MAX]))
    return policy


def to_json(policy: Policy, former: str = "{}") -> str:
    """Write a policy into the JSON object that settings are kept as; other keys of the former one stay."""
    kept = json.loads(former)
    kept |= {
        STATEFUL: sorted(policy.stateful),
        MULTI_VALUED: sorted(policy.multi_valued),
        TOLERANCES: {name: f"{number:f}" for name, number in sorted(policy.tolerances.items())},
    }
    return json.dumps(kept, ensure_ascii=False, sort_keys=True)


def of_json(text: str) -> Policy:
    """Read the policy from the JSON object that settings are kept as; what is not there is not declared."""
    kept = json.loads(text)
    return Policy(
        stateful=frozenset(kept.get(STATEFUL, ())),
        multi_valued=frozenset(kept.get(MULTI_VALUED, ())),
        tolerances=MappingProxyType({name: Decimal(number) for name, number in kept.get(TOLERANCES, {}).items()}),
    )


def _attributes(what: str, names: Sequence[str], refuse: Callable[[str, str, str], None]) -> list[str]:
    if len(names) > ATTRIBUTES_MAX:
        refuse(what, "TOO_MANY_ATTRIBUTES", f"has {len(names)} entries; at most {ATTRIBUTES_MAX}")
        return []
    for position, name in enumerate(names):
        forbidden = refused_character(name)
        if forbidden is not None:
            refuse(f"{what}[{position}]", "ATTRIBUTE_INVALID", f"holds {forbidden}")
        elif not 0 < len(name.encode("utf-8", "surrogatepass")) <= ATTRIBUTE_MAX_BYTES:
            refuse(f"{what}[{position}]", "ATTRIBUTE_INVALID", f"must have 1 to {ATTRIBUTE_MAX_BYTES} bytes")
    return list(names)

"""What a tenant declares of forgetting: half-lives, the floor, a capacity, and which further kinds fade.

Rules: what is not declared is as usual. Declarations are kept in the tenant's settings, one JSON object in which each
reader minds its own keys. A wrong field is named.
It does not know versions, tenants or the database.
Source: REQUIREMENTS D1, D5.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from shared.domain.errors import InvalidArgument, Violation
from shared.domain.retention import FADING_KINDS, Retention
from shared.domain.salience import HALF_LIFE_MAX_HOURS, HALF_LIFE_MIN_HOURS, USUAL, Fading
from shared.domain.types import MemoryKind

HALF_LIVES, FLOOR, CAPACITY, KINDS = "half_life_hours", "salience_floor", "capacity", "fading_kinds"
FIELDS = (HALF_LIVES, FLOOR, CAPACITY, KINDS)
EPISODIC, SEMANTIC = "episodic", "semantic"  # of HALF_LIVES; what is consolidated has the latter


@dataclass(frozen=True, slots=True)
class Declared:
    """What is declared; None, and no kinds: as usual. Units: `capacity` in live memories, 1 or more."""

    episodic_hours: float | None = None
    semantic_hours: float | None = None
    floor: float | None = None
    capacity: int | None = None
    kinds: frozenset[MemoryKind] = frozenset()

    def rules(self) -> Retention:
        """Return what follows."""
        fading = Fading(
            episodic_half_life_hours=_or(self.episodic_hours, USUAL.episodic_half_life_hours),
            lasting_half_life_hours=_or(self.semantic_hours, USUAL.lasting_half_life_hours),
            floor=_or(self.floor, USUAL.floor),
        )
        return Retention(fading, FADING_KINDS | self.kinds, self.capacity)


def changed(former: Declared, asked: Declared, names: Collection[str], prefix: str = "") -> Declared:
    """Return the declaration with the named fields set as asked for.

    Raises: InvalidArgument HALF_LIFE_INVALID, SALIENCE_FLOOR_INVALID, CAPACITY_INVALID, naming every wrong field.
    """
    wrong: list[Violation] = []
    if HALF_LIVES in names:
        for name, hours in ((EPISODIC, asked.episodic_hours), (SEMANTIC, asked.semantic_hours)):
            if hours is not None and not HALF_LIFE_MIN_HOURS <= hours <= HALF_LIFE_MAX_HOURS:
                told = f"must be between {HALF_LIFE_MIN_HOURS:g} and {HALF_LIFE_MAX_HOURS:g} hours"
                wrong.append(Violation(f"{prefix}{HALF_LIVES}.{name}", "HALF_LIFE_INVALID", told))
        former = replace(former, episodic_hours=asked.episodic_hours, semantic_hours=asked.semantic_hours)
    if FLOOR in names:
        if asked.floor is not None and not 0 <= asked.floor <= 1:
            wrong.append(Violation(f"{prefix}{FLOOR}", "SALIENCE_FLOOR_INVALID", "must be between 0 and 1"))
        former = replace(former, floor=asked.floor)
    if CAPACITY in names:
        if asked.capacity is not None and asked.capacity < 0:
            wrong.append(Violation(f"{prefix}{CAPACITY}", "CAPACITY_INVALID", "must not be negative; 0: no bound"))
        former = replace(former, capacity=asked.capacity or None)
    if KINDS in names:
        former = replace(former, kinds=asked.kinds)
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    return former


def to_json(declared: Declared, former: str = "{}") -> str:
    """Write a declaration into the JSON object that settings are kept as; other keys of the former one stay."""
    kept = {name: value for name, value in json.loads(former).items() if name not in FIELDS}
    hours = {EPISODIC: declared.episodic_hours, SEMANTIC: declared.semantic_hours}
    given: dict[str, Any] = {
        HALF_LIVES: {name: value for name, value in hours.items() if value is not None} or None,
        FLOOR: declared.floor,
        CAPACITY: declared.capacity,
        KINDS: sorted(declared.kinds) or None,
    }
    kept |= {name: value for name, value in given.items() if value is not None}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True)


@lru_cache(maxsize=1024)  # as many tenants as write at a time; chosen, untested
def of_json(text: str) -> Declared:
    """Read the declaration from the JSON object that settings are kept as."""
    kept: Mapping[str, Any] = json.loads(text)
    hours = kept.get(HALF_LIVES, {})
    return Declared(
        episodic_hours=hours.get(EPISODIC),
        semantic_hours=hours.get(SEMANTIC),
        floor=kept.get(FLOOR),
        capacity=kept.get(CAPACITY),
        kinds=frozenset(map(MemoryKind, kept.get(KINDS, ()))),
    )


def _or(given: float | None, usual: float) -> float:
    return usual if given is None else given

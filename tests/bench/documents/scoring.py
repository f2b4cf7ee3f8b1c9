"""How right a reading is, field by field, against what stands on the paper.

Rules: a field is right, wrong (another value), missed (none given), or invented (given where the paper says nothing).
Precision is right among given, recall right among expected. What is derivable counts only when it is wrong; what the
caller declared counts for nobody; an event's name by default is none; an invoice's month follows from its date.
Employees are matched by id: every field of one who is not found is missed, of one who is not there invented.
It does not know files or gRPC. Source: fixtures/README.md, section documents.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

DEFAULT_EVENT = "monthly-consolidated"
_UNSCORED = frozenset(("type", "status"))  # told by docType; follows from the amounts


@dataclass(slots=True)
class Score:
    """Counts over documents."""

    files: int = 0
    whole: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    invented: int = 0
    named: int = 0
    to_name: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float | None:
        """Return the share of right fields among those given."""
        given = self.right + self.wrong + self.invented
        return self.right / given if given else None

    @property
    def recall(self) -> float | None:
        """Return the share of right fields among those expected."""
        expected = self.right + self.wrong + self.missed
        return self.right / expected if expected else None

    def add(self, other: "Score") -> None:
        """Count another score in."""
        for name in ("files", "whole", "right", "wrong", "missed", "invented", "named", "to_name"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failures += other.failures

    def as_json(self) -> dict[str, Any]:
        """Give counts and shares; failures are printed, never kept."""
        names = ("files", "whole", "right", "wrong", "missed", "invented", "named", "to_name")
        shares = {"precision": self.precision, "recall": self.recall}
        return {name: getattr(self, name) for name in names} | {
            name: None if share is None else round(share, 4) for name, share in shares.items()
        }


def _text(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def equal(a: str, b: str) -> bool:
    """Say whether two values are the same: as decimals where both are, else as text without case and width."""
    try:
        return Decimal(a) == Decimal(b)
    except InvalidOperation:
        return _text(a) == _text(b)


def flat(reading: Mapping[str, Any]) -> dict[str, str]:
    """Lay a reading out as name → value, employees by their id."""
    names = ("docType", "company", "period", "currency", "eventRef")
    found = {name: str(reading[name]) for name in names if reading.get(name)}
    if _text(found.get("eventRef", "")) == DEFAULT_EVENT:
        del found["eventRef"]
    found |= {name: str(value) for name, value in reading.get("fields", {}).items() if name not in _UNSCORED}
    employees = reading.get("employees", [])
    for number, employee in enumerate(employees):
        key = "employee" if len(employees) == 1 else f"employee {_text(employee.get('employee_id', f'#{number}'))}"
        found |= {f"{key}.{name}": str(value) for name, value in employee.items()}
    return found


def derivable(reading: Mapping[str, Any]) -> dict[str, str]:
    """Return what may be given beside what is expected, under every name it may be given by."""
    found = dict(reading.get("derivable", {}))
    found |= {f"employee.{name}": value for name, value in found.items()}
    if reading["docType"].endswith("_invoice"):
        found["period"] = reading["period"]
        found["customer" if "vendor" in reading["fields"] else "vendor"] = reading["company"]
    return found


def compare(expected: Mapping[str, Any], found: Mapping[str, Any], declared: Mapping[str, str]) -> Score:
    """Score one document."""
    score = Score()
    wanted, given, allowed = flat(expected), flat(found), derivable(expected)
    if expected["docType"].endswith("_invoice"):
        wanted.pop("period", None)
    for name in declared:
        if name in wanted and name in given and equal(wanted[name], given[name]):
            del wanted[name], given[name]
    for name, value in wanted.items():
        if name not in given:
            score.missed += 1
            score.failures.append(f"missed {name}: {value}")
        elif equal(value, given[name]):
            score.right += 1
        else:
            score.wrong += 1
            score.failures.append(f"wrong {name}: {given[name]}, not {value}")
    for name, value in given.items():
        if name in wanted or (name in allowed and equal(allowed[name], value)):
            continue
        score.invented += 1
        score.failures.append(f"invented {name}: {value}")
    score.to_name = len(expected["missing"])
    named = {name.rsplit(".", 1)[-1] for name in found.get("missing", ())}
    score.named = len(named & set(expected["missing"]))
    return score


def score_file(entry: Mapping[str, Any], found: list[Mapping[str, Any]]) -> Score:
    """Score what was read of one file; a document too many or too few is all wrong or all missed."""
    total = Score(files=1)
    for expected, reading in _pairs(entry["documents"], found):
        if expected is None:
            invented = flat(reading or {})
            total.add(Score(invented=len(invented), failures=[f"invented a document: {invented}"]))
        else:
            total.add(compare(expected, reading or {"docType": ""}, entry["declared"]))
    total.whole = int(not total.failures)
    return total


def _pairs(
    expected: list[Mapping[str, Any]], found: list[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]]:
    for number in range(max(len(expected), len(found))):
        yield (
            expected[number] if number < len(expected) else None,
            found[number] if number < len(found) else None,
        )

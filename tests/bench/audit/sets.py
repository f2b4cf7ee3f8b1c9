"""Labelled sets as memories to write and findings to expect: our own, and the public ones that lie beside the repo.

Rules: a case is what one tenant holds; the k-th memories of all its groups are written together, so that each memory of
a group is later than the one before. What the reference product keeps in metadata (record, refs, importance) are fields
here. It does not know how a case is written or judged.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from typing import Any

from candor.ingest.v1.memories_pb2 import NewMemory
from candor.memory.v1.memory_pb2 import Kind

from shared.rpc import wire

ROOT = Path(__file__).parents[3]
DATA = ROOT.parent / "shared" / "data"
START = datetime(2026, 5, 1, tzinfo=UTC)
_LABELS = {
    "sourceRef": "source_ref",
    "company": "company",
    "period": "period",
    "record": "record",
    "counterparty": "counterparty",
    "speaker": "speaker",
    "session": "session",
    "importance": "importance",
    "pinned": "pinned",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One value of an expected contradiction: who carries it and how they wrote it."""

    memories: tuple[str, ...]
    raw: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """One expected finding. `detail` is what must be right beside its being found; None: not fixed."""

    kind: str
    subject: str
    attribute: str = ""
    sides: tuple[Side, ...] | None = None
    recommended: tuple[str, Any, str] | None = None  # memory, value, rule
    memories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that belong together, by their ids in the set, and what is to be found among them."""

    name: str
    covers: tuple[str, ...]
    memories: Mapping[str, NewMemory]
    expected: tuple[Expected, ...] = ()

    @property
    def is_silent(self) -> bool:
        """Nothing that makes an audit not ok is expected."""
        return not any(one.kind in ("contradiction", "absence") for one in self.expected)


@dataclass(frozen=True, slots=True)
class Case:
    """What one tenant holds."""

    name: str
    groups: Sequence[Group]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def waves(self) -> Iterator[list[tuple[str, str, NewMemory]]]:
        """Yield what is written together: name of the group, name of the memory, memory."""
        columns = [[(group.name, key, memory) for key, memory in group.memories.items()] for group in self.groups]
        for wave in zip_longest(*columns):
            yield [one for one in wave if one is not None]


def new_memory(given: Mapping[str, Any]) -> NewMemory:
    """Return a memory as the API's JSON writes it."""
    memory = NewMemory(kind=Kind.Value(f"KIND_{given['kind'].upper()}"), content=given["content"])
    for name, own in _LABELS.items():
        if given.get(name) is not None:
            setattr(memory, own, given[name])
    if "metadata" in given:
        memory.metadata = json.dumps(given["metadata"], ensure_ascii=False)
    memory.tags.extend(given.get("tags", ()))
    memory.references.extend(given.get("references", ()))
    memory.derived_from.extend(given.get("derivedFrom", ()))
    for name, own in (("observedAt", "observed_at"), ("expiresAt", "expires_at")):
        if given.get(name):
            stamp = wire.to_timestamp(datetime.fromisoformat(given[name]))
            if stamp is not None:
                getattr(memory, own).CopyFrom(stamp)
    return memory


def own_cases() -> list[Case]:
    """Return the groups of fixtures/audit/field.json, one case for each of the settings they depend on."""
    groups: dict[str, list[Group]] = {}
    for given in json.loads((ROOT / "fixtures" / "audit" / "field.json").read_text(encoding="utf-8")):
        settings = json.dumps(given.get("settings", {}), sort_keys=True)
        memories = {one["id"]: new_memory(one["memory"]) for one in given["memories"]}
        made = Group(given["id"], tuple(given["covers"]), memories, tuple(_expected(given["expected"])))
        groups.setdefault(settings, []).append(made)
    return [Case(f"field {settings}", made, json.loads(settings)) for settings, made in groups.items()]


def _expected(given: Mapping[str, Any]) -> Iterator[Expected]:
    for one in given.get("contradictions", ()):
        values = one.get("values")
        sides = None if values is None else tuple(Side(tuple(v["memories"]), tuple(v["raw"])) for v in values)
        advice = (one["recommendedMemory"], one["recommendedValue"], one["rule"])
        yield Expected("contradiction", one["subject"], one["attribute"], sides, advice)
    for one in given.get("absences", ()):
        yield Expected("absence", one["subject"], memories=tuple(one["referencedBy"]))
    for one in given.get("superseded", ()):
        pair = (one["former"]["memory"], one["current"]["memory"])
        yield Expected("superseded", one["subject"], one["attribute"], memories=pair)
    for one in given.get("duplicates", ()):
        yield Expected("duplicate", "", memories=tuple(one["memories"]))


def public_cases() -> list[Case]:
    """Return the reference's two sets and the conflicting facts, where the data are there."""
    if not DATA.is_dir():
        return []
    return [_consistency(), _resolution(), _facts()]


def _of_reference(given: Mapping[str, Any]) -> NewMemory:
    metadata = dict(given["metadata"])
    fields = {**given, "observedAt": given["createdAt"], "metadata": metadata, "references": metadata.pop("refs", [])}
    for name in ("record", "importance"):
        if name in metadata:
            fields[name] = metadata.pop(name)
    return new_memory(fields)


def _consistency() -> Case:
    data = json.loads((DATA / "archon" / "consistency.json").read_text(encoding="utf-8"))
    expected = [Expected("contradiction", one["subject"], one["attribute"]) for one in data["expectContradictions"]]
    expected += [Expected("absence", subject) for subject in data["expectAbsences"]]
    memories = {one["id"]: _of_reference(one) for one in data["memories"]}
    return Case("archon consistency", [Group("consistency", ("archon consistency",), memories, tuple(expected))])


def _resolution() -> Case:
    data = json.loads((DATA / "archon" / "resolution.json").read_text(encoding="utf-8"))
    expected = [
        Expected("contradiction", e["subject"], e["attribute"], None, (e["winnerMemoryId"], None, e["rule"]))
        for e in data["expect"]
    ]
    memories = {one["id"]: _of_reference(one) for one in data["memories"]}
    return Case("archon resolution", [Group("resolution", ("archon resolution",), memories, tuple(expected))])


def _facts() -> Case:
    """Each fact twice, in two sessions; the newer serial is the later observation."""
    folder = DATA / "factconsolidation"
    slots = json.loads((folder / "conflicting_slots_6k.json").read_text(encoding="utf-8"))
    text = (folder / "context_6k.txt").read_text(encoding="utf-8")
    newest = {slot["slot"]: max(slot["values"], key=lambda value: value["serial"]) for slot in slots}
    prefixes = sorted(newest, key=len, reverse=True)
    memories: dict[str, dict[str, NewMemory]] = {}
    for serial, fact in re.findall(r"^(\d+)\. (.+)\.$", text, re.MULTILINE):
        slot = next((prefix for prefix in prefixes if fact.startswith(prefix + " ")), fact)
        value = fact[len(slot) :].strip() or fact
        for session in ("s1", "s2"):
            memories.setdefault(slot, {})[f"{serial}/{session}"] = new_memory(
                {
                    "kind": "document",
                    "content": fact,
                    "record": slot,
                    "session": session,
                    "metadata": {"value": value},
                    "observedAt": (START + timedelta(seconds=int(serial))).isoformat(),
                }
            )
    groups = []
    for number, (slot, of_slot) in enumerate(memories.items()):
        serials = dict.fromkeys(name.partition("/")[0] for name in of_slot)
        expected = [Expected("duplicate", "", memories=(f"{serial}/s1", f"{serial}/s2")) for serial in serials]
        if slot in newest:
            advice = ("", newest[slot]["value"], "recency")
            expected.append(Expected("contradiction", slot, "value", None, advice))
        groups.append(Group(f"slot {number}", ("factconsolidation",), of_slot, tuple(expected)))
    return Case("factconsolidation", groups)

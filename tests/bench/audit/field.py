"""What the field audit finds and leaves alone, through the product: ingest writes, retrieve streams, audit judges.

Rules: figures are of findings that make an audit not ok (contradictions and absences): precision over those reported,
recall over those expected, and the rate of false alarms over silent groups. Beside them: how many of the found ones
have the values, carriers and recommendation that the labels give, and how many superseded values and duplicates are
reported as expected. Groups tagged `needs-reading` are counted apart. Intervals are Wilson's at 95 %.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from candor.audit.v1.fields_pb2 import AuditFieldsRequest, AuditFieldsResponse
from candor.ingest.v1.memories_pb2 import BatchCreateMemoriesRequest
from candor.ingest.v1.settings_pb2 import UpdateSettingsRequest
from candor.memory.v1.finding_pb2 import AssertedValue, Contradiction
from candor.memory.v1.setting_pb2 import Settings, Tolerance

from shared.rpc import clients
from tests.bench.audit.sets import Case, Expected, Group
from tests.bench.meaning import wilson
from tests.e2e.stack import Stack

BATCH = 500
APART = "needs-reading"
DECISIVE = ("contradiction", "absence")


@dataclass(slots=True)
class Score:
    """Counts of one tag."""

    groups: int = 0
    silent: int = 0
    alarmed: int = 0  # silent groups with a finding
    found: int = 0
    missed: int = 0
    false: int = 0
    exact: int = 0  # of the found ones: everything else as labelled, too
    informed: int = 0  # superseded values and duplicates as expected
    uninformed: int = 0  # missing or too many of them
    wrong: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return counts, shares and intervals."""
        shares = {
            "precision": (self.found, self.found + self.false),
            "recall": (self.found, self.found + self.missed),
            "false_alarm_rate": (self.alarmed, self.silent),
        }
        counted = {name: getattr(self, name) for name in self.__slots__ if name != "wrong"}
        measured = {
            name: {"share": hits / of, "wilson95": wilson(hits, of), "hits": hits, "of": of} if of else None
            for name, (hits, of) in shares.items()
        }
        return {**counted, **measured, "wrong": self.wrong}


async def run_case(stack: Stack, case: Case, tenant_id: str) -> dict[str, Score]:
    """Write a case into a tenant, audit it, and score it by tag; `all` and `needs-reading` have no group in common."""
    names = await _write(stack, case, tenant_id)
    found: defaultdict[str, list[AuditFieldsResponse]] = defaultdict(list)
    async with clients.channel(stack.own.audit_target, caller="bench") as channel:
        request = AuditFieldsRequest(tenant_id=tenant_id)
        async for line in clients.field_audit(channel).AuditFields(request, timeout=300):
            if line.WhichOneof("item") != "summary":
                found[names[_memories(line)[0]][0]].append(line)
    scores: defaultdict[str, Score] = defaultdict(Score)
    for group in case.groups:
        one = _scored(group, found[group.name], {memory_id: key for memory_id, (_, key) in names.items()})
        for tag in dict.fromkeys((APART if APART in group.covers else "all", *group.covers)):
            add(scores[tag], one)
    return dict(scores)


async def _write(stack: Stack, case: Case, tenant_id: str) -> dict[str, tuple[str, str]]:
    """Write the memories and the settings of a case; return group and name of each memory by its id."""
    names: dict[str, tuple[str, str]] = {}
    async with clients.channel(stack.own.ingest_target, caller="bench") as channel:
        if case.settings:
            settings = Settings(
                stateful_attributes=case.settings.get("stateful", ()),
                multi_valued_attributes=case.settings.get("multi_valued", ()),
                tolerances=[Tolerance(attribute=a, value=v) for a, v in case.settings.get("tolerances", {}).items()],
            )
            await clients.settings(channel).UpdateSettings(
                UpdateSettingsRequest(tenant_id=tenant_id, actor="bench", settings=settings)
            )
        for wave in case.waves():
            for start in range(0, len(wave), BATCH):
                batch = wave[start : start + BATCH]
                request = BatchCreateMemoriesRequest(
                    tenant_id=tenant_id, actor="bench", memories=[memory for _, _, memory in batch]
                )
                answer = await clients.memory_writer(channel).BatchCreateMemories(request, timeout=300)
                for (group, key, _), written in zip(batch, answer.memories, strict=True):
                    names[written.memory_id] = (group, key)
    return names


def _memories(line: AuditFieldsResponse) -> list[str]:
    """Return the memories that a finding is about."""
    match line.WhichOneof("item"):
        case "contradiction":
            return [memory for value in line.contradiction.values for memory in value.carrier_memory_ids]
        case "absence":
            return [referrer.memory_id for referrer in line.absence.referenced_by]
        case "superseded":
            return [line.superseded.former.memory_id, line.superseded.current.memory_id]
        case "duplicate":
            return list(line.duplicate.memory_ids)
        case _:
            return [line.stale.memory_id]


def _key(line: AuditFieldsResponse, names: Mapping[str, str]) -> tuple[object, ...]:
    """Return by what a reported finding is matched with an expected one."""
    kind = str(line.WhichOneof("item"))
    match kind:
        case "contradiction":
            return kind, line.contradiction.subject, line.contradiction.attribute
        case "absence":
            return kind, line.absence.subject, line.absence.expected
        case "superseded":
            return kind, line.superseded.attribute, *(names[memory] for memory in _memories(line))
    return kind, *sorted(names[memory] for memory in _memories(line))


def _expected_key(one: Expected) -> tuple[object, ...]:
    match one.kind:
        case "contradiction":
            return one.kind, one.subject, one.attribute
        case "absence":
            return one.kind, one.subject, ""
        case "superseded":
            return one.kind, one.attribute, *one.memories
    return one.kind, *sorted(one.memories)


def _scored(group: Group, lines: Sequence[AuditFieldsResponse], names: Mapping[str, str]) -> Score:
    score = Score(groups=1, silent=int(group.is_silent))
    expected = Counter(_expected_key(one) for one in group.expected)
    reported = Counter(_key(line, names) for line in lines)
    for key in expected | reported:
        hits = min(expected[key], reported[key])
        missed, false = expected[key] - hits, reported[key] - hits
        if key[0] in (*DECISIVE, "stale"):
            score.found, score.missed, score.false = score.found + hits, score.missed + missed, score.false + false
        else:
            score.informed, score.uninformed = score.informed + hits, score.uninformed + missed + false
        if missed or false:
            score.wrong.append(f"{group.name}: {'missed' if missed else 'false'} {' '.join(map(str, key))}")
    score.alarmed = int(group.is_silent and score.false > 0)
    for one in group.expected:
        if one.kind in DECISIVE:
            of_key = [line for line in lines if _key(line, names) == _expected_key(one)]
            exact = any(_is_exact(one, line, names) for line in of_key)
            score.exact += exact
            if of_key and not exact:
                score.wrong.append(f"{group.name}: otherwise {one.subject} {one.attribute}")
    return score


def _is_exact(one: Expected, line: AuditFieldsResponse, names: Mapping[str, str]) -> bool:
    if one.kind == "absence":
        return not one.memories or sorted(one.memories) == sorted(names[memory] for memory in _memories(line))
    found = line.contradiction
    return _has_sides(one, found.values, names) and _is_advised(one, found, names)


def _has_sides(one: Expected, values: Sequence[AssertedValue], names: Mapping[str, str]) -> bool:
    if one.sides is None:
        return True
    ours = sorted(sorted(names[memory] for memory in value.carrier_memory_ids) for value in values)
    return ours == sorted(sorted(side.memories) for side in one.sides)


def _is_advised(one: Expected, found: Contradiction, names: Mapping[str, str]) -> bool:
    if one.recommended is None:
        return True
    memory, value, rule = one.recommended
    advice = found.resolution
    return (
        memory in ("", names[advice.recommended_memory_id])
        and (value is None or json.loads(advice.recommended_value) == value)
        and advice.rule == rule
    )


def add(total: Score, one: Score) -> None:
    """Add one score to another."""
    for name in Score.__slots__:
        setattr(total, name, getattr(total, name) + getattr(one, name))

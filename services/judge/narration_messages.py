"""Between the narration contract and the narrator: what was asked, checked, and what came of it.

Rules: a wrong field is named by its path, never quoted. What a memory says beside its content (company, record,
counterparty, period, speaker, metadata) becomes fields of the evidence, which an answer may use as well. A contested
value points at the evidence whose memories carry it. A finding that breaks its contract is a defect of the service that
sent it (ValueError). It does not know how an answer is made.
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Final
from uuid import UUID

from candor.judge.v1 import narrate_pb2 as pb
from candor.memory.v1.finding_pb2 import AssertedValue, Contradiction

from services.judge.narrator import Narrated, Task
from services.judge.questions import checked
from services.judge.usage_message import usage_message
from shared.domain import metadata
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.guard import Contested, ContestedSide
from shared.domain.support import Source
from shared.rpc import wire

MAX_EVIDENCE = 20
MAX_CONTENT_CHARS = 8_000
MAX_CONTESTED = 50

_BESIDE: Final = ("company", "record", "counterparty", "period", "speaker")


def task_of(message: pb.NarrationTask, path: str = "task", *, may_lack_evidence: bool = False) -> Task:
    """Read what is asked; `path` leads to it in the request.

    Raises: InvalidArgument QUESTION_EMPTY, QUESTION_TOO_LONG, EVIDENCE_MISSING, EVIDENCE_TOO_MUCH, EVIDENCE_INVALID,
    TOKENS_OUT_OF_RANGE.
    """
    question = checked(message.question, f"{path}.question")
    if not message.evidence and not may_lack_evidence:
        raise InvalidArgument.of(f"{path}.evidence", "EVIDENCE_MISSING", "must have at least one memory")
    for field, count, most in (
        (f"{path}.evidence", len(message.evidence), MAX_EVIDENCE),
        (f"{path}.contested", len(message.contested), MAX_CONTESTED),
    ):
        if count > most:
            raise InvalidArgument.of(field, "EVIDENCE_TOO_MUCH", f"must have at most {most}, has {count}")
    if message.max_total_tokens < 0:
        raise InvalidArgument.of(f"{path}.max_total_tokens", "TOKENS_OUT_OF_RANGE", "must not be negative")
    wrong = tuple(_violations(message, path))
    if wrong:
        raise InvalidArgument.of_all(wrong)
    markers = {UUID(memory.memory_id): marker for marker, memory in enumerate(message.evidence, 1)}
    return Task(
        question,
        tuple(_source(memory) for memory in message.evidence),
        tuple(_contested(finding, markers) for finding in message.contested),
        message.max_total_tokens or None,
    )


def narration(narrated: Narrated) -> pb.Narration:
    """Write what came of it."""
    codes = list(dict.fromkeys(f"GROUNDING_{failure.code.value}" for failure in narrated.failures))
    grounding = pb.GROUNDING_PASSED if narrated.attempts == 1 else pb.GROUNDING_REPAIRED
    return pb.Narration(
        answer=narrated.answer,
        cited=narrated.cited,
        grounding=pb.GROUNDING_UNSPECIFIED if codes else grounding,
        attempts=narrated.attempts,
        refusal=pb.Refusal(code=codes[0], failures=codes) if codes else None,
        model=narrated.model,
        prompt_version=narrated.prompt_version,
        usage=usage_message(narrated.usage),
        nearest_only=narrated.nearest_only,
    )


def _violations(message: pb.NarrationTask, path: str) -> Iterator[Violation]:
    seen: set[UUID] = set()
    for index, memory in enumerate(message.evidence):
        field = f"{path}.evidence[{index}]"
        try:
            memory_id = UUID(memory.memory_id)
        except ValueError:
            yield Violation(f"{field}.memory_id", "EVIDENCE_INVALID", "must be a UUID")
        else:
            if memory_id in seen:
                yield Violation(f"{field}.memory_id", "EVIDENCE_INVALID", "occurs twice")
            seen.add(memory_id)
        if not 1 <= len(memory.content) <= MAX_CONTENT_CHARS:
            yield Violation(f"{field}.content", "EVIDENCE_INVALID", f"must have 1 to {MAX_CONTENT_CHARS} characters")
        if not 0 <= memory.score < math.inf:
            yield Violation(f"{field}.score", "EVIDENCE_INVALID", "must be a number, 0 or more")
        if memory.metadata:
            for found in metadata.violations_of(memory.metadata):
                yield Violation(f"{field}.metadata", "EVIDENCE_INVALID", found.description)


def _source(memory: pb.Evidence) -> Source:
    kind = wire.kind_of(memory.kind, "task.evidence.kind")
    until = wire.instant(memory, "held_until")
    moments = (wire.instant(memory, "observed_at"), wire.instant(memory, "recorded_at"), until)
    beside = [(name, getattr(memory, name)) for name in _BESIDE if memory.HasField(name)]
    return Source(
        memory.content,
        (*beside, *_scalars(memory.metadata)),
        tuple(moment.isoformat() for moment in moments if moment is not None),
        memory.source_ref if memory.HasField("source_ref") else None,
        kind.value if kind else "",
        memory.score if memory.HasField("score") else None,
        until.isoformat() if until else None,
        memory.lasts and memory.HasField("observed_at"),
    )


def _scalars(text: str) -> Iterator[tuple[str, str]]:
    """Yield the top-level scalars of a metadata text as they were written, strings without their quotes."""
    for key, value in (metadata.parse_literals(text) if text else {}).items():
        if isinstance(value, bool):
            yield key, "true" if value else "false"
        elif isinstance(value, str):  # a number is kept as the text it was
            yield key, str(value)


def _contested(finding: Contradiction, markers: Mapping[UUID, int]) -> Contested:
    resolution = finding.resolution
    return Contested(
        tuple(_side(value, markers) for value in finding.values),
        finding.attribute,
        finding.subject,
        _told(resolution.recommended_value) if finding.HasField("resolution") else None,
        (resolution.rule or None) if finding.HasField("resolution") else None,
    )


def _side(value: AssertedValue, markers: Mapping[UUID, int]) -> ContestedSide:
    carriers = {UUID(memory_id) for memory_id in (value.memory_id, *value.carrier_memory_ids)}
    moment = wire.instant(value, "observed_at") or wire.instant(value, "recorded_at")
    cited = tuple(marker for memory_id, marker in markers.items() if memory_id in carriers)
    return ContestedSide(_told(value.value), cited, moment.date().isoformat() if moment else None)


def _told(raw: str) -> str:
    """Return a value as it is read: a string without its quotes, anything else as it was written."""
    return str(json.loads(raw)) if raw.startswith('"') else raw

"""The evidence a model is given: recalled memories as delimited JSON, which their content cannot leave.

Rules: memories are numbered from 1 as they will be cited; kind, dates and source stand beside the content. All content
together is cut to a budget, longest first, and what was cut says so. Inside the delimiters no "<", ">" or "&" is
written raw, nor any control or invisible character: nothing in a memory, its metadata or its source name can close the
delimiter, open another, or hide. The delimiters are fixed, so that a prompt can name them.
It does not know prompts or models.
Source: REQUIREMENTS B11; RFC 8259 escapes.
"""

import json
import re
import unicodedata
from collections.abc import Sequence

from shared.domain.guard import Contested
from shared.domain.support import Source

EVIDENCE_OPEN = "<evidence>"
EVIDENCE_CLOSE = "</evidence>"
CONTENT_MAX_CHARS = 16_000  # of all memories together, about 4,000 tokens (chosen, untested)
FIELD_MAX_CHARS = 400  # of one metadata value or source name (chosen, untested)
METADATA_MAX_ENTRIES = 32  # of one memory (chosen, untested)

_RAW = re.compile(r"[<>&]|[^\x20-\x7e]")
_HIDDEN_CATEGORIES = frozenset(("Cc", "Cf", "Co", "Cs", "Zl", "Zp"))


def evidence(
    question: str,
    memories: Sequence[Source],
    contested: Sequence[Contested] = (),
    *,
    content_max_chars: int = CONTENT_MAX_CHARS,
    said: Sequence[tuple[str, str]] = (),
    today: str | None = None,
) -> str:
    """Return the question and the memories as one delimited JSON object; of a talk also what was `said`, by whom.

    Units: `content_max_chars` counts characters of memories before escaping; `today` is a day.
    """
    budgets = shares([len(memory.text) for memory in memories], content_max_chars)
    entries = [
        _entry(number, memory, share, contested)
        for number, (memory, share) in enumerate(zip(memories, budgets, strict=True), 1)
    ]
    talk: dict[str, object] = {"today": today} if today else {}
    if said:
        talk["conversation"] = [{"who": who, "text": text} for who, text in said]
    written = json.dumps(
        {**talk, "question": question, "memories": entries}, ensure_ascii=False, separators=(",", ":"), sort_keys=False
    )
    return f"{EVIDENCE_OPEN}\n{_RAW.sub(_escaped, written)}\n{EVIDENCE_CLOSE}"


def _entry(number: int, memory: Source, share: int, contested: Sequence[Contested]) -> dict[str, object]:
    entry: dict[str, object] = {
        "marker": number,
        "kind": memory.kind,
        "dates": list(memory.dates),
        "source": _cut(memory.source_ref, FIELD_MAX_CHARS) if memory.source_ref else None,
        "content": memory.text[:share],
    }
    if memory.lasts:
        entry["since"] = memory.dates[0]
    if memory.until:
        entry["until"] = memory.until
    if share < len(memory.text):
        entry["cut"] = True
    if memory.metadata:
        kept = memory.metadata[:METADATA_MAX_ENTRIES]
        entry["metadata"] = {_cut(key, FIELD_MAX_CHARS): _cut(value, FIELD_MAX_CHARS) for key, value in kept}
    conflicts = [_conflict(conflict) for conflict in contested if number in conflict.markers]
    if conflicts:
        entry["contested"] = conflicts
    return entry


def _conflict(conflict: Contested) -> dict[str, object]:
    return {
        "record": _cut(conflict.record, FIELD_MAX_CHARS),
        "attribute": _cut(conflict.attribute, FIELD_MAX_CHARS),
        "values": [
            {"value": _cut(side.value, FIELD_MAX_CHARS), "markers": list(side.markers), "date": side.day}
            for side in conflict.sides
        ],
        "policyWouldTrust": conflict.recommended,
        "rule": conflict.rule,
    }


def shares(lengths: Sequence[int], budget: int) -> list[int]:
    """Share a budget: what is short is whole, what is long gets an equal part of the rest."""
    given = [0] * len(lengths)
    left = max(budget, 0)
    for rank, i in enumerate(sorted(range(len(lengths)), key=lambda i: (lengths[i], i))):
        given[i] = min(lengths[i], left // (len(lengths) - rank))
        left -= given[i]
    return given


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    if character not in "<>&" and unicodedata.category(character) not in _HIDDEN_CATEGORIES:
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))

"""A memory of an archive as the draft that its revision is derived from again.

Rules: what its writer gave is checked as when it was written; ids that the product itself put there (sources, what it
was derived from) and the tags of digests are not counted. An erased memory has no draft.
"""

from dataclasses import replace

from shared.domain.archive import Record
from shared.domain.draft import check
from shared.domain.types import Draft, Guard, MemoryState


def draft_of(record: Record) -> Draft | None:
    """Return the draft of a line of the part memory; None: it was erased.

    Raises: InvalidArgument as writing a memory does, with fields named below `record`.
    """
    if record["state"] == MemoryState.ERASED:
        return None
    draft = check(
        kind=record["kind"],
        content=record["content"],
        company=record.get("company"),
        period=record.get("period"),
        record=record.get("record"),
        source_ref=record.get("source_ref"),
        counterparty=record.get("counterparty"),
        speaker=record.get("speaker"),
        session=record.get("session"),
        metadata_json=record["metadata"],
        importance=record.get("importance"),
        pinned=record["pinned"],
        observed_at=record.get("valid_from"),
        expires_at=record.get("expires_at"),
        memory_type=record["memory_type"],
        references=record["refs"],
        protection=Guard(record["protection"]),
        prefix="record.",
    )
    return replace(
        draft,
        tags=tuple(dict.fromkeys(record["tags"])),
        derived_from=tuple(record["derived_from"]),
        source_memory_ids=tuple(record["source_memory_ids"]),
    )

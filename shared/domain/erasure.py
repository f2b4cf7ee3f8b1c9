"""What goes with a memory that is erased, and what comes back.

Rules: text that came out of recall repeats what was recalled, and a digest tells what all its sources tell: either goes
with one of them. Any other memory that was read from sources goes when the last of them does. Where what spoke for a
merged memory is gone and the merged memory is not, it speaks for itself again.
It does not know content, tables or the database.
Source: REQUIREMENTS D6.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from shared.domain.types import MemoryState, MemoryType


@dataclass(frozen=True, slots=True)
class Kin:
    """A memory as far as it hangs on others."""

    memory_id: UUID
    memory_type: MemoryType
    state: MemoryState
    sources: frozenset[UUID]
    derived_from: frozenset[UUID]
    superseded_by: UUID | None

    def goes_with(self, erased: Collection[UUID]) -> bool:
        """Tell whether it must be erased with these."""
        if self.state is MemoryState.ERASED:
            return False
        if any(memory_id in erased for memory_id in self.derived_from):
            return True
        gone = [memory_id for memory_id in self.sources if memory_id in erased]
        return bool(gone) and (self.memory_type is MemoryType.CONSOLIDATED or len(gone) == len(self.sources))


def spread(erased: Collection[UUID], kin: Iterable[Kin]) -> frozenset[UUID]:
    """Return all that is erased, those that were chosen among them; `kin` may tell of memories that stay."""
    gone, rest = set(erased), list(kin)
    while more := {one.memory_id for one in rest if one.memory_id not in gone and one.goes_with(gone)}:
        gone |= more
    return frozenset(gone)


def revived(erased: Collection[UUID], kin: Iterable[Kin]) -> frozenset[UUID]:
    """Return the merged memories that nothing speaks for any more."""
    return frozenset(
        one.memory_id
        for one in kin
        if one.state is MemoryState.MERGED and one.superseded_by in erased and one.memory_id not in erased
    )

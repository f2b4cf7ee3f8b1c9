"""What a recall tells of a conflict: the same finding as the audit's, with fewer of its values.

Rules: the first values stay, the oldest, and the recommended one always; how many there are is told as it is. It does
not judge.
Source: REQUIREMENTS B8.
"""

from dataclasses import replace

from shared.domain.findings import Contradiction


def shortened(contradiction: Contradiction, most: int) -> Contradiction:
    """Return a contradiction with at most so many of its values."""
    values = contradiction.values
    if len(values) <= most:
        return contradiction
    recommended = contradiction.resolution.recommended_memory_id
    kept = values[:most]
    if all(value.memory_id != recommended for value in kept):
        kept = (*kept[:-1], *(value for value in values if value.memory_id == recommended))
    return replace(contradiction, values=kept)

"""How much a statement matters, how it ages and what protects it, by rules alone.

Rules: deterministic. It does not know models, salience or the database.
Source: REQUIREMENTS D2, D3.
"""

import re
from collections.abc import Sequence

from shared.domain.extraction.facts import Importance, Weighed
from shared.domain.types import Guard, MemoryType

_SAFETY = re.compile(r"\b(?:allerg\w*|epilep\w*|asthma|medication|blood type|emergency)\b", re.IGNORECASE)
_REMEMBER = re.compile(r"\b(?:remember|don't forget|important)\b", re.IGNORECASE)


def weigh(statements: Sequence[Weighed]) -> tuple[Importance, ...]:
    """Return the importance of every statement, in order."""
    return tuple(map(_weigh, statements))


def _weigh(statement: Weighed) -> Importance:
    said = f"{statement.text} {statement.evidence}"
    if _SAFETY.search(said):
        return Importance(0.95, MemoryType.SEMANTIC, Guard.SAFETY, "health or safety")
    if _REMEMBER.search(said):
        return Importance(0.85, MemoryType.SEMANTIC, Guard.EXPLICIT, "the user asked for it to be remembered")
    if statement.slot:
        return Importance(0.6, MemoryType.SEMANTIC, Guard.NONE, "a fact about the user")
    return Importance(0.2, MemoryType.EPISODIC, Guard.NONE, "nothing lasting")

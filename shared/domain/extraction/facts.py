"""What a turn is to an extractor, what it finds in it, and how much a statement matters.

Rules: a fact without a slot has neither value nor former value. A single-valued slot is named `slot.<name>`, one of
several values `slots.<name>`. `ends` with a single-valued slot leaves it without a value (`value` is empty); with
several values it is `value` that is none of them any more. Instants are aware.
It does not know how a text is read (reader.py) nor what becomes of a fact.
Source: REQUIREMENTS C2, D3; candor.judge.v1.ExtractionService.
"""

from dataclasses import dataclass
from datetime import datetime

from shared.domain.types import Guard, MemoryType

SINGLE, SEVERAL = "slot.", "slots."
USER = "user"


@dataclass(frozen=True, slots=True)
class Known:
    """A value that is held of a slot now; `subject` is empty for the user."""

    slot: str
    value: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn: the user's words are the evidence, all else is context."""

    user_text: str
    observed_at: datetime
    assistant_text: str = ""
    speaker: str = USER
    known: tuple[Known, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something the user told. `subject` is empty for the user; `slot` is empty for a statement that fills none."""

    text: str
    evidence: str
    valid_from: datetime
    valid_to: datetime | None = None
    subject: str = ""
    slot: str = ""
    value: str = ""
    former_value: str = ""
    ends: bool = False
    corrects: bool = False

    @property
    def multi(self) -> bool:
        """Whether several values of the slot hold at a time."""
        return self.slot.startswith(SEVERAL)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A statement to weigh: its text, the slot it fills, and the words it was derived from."""

    text: str
    slot: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Importance:
    """How much a statement matters, in [0, 1], how it ages, what protects it, and why."""

    importance: float
    memory_type: MemoryType
    protection: Guard
    reason: str

"""What a rule found in a sentence, before it becomes a fact; and the sentence itself as rules see it.

Rules: a finding names its slot, value and subject; days stand as marks in it. It does not know how a fact is written.
"""

from dataclasses import dataclass
from datetime import date

from shared.domain.extraction.facts import Known
from shared.domain.extraction.moments import Moment


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the user: verbatim, written out, plain, in clauses; its days are marks.

    `lower`: it has no capitals at all; `kept`: it asks to be remembered.
    """

    verbatim: str
    written: str
    plain: str
    clauses: tuple[str, ...]
    moments: tuple[Moment, ...]
    today: date
    lower: bool = False
    kept: bool = False
    known: tuple[Known, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A value of a slot. `day` is the mark of the day that is the value; `says` tells it other than usual.

    `general`: read by the user's own noun alone.
    """

    slot: str
    value: str
    subject: str = ""
    former: str = ""
    ends: bool = False
    says: str = ""
    noun: str = ""
    rest: str = ""
    day: str = ""
    general: bool = False

    @property
    def place(self) -> tuple[str, str]:
        """Return what it is a value of."""
        return self.subject, self.slot

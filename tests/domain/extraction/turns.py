"""What the tests of the extractor share: a turn at a fixed time, and findings in short form.

Rules: `told` gives every slotted fact as "subject|slot=value", "<former" behind it where one is named, and "!" where
the slot ends. It does not know what is expected.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from shared.domain.extraction.facts import Fact, Heard, Known
from shared.domain.extraction.reader import extract

AT = datetime(2026, 4, 1, 9, 30, tzinfo=UTC)  # a Wednesday


def facts(text: str, known: Mapping[str, str] | None = None, assistant: str = "") -> tuple[Fact, ...]:
    """Return the facts of a turn; `known` are values that the user's slots hold."""
    held = tuple(Known(slot, value) for slot, value in (known or {}).items())
    return extract(Heard(text, AT, assistant, known=held))


def told(text: str, known: Mapping[str, str] | None = None) -> list[str]:
    """Return the slotted facts of a turn in short form."""
    return [short(fact) for fact in facts(text, known) if fact.slot]


def short(fact: Fact) -> str:
    """Return a fact in short form."""
    former = f"<{fact.former_value}" if fact.former_value else ""
    return f"{fact.subject}|{fact.slot}={fact.value}{former}{'!' if fact.ends else ''}"

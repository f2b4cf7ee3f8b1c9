"""The guided tour: the steps from an empty memory to a decision that was taken back.

Rules: a step is done by doing it, wherever on the pages that happens; nothing is skipped. It does not know pages
beyond their paths.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

COMPANY = "Northwind Trading"
RECORD = "INV-5521"
QUESTION = f"What do we owe on {RECORD}?"
_ASK = "/ask?" + urlencode({"q": QUESTION})
_CONFLICTS = "/conflicts?" + urlencode({"company": COMPANY})


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what is done, why, and where."""

    event: str
    name: str
    text: str
    path: str
    action: str


STEPS = (
    Step(
        "seeded",
        "Bring an example",
        f"The memory of {COMPANY}, a made-up company, is written into yours: a payroll with its papers, invoices, "
        "what was heard in passing. Two memories of one invoice disagree.",
        "/tour",
        "Begin",
    ),
    Step("asked", "Ask", "Ask what is owed on an invoice that memory heard of twice.", _ASK, "Ask what we owe"),
    Step(
        "saw",
        "See both sides",
        "The answer tells both amounts, because memory disagrees with itself. See who said what, and when.",
        _CONFLICTS,
        "See both sides",
    ),
    Step(
        "decided",
        "Trust one side",
        "Read the recommendation, write a reason, and trust the recommended side. The other one is not deleted.",
        _CONFLICTS + "#fields",
        "To the conflict",
    ),
    Step("asked", "Ask again", "The same question now has one answer.", _ASK, "Ask again"),
    Step(
        "undone",
        "Undo",
        "Every decision can be taken back, and everything is then as it was before.",
        _CONFLICTS + "#decisions",
        "To the decision",
    ),
)
FINISHED = len(STEPS) + 1


def step(number: int) -> Step | None:
    """Return the step that is next; None off the tour and at its end."""
    return STEPS[number - 1] if 1 <= number <= len(STEPS) else None


def after(number: int, event: str) -> int:
    """Return the step that is next once something has been done."""
    due = step(number)
    return number + 1 if due and due.event == event else number

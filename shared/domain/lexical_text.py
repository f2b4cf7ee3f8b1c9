"""What the lexical arm reads of a memory beside its content: the labels and dates a question may name.

Rules: speaker, company, record, source, counterparty, tags, period and the day of `observed_at` in UTC. Session, kind
and metadata are filters, not words; numbers in metadata are found through assertions.
It does not know terms (lexicon.py).
Source: REQUIREMENTS B1, B2. The day is worth 1.9 points of R@10 on LoCoMo evidence (measured).
"""

from shared.domain.figures import utc_day
from shared.domain.types import Draft


def labels_text(draft: Draft) -> str:
    """Return the text of a memory's labels and day."""
    day = utc_day(draft.observed_at) if draft.observed_at else None
    labels = (draft.speaker, draft.company, draft.record, draft.source_ref, draft.counterparty, *draft.tags)
    return "\n".join(part for part in (*labels, draft.period, day) if part)

"""What the lexical arm reads of a memory: its words, and the labels and dates a question may name.

Rules: speaker, company, record, source, counterparty, tags, content, period and the day of `observed_at`. Session, kind
and metadata are filters, not words; numbers in metadata are found through assertions.
It does not know terms (tokens.py).
Source: REQUIREMENTS B1, B2.
"""

from shared.domain import tokens
from shared.domain.types import Draft


def lexical_text(draft: Draft) -> str:
    """Return the text whose terms stand for a memory in the lexical arm."""
    labels = (draft.speaker, draft.company, draft.record, draft.source_ref, draft.counterparty, *draft.tags)
    return tokens.lexical_text(draft.content, labels=(*labels, draft.period), valid_from=draft.observed_at)

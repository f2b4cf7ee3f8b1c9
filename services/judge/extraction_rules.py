"""The local extractor: the rules of shared/domain/extraction behind the contract.

Rules: it costs no tokens and never fails. It does not know the rules.
Source: REQUIREMENTS D3.
"""

import asyncio
from collections.abc import Sequence

from services.judge.provider import Usage
from shared.domain.extraction.facts import Fact, Heard, Importance, Weighed
from shared.domain.extraction.importance import weigh
from shared.domain.extraction.reader import extract

MODEL = "rule-extractor-1"
RULES_VERSION = "2"

THREAD_FROM_CHARS = 500
"""Longer texts would hold up the event loop: a hundred characters take 1 to 20 ms (measured)."""


class RuleExtractor:
    """Implements Extractor in this process."""

    model = MODEL
    extract_version = weigh_version = RULES_VERSION

    async def extract(self, heard: Heard) -> tuple[tuple[Fact, ...], Usage]:
        """Find the facts of a turn."""
        if len(heard.user_text) < THREAD_FROM_CHARS:
            return extract(heard), Usage()
        return await asyncio.to_thread(extract, heard), Usage()

    async def weigh(self, statements: Sequence[Weighed]) -> tuple[tuple[Importance, ...], Usage]:
        """Weigh statements."""
        if sum(len(each.text) + len(each.evidence) for each in statements) < THREAD_FROM_CHARS:
            return weigh(statements), Usage()
        return await asyncio.to_thread(weigh, statements), Usage()

"""The local summarizer: the texts that say something the others do not, behind the contract.

Rules: it costs no tokens, never fails and loses no word but stop words. Source: REQUIREMENTS D4.
"""

from collections.abc import Sequence

from services.judge.provider import Usage
from services.judge.summaries import Summaries
from shared.domain.digest import joined


class RuleSummarizer:
    """Implements Summarizer in this process."""

    model, prompt_version = "rule-summarizer-1", "1"

    async def summarize(self, statements: Sequence[str]) -> tuple[str, Usage]:
        """Say in one text what the statements say."""
        return joined(statements), Usage()


def service() -> Summaries:
    """Return SummariesService with the rules."""
    return Summaries(RuleSummarizer())

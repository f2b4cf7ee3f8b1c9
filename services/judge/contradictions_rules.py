"""The local judge of meaning: the rules of shared/domain/meaning behind the contract.

Rules: what the rules are not sure enough of to report counts as consistent. It costs no tokens and never fails; a text
too long to be judged is inconclusive, as with a model. It does not know the rules.
Source: REQUIREMENTS C6.
"""

import asyncio

from services.judge.contradictions_pair import Pair, Verdict, Word
from services.judge.provider import Usage
from shared.domain.meaning.judge import JUDGE_VERSION, MeaningVerdict, Stated, judge_pair

MODEL = "rule-judge-3"

THREAD_FROM_CHARS = 2_000
"""Of both statements together: longer ones would hold up the event loop. Chosen, untested."""

_VERDICTS = {
    MeaningVerdict.CONTRADICTION: Verdict.CONTRADICTION,
    MeaningVerdict.SUPERSEDED: Verdict.SUPERSEDED,
    MeaningVerdict.CONSISTENT: Verdict.CONSISTENT,
}


class RuleJudge:
    """Implements MeaningJudge in this process."""

    model = MODEL
    prompt_version = JUDGE_VERSION

    async def judge(self, pair: Pair, seconds: float) -> tuple[Word, Usage]:
        """Judge one pair."""
        first, second = (
            Stated(side.text, side.subject, side.period, side.observed_at, side.kind)
            for side in (pair.first, pair.second)
        )
        is_long = len(first.text) + len(second.text) >= THREAD_FROM_CHARS
        said = await asyncio.to_thread(judge_pair, first, second) if is_long else judge_pair(first, second)
        verdict = _VERDICTS[said.verdict] if said.reported else Verdict.CONSISTENT
        return Word(verdict, said.confidence, f"{said.rule}: {said.reason}"), Usage()

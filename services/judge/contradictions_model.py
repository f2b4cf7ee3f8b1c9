"""The judge of meaning that is a generative model: what it is asked, and how its answer is read.

Rules: one call for one pair, so that no pair colours another. The statements are data between two marks that they
cannot contain; the older one comes first, whatever the order of the request, so that a pair is asked in one way only.
An answer has exactly the three keys and values of their kind: anything else is refused with words that name it, asked
again a bounded number of times, then inconclusive. So is every error, and every answer that comes too late.
It does not know the provider.
Source: REQUIREMENTS C5, C6.
"""

from datetime import UTC, datetime
from typing import Any, Final

from services.judge.answer_text import shown
from services.judge.contradictions_pair import Pair, Statement, Verdict, Word, inconclusive, plain
from services.judge.prompts import AGAIN, delimited, version, wording
from services.judge.provider import Cause, ChatModel, Json, Limits, Prompt, Purpose, Usage, Wrong
from shared.domain.errors import CandorError

_WORDING: Final = wording("contradictions")
PROMPT_VERSION: Final = version(_WORDING, AGAIN)
_SAYABLE = (Verdict.CONTRADICTION, Verdict.SUPERSEDED, Verdict.CONSISTENT)
_KEYS = ("verdict", "confidence", "reason")
_NOT_OBSERVED = datetime.min.replace(tzinfo=UTC)

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": [verdict.value for verdict in _SAYABLE]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "reason": {"type": "string"},
    },
    "required": list(_KEYS),
    "additionalProperties": False,
}


class ModelJudge:
    """Implements MeaningJudge with a generative model."""

    prompt_version = PROMPT_VERSION

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.model = chat.name

    async def judge(self, pair: Pair, seconds: float) -> tuple[Word, Usage]:
        """Judge one pair, or say why there is no verdict."""
        limits = Limits(deadline_seconds=seconds)
        try:
            answer = await self._chat.complete_json(Purpose.CONTRADICTION, prompt(pair), SCHEMA, read, limits)
        except CandorError as error:
            late = error.metadata.get("cause") == Cause.TIMEOUT
            return inconclusive("TIME_EXCEEDED" if late else error.reason, error.message), Usage()
        return answer.value, answer.usage


def prompt(pair: Pair) -> Prompt:
    """Return what is asked of a pair."""
    earlier, later = sorted((pair.first, pair.second), key=_order)
    return Prompt(_WORDING.text, delimited({"earlier": _data(earlier), "later": _data(later)}))


def read(value: Json) -> Word | Wrong:
    """Read an answer strictly."""
    if not isinstance(value, dict):
        return Wrong(("the answer is not a JSON object",))
    messages = [f"the key {shown(key)} is missing" for key in _KEYS if key not in value]
    messages += [f"there is no key {shown(key)}" for key in value if key not in _KEYS][:4]
    verdict, confidence, reason = (value.get(key) for key in _KEYS)
    if "verdict" in value and verdict not in [each.value for each in _SAYABLE]:
        messages.append("the verdict is none of contradiction, superseded, consistent")
    # A boolean is an int to Python.
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        messages += ["the confidence is not a number"] if "confidence" in value else []
    elif not 0 <= confidence <= 1:
        messages.append("the confidence is not between 0 and 1")
    if "reason" in value and not (isinstance(reason, str) and plain(reason)):
        messages.append("the reason is not a text, or empty")
    if messages or isinstance(confidence, bool) or not isinstance(confidence, int | float):
        return Wrong(tuple(messages))
    return Word(Verdict(str(verdict)), float(confidence), plain(str(reason)))


def _order(side: Statement) -> tuple[datetime, str, str, str]:
    return side.observed_at or _NOT_OBSERVED, side.text, side.subject or "", side.period or ""


def _data(side: Statement) -> dict[str, str]:
    told = {
        "text": side.text,
        "subject": side.subject,
        "period": side.period,
        "observedAt": side.observed_at.isoformat() if side.observed_at else None,
        "kind": side.kind,
    }
    return {name: text for name, text in told.items() if text}

"""The summarizer that is a generative model: what it is asked, and how its answers are read.

Rules: an answer is one text under one key; what it lost or made up (shared/domain/rewording.py) is told to the model,
which is asked again a bounded number of times, then a typed error. It does not know the provider.
Source: REQUIREMENTS C6, D4.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final

from services.judge.answer_text import shown
from services.judge.prompts import AGAIN, delimited, version, wording
from services.judge.provider import ChatModel, Json, Prompt, Purpose, Usage, Wrong
from services.judge.summaries import Summaries
from shared.domain.rewording import faults

_SUMMARIZE = wording("summarize")
SUMMARIZE_VERSION: Final = version(_SUMMARIZE, AGAIN)
MAX_MESSAGES = 8  # of one answer's faults that are told; chosen, untested
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


class ModelSummarizer:
    """Implements Summarizer with a generative model."""

    prompt_version = SUMMARIZE_VERSION

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.model = chat.name

    async def summarize(self, statements: Sequence[str]) -> tuple[str, Usage]:
        """Say in one text what the statements say. Raises: as ChatModel."""
        prompt = Prompt(_SUMMARIZE.text, delimited({"statements": list(statements)}))
        answer = await self._chat.complete_json(Purpose.SUMMARY, prompt, SCHEMA, _reader(statements))
        return answer.value, answer.usage


def service(chat: ChatModel) -> Summaries:
    """Return SummariesService with a model."""
    return Summaries(ModelSummarizer(chat))


def text_of(value: Json, statements: Sequence[str]) -> str | Wrong:
    """Read an answer."""
    if not isinstance(value, dict):
        return Wrong(("the answer is not a JSON object",))
    messages = [
        f"there is no key {shown(key)}" for key in islice((key for key in value if key != "text"), MAX_MESSAGES)
    ]
    text = value.get("text")
    if not isinstance(text, str):
        messages.insert(0, "text is not a text" if "text" in value else 'the key "text" is missing')
    elif not messages:
        text = " ".join(text.split())
        messages += islice(faults(statements, text), MAX_MESSAGES)
        if not messages:
            return text
    return Wrong(tuple(messages[:MAX_MESSAGES]))


def _reader(statements: Sequence[str]) -> Callable[[Json], str | Wrong]:
    def read(value: Json) -> str | Wrong:
        return text_of(value, statements)

    return read

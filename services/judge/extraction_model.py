"""The extractor that is a generative model: what it is asked, and how its answers are read.

Rules: one call for a turn, one for all statements. An answer has exactly the keys that were asked for, with values of
their kind: anything else is refused with words that name it, asked for again a bounded number of times, then a typed
error. Nothing is filled in, clamped or read as what it is not: the text "false" is no boolean. Evidence must stand in
the user's own words, so that nothing that was recalled or invented becomes a fact. It does not know the provider.
Source: REQUIREMENTS C6, D3.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from services.judge.extraction_answer import facts_of, importances_of
from services.judge.prompts import AGAIN, delimited, version, wording
from services.judge.provider import ChatModel, Json, Prompt, Purpose, Usage, Wrong
from shared.domain.extraction.facts import Fact, Heard, Importance, Weighed
from shared.domain.types import Guard

_EXTRACT, _WEIGH = wording("extract"), wording("importance")
EXTRACT_VERSION: Final = version(_EXTRACT, AGAIN)
WEIGH_VERSION: Final = version(_WEIGH, AGAIN)

_TEXTS = ("text", "subject", "slot", "value", "former", "since", "until", "evidence")
_FLAGS = ("ends", "corrects")
_FACT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in _TEXTS} | {name: {"type": "boolean"} for name in _FLAGS},
    "required": [*_TEXTS, *_FLAGS],
    "additionalProperties": False,
}
FACTS_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": _FACT}},
    "required": ["facts"],
    "additionalProperties": False,
}
_SCORE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "importance": {"type": "number", "minimum": 0, "maximum": 1},
        "type": {"type": "string", "enum": ["episodic", "semantic"]},
        "protection": {"type": "string", "enum": [guard.value for guard in Guard]},
        "reason": {"type": "string"},
    },
    "required": ["importance", "type", "protection", "reason"],
    "additionalProperties": False,
}


class ModelExtractor:
    """Implements Extractor with a generative model."""

    extract_version, weigh_version = EXTRACT_VERSION, WEIGH_VERSION

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.model = chat.name

    async def extract(self, heard: Heard) -> tuple[tuple[Fact, ...], Usage]:
        """Find the facts of a turn. Raises: as ChatModel."""

        def read(value: Json) -> tuple[Fact, ...] | Wrong:
            return facts_of(value, heard)

        answer = await self._chat.complete_json(Purpose.EXTRACTION, extract_prompt(heard), FACTS_SCHEMA, read)
        return answer.value, answer.usage

    async def weigh(self, statements: Sequence[Weighed]) -> tuple[tuple[Importance, ...], Usage]:
        """Weigh statements. Raises: as ChatModel."""
        count = len(statements)
        answer = await self._chat.complete_json(
            Purpose.IMPORTANCE, weigh_prompt(statements), scores_schema(count), _reader(count)
        )
        return answer.value, answer.usage


def extract_prompt(heard: Heard) -> Prompt:
    """Return what is asked of a turn."""
    data = {
        "user": heard.user_text,
        "assistant": heard.assistant_text,
        "speaker": heard.speaker,
        "observedAt": heard.observed_at.isoformat(),
        "known": [{"subject": each.subject, "slot": each.slot, "value": each.value} for each in heard.known],
    }
    return Prompt(_EXTRACT.text, delimited(data))


def weigh_prompt(statements: Sequence[Weighed]) -> Prompt:
    """Return what is asked of statements."""
    listed = [_data(index, each) for index, each in enumerate(statements, 1)]
    return Prompt(_WEIGH.text, delimited({"statements": listed}))


def scores_schema(count: int) -> dict[str, Any]:
    """Return the JSON schema of an answer for `count` statements."""
    keys = [str(index) for index in range(1, count + 1)]
    return {
        "type": "object",
        "properties": dict.fromkeys(keys, _SCORE),
        "required": keys,
        "additionalProperties": False,
    }


def _data(index: int, statement: Weighed) -> dict[str, object]:
    told = {"index": index, "text": statement.text, "slot": statement.slot, "evidence": statement.evidence}
    return {name: value for name, value in told.items() if value}


def _reader(count: int) -> Callable[[Json], tuple[Importance, ...] | Wrong]:
    def read(value: Json) -> tuple[Importance, ...] | Wrong:
        return importances_of(value, count)

    return read

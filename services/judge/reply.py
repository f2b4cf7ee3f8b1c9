"""A chat completion as it comes over HTTP, read with suspicion.

Rules: a body that is not a completion is an error; a count of tokens that is not one counts as 0. Reasoning that comes
in a field of its own is not part of the answer. It does not know what was asked.
Source: the API reference of OpenAI's chat completions.
"""

from collections.abc import Mapping

import orjson

from services.judge.provider import NotACompletion, Reply, Usage

MAX_COUNTED_TOKENS = 100_000_000
"""A larger count is a fault of the provider's, and would not fit the contract. Chosen, untested."""


def reply_of(body: bytes) -> Reply:
    """Read a whole completion.

    Raises: NotACompletion.
    """
    try:
        parsed = orjson.loads(body)
        choice = parsed["choices"][0]
        message = choice["message"]
        text, finish = message.get("content"), choice.get("finish_reason")
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise NotACompletion("the body is not a chat completion") from error
    if not (text is None or isinstance(text, str)):
        raise NotACompletion("the content is not a text")
    return Reply(text or "", _word(finish), usage_of(parsed.get("usage")), declined=bool(message.get("refusal")))


def piece_of(chunk: Mapping[str, object]) -> Reply:
    """Read one chunk of a stream: its piece of the text, and the end and the cost where it brings them.

    Raises: NotACompletion.
    """
    usage = usage_of(chunk.get("usage"), calls=0)
    choices = chunk.get("choices")
    if choices == []:
        return Reply("", "", usage)
    try:
        choice = choices[0]  # type: ignore[index]  # what is not a list is caught
        delta = choice.get("delta") or {}
        text = delta.get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise NotACompletion("a chunk is not one of a chat completion") from error
    if not (text is None or isinstance(text, str)):
        raise NotACompletion("the content is not a text")
    return Reply(text or "", _word(choice.get("finish_reason")), usage, declined=bool(delta.get("refusal")))


def usage_of(counted: object, *, calls: int = 1) -> Usage:
    """Read the cost of a call."""
    counts = counted if isinstance(counted, Mapping) else {}
    return Usage(_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")), calls)


def _count(value: object) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and isinstance(value, int) and 0 <= value <= MAX_COUNTED_TOKENS else 0


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""

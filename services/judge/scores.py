"""The model's scores for a question's candidates: how they are asked for, and how the answer is read.

Rules: one call for all candidates; the answer is one object with exactly one key for each, counted from 1, and a number
in [0, 1] for each key. Whatever else comes is refused with words that name it: nothing is filled in, clamped or read
out of a text. Candidates are data: JSON between two marks that they cannot contain.
It does not know what is done with equal scores.
Source: REQUIREMENTS B10.
"""

from collections.abc import Callable, Sequence
from typing import Any

from services.judge.answer_text import shown
from services.judge.prompts import AGAIN, delimited, version, wording
from services.judge.provider import Json, Prompt, Wrong

MAX_CANDIDATE_CHARS = 4_000
"""Of a candidate's text, as the reference cuts it."""

MAX_MESSAGES = 8
"""Of one answer's faults that are told. Chosen, untested."""

_RERANK = wording("rerank")
PROMPT_VERSION = version(_RERANK, AGAIN)


def prompt(question: str, texts: Sequence[str]) -> Prompt:
    """Return what is asked."""
    candidates = [{"index": index, "text": text[:MAX_CANDIDATE_CHARS]} for index, text in enumerate(texts, 1)]
    return Prompt(_RERANK.text, delimited({"question": question, "candidates": candidates}))


def schema(count: int) -> dict[str, Any]:
    """Return the JSON schema of an answer for `count` candidates."""
    keys = [str(index) for index in range(1, count + 1)]
    score = {"type": "number", "minimum": 0, "maximum": 1}
    return {"type": "object", "properties": dict.fromkeys(keys, score), "required": keys, "additionalProperties": False}


def reader(count: int) -> Callable[[Json], list[float] | Wrong]:
    """Return what reads an answer for `count` candidates into their scores, in order."""
    keys = [str(index) for index in range(1, count + 1)]

    def read(value: Json) -> list[float] | Wrong:
        if not isinstance(value, dict):
            return Wrong(("the answer is not a JSON object",))
        messages = [f"the score of candidate {key} is missing" for key in keys if key not in value]
        messages += [f"there is no candidate {shown(key)}" for key in value if key not in keys]
        scores: list[float] = []
        for key in keys:
            score = value.get(key)
            # A boolean is an int to Python, and 1.0 to a careless reader.
            if isinstance(score, bool) or not isinstance(score, int | float):
                if key in value:
                    messages.append(f"the score of candidate {key} is not a number")
            elif not 0 <= score <= 1:
                messages.append(f"the score of candidate {key} is not between 0 and 1")
            else:
                scores.append(float(score))
        return Wrong(tuple(messages[:MAX_MESSAGES])) if messages else scores

    return read

"""What a model is asked in one step of an agent, and how its answer is read: one call of a tool, or the answer.

Rules: task, tools and results are data between marks. An answer that is neither or both is wrong and told so. Whether
a tool exists is not decided here: whoever runs it says so. It does not know the provider.
Source: REQUIREMENTS F1, C6.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from candor.judge.v1 import agent_pb2 as pb

from services.judge.answer_text import NotJson, parse
from services.judge.prompts import AGAIN, delimited, version, wording
from services.judge.provider import Json, Prompt, Wrong

_AGENT = wording("agent")
PROMPT_VERSION: Final = version(_AGENT, AGAIN)
TOOL_MAX_CHARS, ARGUMENTS_MAX_CHARS, ANSWER_MAX_CHARS = 100, 8_000, 16_000  # the contract's
_KEYS = ("tool", "arguments", "answer")
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {key: {"type": "string"} for key in _KEYS},
    "required": list(_KEYS),
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next: `tool` with `arguments`, a JSON object; or, where it is empty, the answer."""

    tool: str
    arguments: str
    answer: str


def prompt(question: str, calls: Sequence[pb.AgentCall], tools: Sequence[pb.AgentTool], turns_left: int) -> Prompt:
    """Return what is asked."""
    data = {
        "task": question,
        "tools": [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in tools],
        "calls": [{"tool": c.tool, "arguments": c.arguments, "result": c.result, "isError": c.is_error} for c in calls],
        "turnsLeft": turns_left,
    }
    return Prompt(_AGENT.text, delimited(data))


def read(value: Json) -> Step | Wrong:
    """Read an answer."""
    if not isinstance(value, dict):
        return Wrong(("the answer is not a JSON object",))
    tool, answer = value.get("tool") or "", value.get("answer") or ""
    if not isinstance(tool, str) or not isinstance(answer, str):
        return Wrong(("tool and answer must be texts",))
    tool, answer = tool.strip(), answer.strip()
    if bool(tool) == bool(answer):
        return Wrong(("give either a tool to call or an answer, and leave the other empty",))
    if "\0" in tool + answer or len(answer) > ANSWER_MAX_CHARS or len(tool) > TOOL_MAX_CHARS:
        return Wrong((f"an answer has at most {ANSWER_MAX_CHARS} characters, the name of a tool {TOOL_MAX_CHARS}",))
    return Step("", "", answer) if answer else _call(tool, value.get("arguments"))


def _call(tool: str, given: Json) -> Step | Wrong:
    text = json.dumps(given, ensure_ascii=False) if isinstance(given, dict) else given or "{}"
    if not isinstance(text, str):
        return Wrong(("arguments must be a JSON object, written as a text",))
    try:
        found = parse(text)
    except NotJson as error:
        return Wrong((f"arguments: {error}",))
    if not isinstance(found, dict) or not text.lstrip().startswith("{"):
        return Wrong(("arguments must be a JSON object, without anything around it",))
    if len(text) > ARGUMENTS_MAX_CHARS:
        return Wrong((f"arguments must have at most {ARGUMENTS_MAX_CHARS} characters",))
    return Step(tool, text.strip(), "")

"""A chat model of ours over the real client, against the misbehaving server."""

from collections.abc import Mapping
from typing import Any

from services.judge.chat import Chat, ChatPolicy
from services.judge.openai_provider import CallPolicy, OpenAIProvider, Quirks
from tests.openai_server import OpenAIServer

MODEL = "test-model"
CALLS = CallPolicy(attempts=3)


def chat(
    server: OpenAIServer | str,
    policy: ChatPolicy = ChatPolicy(),  # noqa: B008  # frozen
    *,
    calls: CallPolicy = CALLS,
    quirks: Quirks = Quirks(),  # noqa: B008  # frozen
) -> Chat:
    base_url = server if isinstance(server, str) else server.base_url
    transport = OpenAIProvider(base_url=base_url, api_key="a-key", model=MODEL, quirks=quirks, policy=calls)
    return Chat(transport, policy)


def said(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the roles and texts of a request's messages."""
    return [(message["role"], message["content"]) for message in body["messages"]]

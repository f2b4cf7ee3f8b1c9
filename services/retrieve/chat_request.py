"""What a user says in a talk: the request of a chat, checked.

Rules: every wrong field is named. Without a session a new one is begun. It does not know how a reply comes about.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from candor.retrieve.v1 import chat_pb2 as pb

from services.retrieve.answer_request import REQUEST_ID_MAX_CHARS
from services.retrieve.filters import Reader
from services.retrieve.recall import query_text
from shared.rpc import context as calls
from shared.rpc import wire

Request: TypeAlias = pb.ChatRequest | pb.StreamChatRequest

DEFAULT_TOKEN_BUDGET, TOKEN_BUDGET_LEAST, TOKEN_BUDGET_MAX = 2_000, 100, 16_000  # the contract's
USER, ASSISTANT = "user", "assistant"  # speakers


@dataclass(frozen=True, slots=True)
class Saying:
    """A checked request."""

    tenant_id: UUID
    actor: str
    request_id: str
    message: str
    session: str
    speaker: str
    token_budget: int
    max_total_tokens: int
    reinforce: bool


def saying_of(request: Request, new_id: Callable[[], UUID]) -> Saying:
    """Check a request. Raises: InvalidArgument naming every wrong field."""
    tenant_id = wire.tenant(request)
    reader = Reader(request)
    message = query_text(reader, "message", request.message)
    session, speaker = reader.label("session"), reader.label("speaker")
    token_budget = request.token_budget if request.HasField("token_budget") else DEFAULT_TOKEN_BUDGET
    if not TOKEN_BUDGET_LEAST <= token_budget <= TOKEN_BUDGET_MAX:
        told = f"must be between {TOKEN_BUDGET_LEAST} and {TOKEN_BUDGET_MAX}"
        reader.refuse("token_budget", "TOKEN_BUDGET_OUT_OF_RANGE", told)
    if request.max_total_tokens < 0:
        reader.refuse("max_total_tokens", "TOKENS_OUT_OF_RANGE", "must not be negative")
    if len(request.request_id) > REQUEST_ID_MAX_CHARS:
        reader.refuse("request_id", "REQUEST_ID_TOO_LONG", f"must have at most {REQUEST_ID_MAX_CHARS} characters")
    if speaker == ASSISTANT:
        reader.refuse("speaker", "SPEAKER_INVALID", f"{ASSISTANT} is who replies")
    reader.check()
    call = calls.current()
    return Saying(
        tenant_id,
        request.actor,
        request.request_id or (call.request_id if call else str(new_id())),
        message,
        session or str(new_id()),
        speaker or USER,
        token_budget,
        request.max_total_tokens,
        request.reinforce if request.HasField("reinforce") else True,
    )

"""The generative models of the API, from the settings. It does not know what they are asked."""

from services.judge.chat import Chat, ChatPolicy
from services.judge.openai_provider import CallPolicy, OpenAIProvider, Quirks
from shared.config import Settings
from shared.rpc.server import StartRefused


def chat(settings: Settings, model: str) -> Chat:
    """Return one model. Raises: StartRefused without a key."""
    return _chat(
        settings, model, settings.chat_timeout_seconds, settings.chat_deadline_seconds, settings.chat_max_tokens
    )


def reader(settings: Settings, model: str) -> Chat:
    """Return one model for documents, whose answers are longer. Raises: StartRefused without a key."""
    seconds = settings.document_deadline_seconds
    return _chat(settings, model, seconds, seconds, settings.document_max_tokens)


def _chat(settings: Settings, model: str, timeout_seconds: float, deadline_seconds: float, max_tokens: int) -> Chat:
    key = settings.openai_api_key.get_secret_value()
    if not key:
        raise StartRefused("the online judge needs OPENAI_API_KEY")
    transport = OpenAIProvider(
        base_url=settings.openai_base_url,
        api_key=key,
        model=model,
        quirks=Quirks(
            settings.judge_structured_output,
            settings.chat_temperature,
            settings.chat_tokens_parameter,
            settings.chat_extra_body,
        ),
        policy=CallPolicy(timeout_seconds=timeout_seconds),
    )
    policy = ChatPolicy(
        deadline_seconds=deadline_seconds,
        max_tokens=max_tokens,
        concurrent_calls=settings.chat_concurrent_calls,
        waiting_calls=settings.chat_waiting_calls,
    )
    return Chat(transport, policy)

"""Starts judge: the only role that asks generative models, or the local rules in their place."""

from services.judge.chat import Chat, ChatPolicy
from services.judge.local_narrator import NAME, LocalNarrator
from services.judge.models import LOCAL_JUDGE, NARRATION, RERANK, Models, Role
from services.judge.narration import Narration
from services.judge.narrator import ModelNarrator
from services.judge.openai_provider import CallPolicy, OpenAIProvider, Quirks
from services.judge.rerank import Rerank
from shared.config import Settings
from shared.rpc.server import Host, StartRefused, run
from shared.stemmer import stemmer


async def mount(host: Host) -> None:
    """Serve with the configured model, or with the local rules."""
    settings = host.settings
    if settings.judges_online:
        model = _online(settings)
        host.close_with(model.close)
        roles = [Role(name, model.name, local=False, ready=model.ready) for name in (NARRATION, RERANK)]
        host.add(Rerank(model, timeout_seconds=settings.rerank_timeout_seconds))
        host.add(Narration(ModelNarrator(model)))
    else:
        host.local_stand_in("judge")
        roles = [Role(NARRATION, NAME)]
        host.add(Rerank(None, timeout_seconds=settings.rerank_timeout_seconds))
        host.add(Narration(LocalNarrator(stemmer())))
    host.add(Models([LOCAL_JUDGE, *roles]))


def _online(settings: Settings) -> Chat:
    key = settings.openai_api_key.get_secret_value()
    if not key:
        raise StartRefused("the online judge needs OPENAI_API_KEY")
    transport = OpenAIProvider(
        base_url=settings.openai_base_url,
        api_key=key,
        model=settings.chat_model,
        quirks=Quirks(
            settings.judge_structured_output,
            settings.chat_temperature,
            settings.chat_tokens_parameter,
            settings.chat_extra_body,
        ),
        policy=CallPolicy(timeout_seconds=settings.chat_timeout_seconds),
    )
    policy = ChatPolicy(
        deadline_seconds=settings.chat_deadline_seconds,
        max_tokens=settings.chat_max_tokens,
        concurrent_calls=settings.chat_concurrent_calls,
        waiting_calls=settings.chat_waiting_calls,
    )
    return Chat(transport, policy)


if __name__ == "__main__":
    run("judge", mount)

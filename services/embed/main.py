"""The mount of embed: settings → provider → embedder → servicer."""

from services.embed.cache import Embedder
from services.embed.embeddings import Embeddings
from services.embed.onnx_provider import OnnxProvider
from services.embed.openai_provider import CallPolicy, OpenAIProvider
from services.embed.provider import Generation, Provider, StartUpCheck
from shared.config import ProviderChoice, Settings
from shared.domain.errors import CandorError
from shared.rpc.server import Host, StartRefused, run

CACHE_BYTES = 64 * 1024 * 1024
"""About 33,000 vectors of 384 dimensions, 14,000 of 1,024. Chosen, untested."""


async def mount(host: Host) -> None:
    """Serve embeddings of the configured generation, or refuse to."""
    try:
        provider = _provider(host)
        embedder = Embedder(provider, CACHE_BYTES)
        host.close_with(embedder.close)
        check = StartUpCheck(provider)
        await check.refuse_mismatch()
    except CandorError as error:
        raise StartRefused(error.message) from error
    host.check("embedder", check)
    host.add(Embeddings(embedder))


def _provider(host: Host) -> Provider:
    settings = host.settings
    has_key = bool(settings.openai_api_key.get_secret_value())
    if settings.embed_provider is ProviderChoice.LOCAL or (
        settings.embed_provider is ProviderChoice.AUTO and not has_key
    ):
        host.local_stand_in("embed")
        return OnnxProvider(settings.embed_threads)
    if not has_key:
        raise StartRefused("the online embedder needs OPENAI_API_KEY")
    return _online(settings)


def _online(settings: Settings) -> OpenAIProvider:
    return OpenAIProvider(
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key.get_secret_value(),
        generation=Generation(settings.embed_model, settings.embed_dimensions),
        ask_dimensions=settings.embed_ask_dimensions,
        policy=CallPolicy(
            batch_texts=settings.embed_batch_texts,
            attempt_timeout_seconds=settings.embed_timeout_seconds / 2,
            deadline_seconds=settings.embed_timeout_seconds,
        ),
    )


if __name__ == "__main__":
    run("embed", mount)

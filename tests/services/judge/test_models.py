"""judge says which models it uses, and its mount gives each part to the configured one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest
from candor.judge.v1.models_pb2 import GetModelsRequest, Model
from candor.judge.v1.rerank_pb2 import Candidate, RerankMemoriesRequest
from pydantic import SecretStr, ValidationError

from services.judge.contradictions_model import PROMPT_VERSION
from services.judge.extraction_model import EXTRACT_VERSION
from services.judge.extraction_rules import RULES_VERSION
from services.judge.main import mount
from services.judge.models import Models, Role
from shared import config
from shared.domain.errors import FailedPrecondition
from shared.domain.meaning.judge import JUDGE_VERSION
from shared.rpc import clients, probe
from shared.rpc.server import StartRefused, start
from tests.openai_server import CHAT, Behaviour, OpenAIServer
from tests.services.running import role

pytestmark = pytest.mark.anyio

ASKED = RerankMemoriesRequest(
    tenant_id="00000000-0000-0000-0000-000000000007",
    question="q",
    candidates=[Candidate(memory_id="m", text="t")],
)


@asynccontextmanager
async def judge(settings: config.Settings) -> AsyncIterator[grpc.aio.Channel]:
    running = await start("judge", mount, settings)
    try:
        async with clients.channel(f"127.0.0.1:{running.port}", caller="test") as channel:
            yield channel
    finally:
        await running.stop()


async def models(channel: grpc.aio.Channel) -> list[Model]:
    return list((await clients.models(channel).GetModels(GetModelsRequest())).models)


async def test_models_are_sorted_by_role_and_say_whether_they_are_ready() -> None:
    roles = [Role("meaning", "rules"), Role("chat", "m", local=False, ready=lambda: False)]
    async with role("judge", Models(roles)) as channel:
        assert await models(channel) == [
            Model(role="chat", model="m", local=False, ready=False),
            Model(role="meaning", model="rules", local=True, ready=True),
        ]


async def test_with_a_key_the_configured_model_narrates_and_reranks(server: OpenAIServer) -> None:
    settings = config.Settings(
        openai_base_url=server.base_url,
        openai_api_key=SecretStr("a-key"),
        chat_model="some-model",
        judge_model="a-judge",
        extract_model="an-extractor",
        chat_extra_body={"enable_thinking": False},
        drain_seconds=0.2,
    )
    async with judge(settings) as channel:
        assert await probe.is_serving(channel)
        assert await models(channel) == [
            Model(role="extraction", model="an-extractor", local=False, ready=True, prompt_version=EXTRACT_VERSION),
            Model(role="meaning", model="a-judge", local=False, ready=True, prompt_version=PROMPT_VERSION),
            Model(role="narration", model="some-model", local=False, ready=True),
            Model(role="rerank", model="some-model", local=False, ready=True),
        ]
        server.next(CHAT, Behaviour.UNAUTHORIZED)
        with pytest.raises(grpc.aio.AioRpcError):
            await clients.reranker(channel).RerankMemories(ASKED)
        assert [model.ready for model in await models(channel)] == [True, True, False, False]
        server.say('{"1": 0.5}')
        assert (await clients.reranker(channel).RerankMemories(ASKED)).model == "some-model"
        assert all(model.ready for model in await models(channel))
    body = server.bodies()[-1]
    assert (body["model"], body["enable_thinking"], body["temperature"]) == ("some-model", False, 0.0)


async def test_without_a_key_rules_narrate_and_nothing_reranks() -> None:
    async with judge(config.Settings(judge_provider=config.ProviderChoice.LOCAL, drain_seconds=0.2)) as channel:
        assert await models(channel) == [
            Model(role="extraction", model="rule-extractor-1", local=True, ready=True, prompt_version=RULES_VERSION),
            Model(role="meaning", model="rule-judge-3", local=True, ready=True, prompt_version=JUDGE_VERSION),
            Model(role="narration", model="extractive-narrator-1", local=True, ready=True),
        ]
        with pytest.raises(FailedPrecondition, match="no model"), clients.rpc_errors():
            await clients.reranker(channel).RerankMemories(ASKED)


async def test_an_online_judge_without_a_key_does_not_start() -> None:
    settings = config.Settings(judge_provider=config.ProviderChoice.OPENAI, openai_api_key=SecretStr(""))
    with pytest.raises(StartRefused, match="OPENAI_API_KEY"):
        await start("judge", mount, settings)


PRODUCTION = config.Environment.PRODUCTION


@pytest.mark.parametrize(
    ("env", "base_url", "hosts"),
    [
        (PRODUCTION, "https://models.example.org/v1", ""),
        (PRODUCTION, "http://dashscope.aliyuncs.com/compatible-mode/v1", ""),
        (PRODUCTION, "https://dashscope.aliyuncs.com@example.org/v1", ""),
        (PRODUCTION, "https://maas.aliyuncs.com.example.org/v1", ""),
        (PRODUCTION, "https://dashscope.aliyuncs.com/v1", "models.example.org"),
        (config.Environment.DEVELOPMENT, "https://other.example.org/v1", "models.example.org"),
    ],
)
def test_a_host_that_is_not_allowed_refuses_the_settings(env: config.Environment, base_url: str, hosts: str) -> None:
    with pytest.raises(ValidationError, match="CANDOR_MODEL_HOSTS"):
        config.Settings(env=env, openai_base_url=base_url, model_hosts=hosts)  # type: ignore[arg-type]  # read as text


@pytest.mark.parametrize(
    ("env", "base_url", "hosts"),
    [
        (PRODUCTION, "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", ""),
        (PRODUCTION, "https://ws-1.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1", ""),
        (PRODUCTION, "http://models.internal:8000/v1", "models.internal"),
        (PRODUCTION, "https://a.example.org/v1", "models.internal, *.example.org"),
        (config.Environment.DEVELOPMENT, "http://127.0.0.1:9/v1", ""),
    ],
)
def test_a_host_that_is_allowed_does_not(env: config.Environment, base_url: str, hosts: str) -> None:
    settings = config.Settings(env=env, openai_base_url=base_url, model_hosts=hosts)  # type: ignore[arg-type]
    assert settings.openai_base_url == base_url

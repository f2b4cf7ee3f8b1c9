"""judge says which models it would use."""

import pytest
from candor.judge.v1.models_pb2 import GetModelsRequest, Model

from services.judge.main import mount
from services.judge.models import LOCAL_JUDGE, Models
from shared import config
from shared.rpc import clients, probe, server
from tests.services.running import role

pytestmark = pytest.mark.anyio


async def test_the_local_judge_is_there_and_says_so() -> None:
    running = await server.start("judge", mount, config.Settings())
    try:
        async with clients.channel(f"127.0.0.1:{running.port}", caller="test") as channel:
            answer = await clients.models(channel).GetModels(GetModelsRequest())
            assert await probe.is_serving(channel)
    finally:
        await running.stop()
    assert list(answer.models) == [Model(role="meaning", model="rule-judge-1", local=True, ready=True)]


async def test_models_are_sorted_by_role() -> None:
    async with role("judge", Models([LOCAL_JUDGE, Model(role="chat", model="m")])) as channel:
        answer = await clients.models(channel).GetModels(GetModelsRequest())
    assert [model.role for model in answer.models] == ["chat", "meaning"]

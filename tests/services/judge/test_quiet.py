"""What people asked and stored stays out of the log, also where the provider repeats it in its own error."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPT = """
import asyncio

from candor.judge.v1.rerank_pb2 import Candidate, RerankMemoriesRequest

from services.judge.rerank import Rerank
from shared.rpc import clients, logs
from tests.openai_server import CHAT, Behaviour, OpenAIServer
from tests.services.judge.model import chat
from tests.services.running import role

logs.configure("debug")
asked = RerankMemoriesRequest(
    tenant_id="00000000-0000-0000-0000-000000000007",
    question="the secret question",
    candidates=[Candidate(memory_id="m", text="the secret memory")],
)


async def main():
    with OpenAIServer() as server:
        server.next(CHAT, Behaviour.SERVER_ERROR, Behaviour.OK, Behaviour.BAD_REQUEST)
        server.say("the secret answer", '{"1": 0.5}')
        model = chat(server)
        async with role("judge", Rerank(model, timeout_seconds=10)) as channel:
            for _ in range(2):
                try:
                    await clients.reranker(channel).RerankMemories(asked)
                except Exception as error:
                    print(repr(error))
        await model.close()
        assert len(server.received) >= 3


asyncio.run(main())
"""


def test_no_content_reaches_the_log() -> None:
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert '"reason": "MODEL_REFUSED"' in run.stdout
    assert "secret" not in run.stdout + run.stderr

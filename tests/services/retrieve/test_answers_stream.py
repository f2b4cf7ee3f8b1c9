"""Streamed answers: their order, what may still change, and callers that go away."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field

import pytest
from candor.judge.v1 import narrate_pb2 as judge
from candor.judge.v1.narrate_pb2_grpc import NarrationServiceServicer
from candor.retrieve.v1 import answer_pb2 as pb

from shared.domain.draft import check
from shared.domain.types import Draft
from shared.rpc import clients
from shared.rpc.context import Context
from shared.store import migrate
from tests.openai_server import CHAT, Behaviour, OpenAIServer
from tests.services.retrieve.answering import Answering, Uses, answering, local_judge
from tests.services.retrieve.serving import MINE, NOW, vector_of

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("retries_at_once")]

QUESTION = "what does INV-5521 amount to?"
AMOUNT = check(kind="invoice", content="Invoice INV-5521 amounts to EUR 8,400.")
APPROVED = check(kind="note", content="Invoice INV-5521 was approved.")
SENTENCES = ["Invoice INV-5521 amounts to EUR 8,400 [1]. ", "Invoice INV-5521 was approved [2]."]
LIE = "It was paid on 3 May 2026 [1]."


async def remember(served: Answering, *drafts: Draft) -> list[str]:
    vectors = [vector_of(str(number)) for number, _ in enumerate(drafts)]
    served.embedder.vectors[QUESTION] = vectors[0]
    return [str(memory_id) for memory_id in await served.mine.add(drafts, NOW, vectors)]


def kinds(messages: list[pb.StreamAnswerResponse]) -> list[str | None]:
    return [message.WhichOneof("item") for message in messages]


@pytest.fixture
async def served(database: migrate.Dsns, server: OpenAIServer) -> AsyncIterator[Answering]:
    async with answering(database, model=server) as made:
        await remember(made, AMOUNT, APPROVED)
        yield made


async def test_first_what_was_found_then_sentences_then_the_whole(server: OpenAIServer, served: Answering) -> None:
    server.say("".join(SENTENCES), "".join(SENTENCES))
    found, *texts, last = await served.stream(QUESTION)
    assert [text.text for text in texts] == SENTENCES
    assert last.answer.answer == "".join(SENTENCES)
    whole = await served.answer(QUESTION)
    assert list(found.found.hits) == list(whole.hits)
    assert found.found.retrieval == whole.retrieval
    assert found.found.consistency == whole.consistency
    for name in ("answer", "citations", "model_id", "grounding"):
        assert getattr(last.answer, name) == getattr(whole, name)
    assert last.answer.usage.calls == whole.usage.calls == 1
    assert last.answer.usage.completion_tokens == whole.usage.completion_tokens


async def test_what_was_found_is_sent_before_the_model_has_answered(server: OpenAIServer, served: Answering) -> None:
    server.next(CHAT, Behaviour.HELD)
    server.say("".join(SENTENCES))
    call = clients.answers(served.via).StreamAnswer(
        pb.StreamAnswerRequest(tenant_id=str(MINE), question=QUESTION, rerank=False)
    )
    messages = aiter(call)
    assert (await anext(messages)).WhichOneof("item") == "found"
    server.release()
    assert kinds([message async for message in messages]) == ["text", "text", "answer"]


async def test_a_lie_is_never_streamed_and_the_last_message_counts(server: OpenAIServer, served: Answering) -> None:
    server.say(SENTENCES[0] + LIE, SENTENCES[0].strip())
    _, *texts, last = await served.stream(QUESTION)
    assert [text.text for text in texts] == SENTENCES[:1]
    assert last.answer.answer == SENTENCES[0].strip()
    assert last.answer.grounding.status == pb.GROUNDING_STATUS_REPAIRED
    server.say(SENTENCES[0] + LIE, LIE)
    _, *texts, last = await served.stream(QUESTION)
    assert [text.text for text in texts] == SENTENCES[:1]
    assert last.answer.degradation_code == "grounding_figure_unsupported"


@pytest.mark.parametrize("behaviour", [Behaviour.UNFINISHED_STREAM, Behaviour.ERROR_IN_STREAM, Behaviour.BROKEN_CHUNK])
async def test_a_model_that_breaks_off_leaves_the_list(
    server: OpenAIServer, served: Answering, behaviour: Behaviour
) -> None:
    server.next(CHAT, behaviour)
    server.say(SENTENCES[0] + "And so it goes on and on, as far as anybody can tell, without any end. " * 3)
    messages = await served.stream(QUESTION)
    assert kinds(messages)[-1] == "answer"
    told = messages[-1].answer
    assert told.degradation_code in ("upstream_unavailable", "model_answer_invalid")
    assert "EUR 8,400. [1]" in told.answer


async def test_the_local_narrator_streams_too(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        await remember(served, AMOUNT, APPROVED)
        messages = await served.stream(QUESTION)
    assert kinds(messages) == ["found", "text", "answer"]
    assert messages[1].text == messages[2].answer.answer


@dataclass
class Endless(NarrationServiceServicer):
    """Says one sentence and then nothing; notes when it is told to stop."""

    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    async def NarrateAnswer(self, request: judge.NarrateAnswerRequest, context: Context) -> judge.NarrateAnswerResponse:
        raise NotImplementedError

    async def StreamNarration(
        self, request: judge.StreamNarrationRequest, context: Context
    ) -> AsyncGenerator[judge.StreamNarrationResponse, None]:
        try:
            yield judge.StreamNarrationResponse(text="It is so. ")
            await asyncio.Event().wait()
        finally:
            self.stopped.set()


async def test_a_caller_that_goes_away_stops_the_narrator(database: migrate.Dsns) -> None:
    endless, uses = Endless(), Uses()
    async with answering(database, endless, uses=uses) as served:
        await remember(served, AMOUNT)
        request = pb.StreamAnswerRequest(tenant_id=str(MINE), question=QUESTION, rerank=False)
        call = clients.answers(served.via).StreamAnswer(request)
        messages = aiter(call)
        assert [(await anext(messages)).WhichOneof("item") for _ in range(2)] == ["found", "text"]
        call.cancel()
        async with asyncio.timeout(10):
            await endless.stopped.wait()
    assert uses.requests == []  # it was never told to the end

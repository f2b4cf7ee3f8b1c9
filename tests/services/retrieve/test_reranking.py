"""Reranking by a model behind judge: its order where it answers well, else the fused order and a reason."""

from collections.abc import AsyncIterator, Sequence

import pytest
from candor.judge.v1 import rerank_pb2 as judge
from candor.judge.v1.rerank_pb2_grpc import RerankServiceServicer
from candor.retrieve.v1 import recall_pb2 as pb

from shared.domain.draft import check
from shared.rpc.context import Context
from shared.store import migrate
from tests.openai_server import CHAT, Behaviour, OpenAIServer
from tests.services.judge.model import MODEL
from tests.services.retrieve.answering import Answering, answering, local_judge
from tests.services.retrieve.serving import NOW, vector_of

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("retries_at_once")]

QUERY = "zebra"


async def remember(served: Answering, count: int) -> list[str]:
    """Write memories that the fused order ranks as they are written, the first best."""
    near = vector_of(QUERY)
    served.embedder.vectors[QUERY] = near
    drafts = [check(kind="note", content=f"animal number {n}", company="Zoo") for n in range(count)]
    vectors = [near + 0.05 * n * vector_of("far") for n in range(count)]
    return [str(memory_id) for memory_id in await served.mine.add(drafts, NOW, vectors)]


def order(response: pb.RecallMemoriesResponse) -> list[str]:
    return [hit.memory.id for hit in response.hits]


def scoring(scores: Sequence[float]) -> str:
    return "{" + ", ".join(f'"{number}": {score}' for number, score in enumerate(scores, 1)) + "}"


@pytest.fixture
async def served(database: migrate.Dsns, server: OpenAIServer) -> AsyncIterator[Answering]:
    async with answering(database, model=server) as made:
        yield made


async def test_the_models_order_counts_and_the_fused_score_breaks_ties(server: OpenAIServer, served: Answering) -> None:
    a, b, c, d = await remember(served, 4)
    fused = await served.recall(QUERY)
    assert order(fused) == [a, b, c, d]
    assert fused.retrieval.reranker.status == pb.RERANK_STATUS_DISABLED
    server.say(scoring([0.2, 0.7, 0.7, 0.9]))
    response = await served.recall(QUERY, rerank=True)
    assert order(response) == [d, b, c, a]
    told = response.retrieval.reranker
    assert (told.status, told.model_id, told.reason) == (pb.RERANK_STATUS_APPLIED, MODEL, "")
    by_id = {hit.memory.id: hit for hit in response.hits}
    for hit, model in zip((by_id[a], by_id[b], by_id[c], by_id[d]), (0.2, 0.7, 0.7, 0.9), strict=True):
        assert hit.explanation.reranked == model
        assert hit.score == pytest.approx((model + 0.1 * hit.explanation.fused) / 1.1)
    scored = [hit.score for hit in response.hits]
    assert scored == sorted(scored, reverse=True)
    (body,) = server.bodies()
    assert "(Zoo) animal number 0" in body["messages"][1]["content"]


async def test_more_hits_are_read_by_the_model_than_are_kept(server: OpenAIServer, served: Answering) -> None:
    ids = await remember(served, 25)
    server.say(scoring([n / 10 for n in range(8)]), scoring([n / 20 for n in range(20)]))
    assert order(await served.recall(QUERY, rerank=True, limit=2)) == [ids[7], ids[6]]
    # Of more than twenty the rest keeps its order behind them.
    assert order(await served.recall(QUERY, rerank=True, limit=25)) == [*reversed(ids[:20]), *ids[20:]]


async def test_each_page_is_ordered_by_the_model_and_none_is_lost(server: OpenAIServer, served: Answering) -> None:
    a, b, c, d, e = await remember(served, 5)
    server.say(scoring([0.1, 0.2, 0.3, 0.4, 0.5]), scoring([0.9, 0.1, 0.3]))
    first = await served.recall(QUERY, rerank=True, limit=2)
    second = await served.recall(QUERY, rerank=True, limit=2, page_token=first.next_page_token)
    third = await served.recall(QUERY, rerank=True, limit=2, page_token=second.next_page_token)
    assert [order(page) for page in (first, second, third)] == [[e, d], [a, c], [b]]
    assert third.next_page_token == ""


async def test_conflicts_are_those_of_the_hits_that_are_kept(server: OpenAIServer, served: Answering) -> None:
    near = vector_of(QUERY)
    served.embedder.vectors[QUERY] = near
    sides = [
        check(
            kind="note",
            content=f"R-{record} is {n}",
            record=f"R-{record}",
            metadata_json=f'{{"n": {n}}}',
            session=str(n),
        )
        for record in (1, 2)
        for n in (1, 2)
    ]
    await served.mine.add(sides, NOW, [near, near + vector_of("x"), near + 0.1 * vector_of("y"), near + vector_of("z")])
    server.say(scoring([0.1, 0.9, 0.2, 0.2]))
    response = await served.recall(QUERY, rerank=True, limit=1)
    assert [hit.memory.record for hit in response.hits] == ["R-2"]
    assert [conflict.subject for conflict in response.conflicts] == ["R-2"]


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (Behaviour.EMPTY_JSON, "MODEL_ANSWER_INVALID"),
        (Behaviour.MISSING_KEY, "MODEL_ANSWER_INVALID"),
        (Behaviour.FALSE_AS_TEXT, "MODEL_ANSWER_INVALID"),
        (Behaviour.NOT_A_NUMBER, "MODEL_ANSWER_INVALID"),
        (Behaviour.OUT_OF_RANGE, "MODEL_ANSWER_INVALID"),
        (Behaviour.SCHEMA_ECHO, "MODEL_ANSWER_INVALID"),
        (Behaviour.RATE_LIMITED_LONG, "MODEL_UNAVAILABLE"),
        (Behaviour.SERVER_ERROR, "MODEL_UNAVAILABLE"),
        (Behaviour.DECLINED, "MODEL_REFUSED"),
    ],
)
async def test_a_reranker_that_fails_leaves_the_fused_order_and_says_why(
    server: OpenAIServer, served: Answering, behaviour: Behaviour, reason: str
) -> None:
    ids = await remember(served, 3)
    server.say_ever(scoring([0.1, 0.2, 0.3]))
    server.next(CHAT, *[behaviour] * 9)
    response = await served.recall(QUERY, rerank=True, limit=2)
    assert order(response) == ids[:2]
    assert (response.retrieval.reranker.status, response.retrieval.reranker.reason) == (
        pb.RERANK_STATUS_FALLBACK,
        reason,
    )
    assert not response.hits[0].explanation.HasField("reranked")
    assert response.hits[0].score == response.hits[0].explanation.fused


async def test_a_slow_reranker_is_not_waited_for(database: migrate.Dsns, server: OpenAIServer) -> None:
    server.next(CHAT, Behaviour.SLOW)
    async with answering(database, model=server, rerank_seconds=0.2) as served:
        ids = await remember(served, 2)
        response = await served.recall(QUERY, rerank=True)
        assert order(response) == ids
        assert response.retrieval.reranker.status == pb.RERANK_STATUS_FALLBACK
        assert response.retrieval.reranker.reason == "MODEL_UNAVAILABLE"
        assert response.retrieval.reranker.duration_ms >= 150
        server.forget()


async def test_of_fewer_than_two_there_is_one_order(server: OpenAIServer, served: Answering) -> None:
    assert (await served.recall(QUERY, rerank=True)).retrieval.reranker.status == pb.RERANK_STATUS_APPLIED
    (only,) = await remember(served, 1)
    response = await served.recall(QUERY, rerank=True)
    assert order(response) == [only]
    assert response.retrieval.reranker.status == pb.RERANK_STATUS_APPLIED
    assert server.received == []


async def test_without_a_model_there_is_no_reranking(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        ids = await remember(served, 3)
        response = await served.recall(QUERY, rerank=True)
        assert order(response) == ids
        assert response.retrieval.reranker.status == pb.RERANK_STATUS_DISABLED


class Careless(RerankServiceServicer):
    """A judge that leaves out a score."""

    async def RerankMemories(
        self, request: judge.RerankMemoriesRequest, context: Context
    ) -> judge.RerankMemoriesResponse:
        scores = [judge.Score(memory_id=candidate.memory_id, score=1.0) for candidate in request.candidates[1:]]
        return judge.RerankMemoriesResponse(scores=scores, model="careless")


async def test_a_map_that_is_not_full_does_not_count(database: migrate.Dsns) -> None:
    async with answering(database, Careless()) as served:
        ids = await remember(served, 3)
        response = await served.recall(QUERY, rerank=True)
    assert order(response) == ids
    assert response.retrieval.reranker.reason == "SCORES_INCOMPLETE"

"""AnswerService: a question answered from memory, in sentences that cite it.

Rules: recall, then rerank, then narrate; the first may fail, the others only degrade. Nothing found is said without a
call to a model. The memories that an answer cites count as used; those of a plain list do not.
It does not know how any of the three is done.
Source: REQUIREMENTS B9 to B12.
"""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime

from candor.judge.v1.narrate_pb2 import NarrationTask
from candor.retrieve.v1 import answer_pb2 as pb
from candor.retrieve.v1.answer_pb2_grpc import AnswerServiceServicer

from services.retrieve.answer_message import answer_message, found_message, whole_message
from services.retrieve.answer_request import Request, Wish, wish_of
from services.retrieve.evidence import EVIDENCE_MAX, Exhibit, exhibits, other_sides, task_of
from services.retrieve.narrating import NOTHING, Narrator, Told
from services.retrieve.predecessors import with_predecessors
from services.retrieve.ranking import Ranked
from services.retrieve.reinforcement import Reinforcement, Use
from services.retrieve.reranking import Reranker, Reranking
from shared.rpc import context as calls
from shared.rpc.context import Context
from shared.store.pool import Pool


@dataclass(frozen=True, slots=True)
class Case:
    """A question with everything that an answer may use."""

    wish: Wish
    ranked: Ranked
    reranking: Reranking
    evidence: tuple[Exhibit, ...]
    now: datetime
    started: float  # of time.perf_counter

    @property
    def task(self) -> NarrationTask:
        """What judge is asked."""
        asked, ceiling = self.wish.asked, self.wish.max_total_tokens
        left = max(1, ceiling - self.reranking.spent.tokens) if ceiling else 0
        return task_of(asked.text, self.evidence, self.ranked, asked.scope.tenant_id, left)


class Answers(AnswerServiceServicer):
    """Answers from the database of one pool, with the help of judge."""

    def __init__(
        self,
        pool: Pool,
        reranker: Reranker,
        narrator: Narrator,
        reinforcement: Reinforcement,
        now: Callable[[], datetime],
    ) -> None:
        self._pool = pool
        self._reranker = reranker
        self._narrator = narrator
        self._reinforcement = reinforcement
        self._now = now

    async def AnswerQuestion(self, request: pb.AnswerQuestionRequest, context: Context) -> pb.AnswerQuestionResponse:
        """Answer as a whole. Raises: InvalidArgument; as Ranker."""
        case = await self._case(request)
        told = NOTHING
        if case.evidence:
            told = await self._narrator.narrate(case.wish.asked.scope.tenant_id, case.task, case.evidence)
        return whole_message(_found(case), self._answer(case, told))

    async def StreamAnswer(
        self, request: pb.StreamAnswerRequest, context: Context
    ) -> AsyncGenerator[pb.StreamAnswerResponse, None]:
        """Answer as it comes. Raises: InvalidArgument; as Ranker, before the first message."""
        case = await self._case(request)
        yield pb.StreamAnswerResponse(found=_found(case))
        if not case.evidence:
            yield pb.StreamAnswerResponse(answer=self._answer(case, NOTHING))
            return
        async with aclosing(self._narrator.stream(case.wish.asked.scope.tenant_id, case.task, case.evidence)) as items:
            async for item in items:
                if isinstance(item, Told):
                    yield pb.StreamAnswerResponse(answer=self._answer(case, item))
                else:
                    yield pb.StreamAnswerResponse(text=item)

    async def _case(self, request: Request) -> Case:
        started, now = time.perf_counter(), self._now()
        wish = wish_of(request, now)
        asked, ceiling = wish.asked, wish.max_total_tokens
        ranked, reranking = await self._reranker.ranked(asked, now, rerank=wish.rerank, max_total_tokens=ceiling)
        ranked = await with_predecessors(self._pool, asked, ranked, reranking, most=EVIDENCE_MAX)
        sides = await other_sides(self._pool, asked.scope, ranked)
        return Case(wish, ranked, reranking, exhibits(ranked, reranking, sides), now, started)

    def _answer(self, case: Case, told: Told) -> pb.Answer:
        """Write the answer, and have what it cites reinforced, unless it only gives what comes nearest."""
        if case.wish.reinforce and not told.code and not told.nearest_only:
            self._reinforcement.note(_use(case, told.cited))
        milliseconds = round((time.perf_counter() - case.started) * 1000)
        return answer_message(told, case.evidence, case.reranking.spent + told.spent, milliseconds)


def _found(case: Case) -> pb.Found:
    return found_message(case.ranked, case.reranking, case.wish.asked.scope.tenant_id)


def _use(case: Case, cited: Sequence[int]) -> Use:
    call = calls.current()
    request_id = case.wish.request_id or (call.request_id if call else "")
    memory_ids = tuple(case.evidence[marker - 1].memory.memory_id for marker in cited)
    return Use(case.wish.asked.scope.tenant_id, request_id, memory_ids, case.now)

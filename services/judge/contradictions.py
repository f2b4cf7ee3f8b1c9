"""candor.judge.v1.ContradictionsService: checks the request, judges every pair by itself, and leaves none out.

Rules: one word for each pair, in order. A few pairs are judged at a time. A pair that is too long, that failed, or that
the caller's deadline left no time for is inconclusive and says so; it takes nothing from the others. It does not know
who judges, nor what becomes of a verdict.
Source: REQUIREMENTS C5, C6.
"""

import asyncio
from collections.abc import Sequence

from candor.judge.v1 import contradictions_pb2 as pb
from candor.judge.v1.contradictions_pb2_grpc import ContradictionsServiceServicer
from candor.memory.v1 import verdict_pb2

from services.judge.contradictions_pair import (
    MAX_STATEMENT_CHARS,
    TIME_EXCEEDED,
    TOO_LONG,
    MeaningJudge,
    Pair,
    Statement,
    Word,
    inconclusive,
)
from services.judge.provider import Usage
from services.judge.usage_message import usage_message
from shared.domain.errors import InvalidArgument, Violation
from shared.rpc import context as calls
from shared.rpc import wire
from shared.rpc.context import Context

MAX_PAIRS = 25
MIN_TIMEOUT_MS, MAX_TIMEOUT_MS = 250, 30_000

ANSWER_SECONDS = 0.5
"""Kept of the caller's deadline, so that what was judged still arrives. Chosen, untested."""


class Contradictions(ContradictionsServiceServicer):
    """Judges with one judge, `concurrent_pairs` at a time."""

    def __init__(self, judge: MeaningJudge, *, timeout_seconds: float, concurrent_pairs: int) -> None:
        self._judge = judge
        self._timeout_seconds = timeout_seconds
        self._concurrent_pairs = concurrent_pairs

    async def JudgeContradictions(
        self, request: pb.JudgeContradictionsRequest, context: Context
    ) -> pb.JudgeContradictionsResponse:
        """Judge every pair. Raises: InvalidArgument."""
        wire.tenant(request)
        pairs = _pairs(request.pairs)
        words = await self.judge_all(pairs, self._timeout(request.timeout_ms))
        usage = sum((usage for _, usage in words), Usage())
        return pb.JudgeContradictionsResponse(
            verdicts=[_message(word) for word, _ in words],
            model=self._judge.model,
            prompt_version=self._judge.prompt_version,
            usage=usage_message(usage),
        )

    async def judge_all(self, pairs: Sequence[Pair], seconds: float) -> list[tuple[Word, Usage]]:
        """Judge pairs, each within this many seconds, all within what the caller still waits."""
        call = calls.current()
        left = call.remaining_seconds() if call else None
        loop = asyncio.get_running_loop()
        until = None if left is None else loop.time() + left - ANSWER_SECONDS
        slots = asyncio.Semaphore(self._concurrent_pairs)

        async def one(pair: Pair) -> tuple[Word, Usage]:
            if any(len(side.text) > MAX_STATEMENT_CHARS for side in (pair.first, pair.second)):
                told = f"a statement has more than {MAX_STATEMENT_CHARS} characters"
                return inconclusive(TOO_LONG, told), Usage()
            async with slots:
                mine = seconds if until is None else min(seconds, until - loop.time())
                if mine <= 0:
                    return inconclusive(TIME_EXCEEDED, "the caller's deadline left no time for this pair"), Usage()
                return await self._judge.judge(pair, mine)

        return await asyncio.gather(*map(one, pairs))

    def _timeout(self, timeout_ms: int) -> float:
        if timeout_ms == 0:
            return self._timeout_seconds
        if not MIN_TIMEOUT_MS <= timeout_ms <= MAX_TIMEOUT_MS:
            told = f"must be from {MIN_TIMEOUT_MS} to {MAX_TIMEOUT_MS}, or absent"
            raise InvalidArgument.of("timeout_ms", "TIMEOUT_OUT_OF_RANGE", told)
        return timeout_ms / 1000


def _pairs(given: Sequence[pb.StatementPair]) -> list[Pair]:
    """Read the pairs. Raises: InvalidArgument."""
    if not given:
        raise InvalidArgument.of("pairs", "PAIRS_MISSING", "must have at least one")
    if len(given) > MAX_PAIRS:
        raise InvalidArgument.of("pairs", "PAIRS_TOO_MANY", f"must have at most {MAX_PAIRS}, has {len(given)}")
    empty = [
        Violation(f"pairs[{place}].{name}.text", "STATEMENT_EMPTY", "must not be empty")
        for place, pair in enumerate(given)
        for name, side in (("first", pair.first), ("second", pair.second))
        if not side.text.strip()
    ]
    if empty:
        raise InvalidArgument.of_all(tuple(empty))
    return [Pair(_statement(pair.first), _statement(pair.second)) for pair in given]


def _statement(side: pb.Statement) -> Statement:
    return Statement(
        side.text,
        side.subject if side.HasField("subject") else None,
        side.period if side.HasField("period") else None,
        wire.instant(side, "observed_at"),
        side.kind,
    )


def _message(word: Word) -> verdict_pb2.PairVerdict:
    number = verdict_pb2.Verdict.Value(f"VERDICT_{word.verdict.name}")
    return verdict_pb2.PairVerdict(verdict=number, confidence=word.confidence, reason=word.reason, cause=word.cause)

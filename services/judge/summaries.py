"""candor.judge.v1.SummariesService: checks the request and passes on a wording, or its error.

Rules: nothing is mended, cut or filled in. It does not know who words, nor what becomes of a wording.
Source: REQUIREMENTS C6, D4.
"""

from collections.abc import Sequence
from typing import Protocol

from candor.judge.v1 import summaries_pb2 as pb
from candor.judge.v1.summaries_pb2_grpc import SummariesServiceServicer

from services.judge.provider import Usage
from services.judge.usage_message import usage_message
from shared.domain.errors import InvalidArgument, Violation
from shared.rpc import wire
from shared.rpc.context import Context

STATEMENTS_MIN, STATEMENTS_MAX = 2, 50  # the contract's
STATEMENT_MAX_CHARS = 2_000  # the contract's


class Summarizer(Protocol):
    """Words statements of the same anew; safe to call concurrently. Raises as ChatModel where it is a model."""

    model: str
    prompt_version: str

    async def summarize(self, statements: Sequence[str]) -> tuple[str, Usage]:
        """Say in one text what the statements say."""
        ...


class Summaries(SummariesServiceServicer):
    """Summarizes with one summarizer."""

    def __init__(self, summarizer: Summarizer) -> None:
        self._summarizer = summarizer

    async def SummarizeCluster(
        self, request: pb.SummarizeClusterRequest, context: Context
    ) -> pb.SummarizeClusterResponse:
        """Say in one text what statements say. Raises: InvalidArgument; as ChatModel."""
        wire.tenant(request)
        text, usage = await self._summarizer.summarize(_statements(request.statements))
        return pb.SummarizeClusterResponse(
            text=text,
            model=self._summarizer.model,
            prompt_version=self._summarizer.prompt_version,
            usage=usage_message(usage),
        )


def _statements(given: Sequence[str]) -> list[str]:
    """Read statements. Raises: InvalidArgument."""
    if len(given) < STATEMENTS_MIN:
        told = f"must have at least {STATEMENTS_MIN}, has {len(given)}"
        raise InvalidArgument.of("statements", "STATEMENTS_TOO_FEW", told)
    if len(given) > STATEMENTS_MAX:
        told = f"must have at most {STATEMENTS_MAX}, has {len(given)}"
        raise InvalidArgument.of("statements", "STATEMENTS_TOO_MANY", told)
    wrong: list[Violation] = []
    for place, text in enumerate(given):
        if not text.strip():
            wrong.append(Violation(f"statements[{place}]", "STATEMENT_EMPTY", "must not be empty"))
        if len(text) > STATEMENT_MAX_CHARS:
            told = f"must have at most {STATEMENT_MAX_CHARS} characters"
            wrong.append(Violation(f"statements[{place}]", "STATEMENT_TOO_LONG", told))
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    return list(given)

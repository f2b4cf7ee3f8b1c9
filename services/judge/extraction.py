"""candor.judge.v1.ExtractionService: checks the request, reads a turn or weighs statements, and gives all or none.

Rules: nothing that the extractor could not read is filled in: its error is the answer. It does not know who extracts,
nor what becomes of a fact.
Source: REQUIREMENTS D3, C6.
"""

from collections.abc import Sequence
from typing import Protocol

from candor.judge.v1 import extraction_pb2 as pb
from candor.judge.v1.extraction_pb2_grpc import ExtractionServiceServicer

from services.judge.provider import Usage
from services.judge.usage_message import usage_message
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.extraction.facts import USER, Fact, Heard, Importance, Known, Weighed
from shared.rpc import wire
from shared.rpc.context import Context

MAX_TEXT_CHARS = 20_000
MAX_KNOWN, MAX_STATEMENTS = 200, 32


class Extractor(Protocol):
    """Reads turns and weighs statements; safe to call concurrently. Both raise as ChatModel where it is a model."""

    model: str
    extract_version: str
    weigh_version: str

    async def extract(self, heard: Heard) -> tuple[tuple[Fact, ...], Usage]:
        """Find the facts of a turn."""
        ...

    async def weigh(self, statements: Sequence[Weighed]) -> tuple[tuple[Importance, ...], Usage]:
        """Weigh statements: one importance for each, in order."""
        ...


class Extraction(ExtractionServiceServicer):
    """Extracts with one extractor."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor

    async def ExtractFacts(self, request: pb.ExtractFactsRequest, context: Context) -> pb.ExtractFactsResponse:
        """Find what the user's words tell. Raises: InvalidArgument; as ChatModel."""
        wire.tenant(request)
        facts, usage = await self._extractor.extract(_heard(request))
        return pb.ExtractFactsResponse(
            facts=[wire.to_fact(fact) for fact in facts],
            model=self._extractor.model,
            prompt_version=self._extractor.extract_version,
            usage=usage_message(usage),
        )

    async def ScoreImportance(self, request: pb.ScoreImportanceRequest, context: Context) -> pb.ScoreImportanceResponse:
        """Weigh statements. Raises: InvalidArgument; as ChatModel."""
        wire.tenant(request)
        weights, usage = await self._extractor.weigh(_statements(request.statements))
        return pb.ScoreImportanceResponse(
            scores=[wire.to_importance(weight) for weight in weights],
            model=self._extractor.model,
            prompt_version=self._extractor.weigh_version,
            usage=usage_message(usage),
        )


def _heard(request: pb.ExtractFactsRequest) -> Heard:
    """Read a turn. Raises: InvalidArgument."""
    wrong = [
        _too_long(name)
        for name, text in (("user_text", request.user_text), ("assistant_text", request.assistant_text))
        if len(text) > MAX_TEXT_CHARS
    ]
    if len(request.known) > MAX_KNOWN:
        wrong.append(Violation("known", "KNOWN_TOO_MANY", f"must have at most {MAX_KNOWN}, has {len(request.known)}"))
    observed_at = wire.instant(request, "observed_at")
    if observed_at is None:
        wrong.append(Violation("observed_at", "OBSERVED_AT_MISSING", "must be given"))
    if wrong or observed_at is None:
        raise InvalidArgument.of_all(tuple(wrong))
    known = tuple(Known(each.slot, each.value, each.subject) for each in request.known)
    return Heard(request.user_text, observed_at, request.assistant_text, request.speaker or USER, known)


def _statements(given: Sequence[pb.ScoredStatement]) -> list[Weighed]:
    """Read statements. Raises: InvalidArgument."""
    if not given:
        raise InvalidArgument.of("statements", "STATEMENTS_MISSING", "must have at least one")
    if len(given) > MAX_STATEMENTS:
        told = f"must have at most {MAX_STATEMENTS}, has {len(given)}"
        raise InvalidArgument.of("statements", "STATEMENTS_TOO_MANY", told)
    wrong: list[Violation] = []
    for place, each in enumerate(given):
        if not each.text.strip():
            wrong.append(Violation(f"statements[{place}].text", "STATEMENT_EMPTY", "must not be empty"))
        for name, text in (("text", each.text), ("evidence", each.evidence)):
            if len(text) > MAX_TEXT_CHARS:
                wrong.append(_too_long(f"statements[{place}].{name}", "STATEMENT_TOO_LONG"))
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    return [Weighed(each.text, each.slot, each.evidence) for each in given]


def _too_long(field: str, reason: str = "TEXT_TOO_LONG") -> Violation:
    return Violation(field, reason, f"must have at most {MAX_TEXT_CHARS} characters")

"""Has judge write an answer, and says plainly what was found where it does not.

Rules: whatever goes wrong there (a refused draft, a model or a service that is down, slow or out of calls, a ceiling on
the cost) ends in a list of the memories with a code that names it; never in an error. What was streamed before passed
the guard; the last item counts. It does not know how an answer is written or guarded.
Source: REQUIREMENTS B11, B12; the codes of the reference, in its spelling.
"""

from collections.abc import AsyncGenerator, Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

import grpc
import structlog
from candor.judge.v1 import conversation_pb2 as talk
from candor.judge.v1 import narrate_pb2 as judge
from candor.judge.v1.narrate_pb2_grpc import NarrationServiceStub

from services.retrieve.evidence import Exhibit
from services.retrieve.spent import NOTHING as NOTHING_SPENT
from services.retrieve.spent import Spent, spent
from shared.domain import narration
from shared.domain.errors import CandorError, UpstreamUnavailable
from shared.rpc import context as calls
from shared.rpc.clients import rpc_errors

Whole: TypeAlias = judge.NarrateAnswerResponse | talk.ConverseResponse
Parts: TypeAlias = (
    "grpc.aio.UnaryStreamCall[Any, judge.StreamNarrationResponse]"
    " | grpc.aio.UnaryStreamCall[Any, talk.StreamConverseResponse]"
)

TIMEOUT_SECONDS = 60.0  # of a draft and its repair, where the caller waits so long; chosen, untested
RESERVE_SECONDS = 1.0  # of the caller's time, kept for the answer without a narrator; chosen, untested
DEGRADED_MODEL = "degraded"  # as in the reference
UNEXPECTED = "unexpected_narrator_failure"

_NAMED = frozenset({"MODEL_ANSWER_INVALID", "MODEL_REFUSED", "MODEL_OVERLOADED", "COST_CEILING"})
_TOLD = {
    "model_answer_invalid": "The model gave no usable answer.",
    "model_refused": "The model declines to answer this.",
    "model_overloaded": "Too many answers are being written.",
    "cost_ceiling": "An answer may cost more tokens than the ceiling allows.",
    "upstream_rate_limited": "The model's provider limits the rate of calls.",
    "upstream_timeout": "The narrator did not answer in time.",
    "upstream_unavailable": "The narrator does not answer.",
    UNEXPECTED: "The narrator failed.",
}
_GUARDED = "No draft of an answer passed the check against the memories."
_log = structlog.stdlib.get_logger("candor.retrieve.narrating")


@dataclass(frozen=True, slots=True)
class Told:
    """What the caller is told: an answer with the markers it cites, or a list; then `code` and `reason` say why.

    `attempts` are drafts; 0 where none came back. `nearest_only`: it says itself that nothing plainly answers.
    """

    answer: str
    cited: tuple[int, ...] = ()
    model: str = ""
    attempts: int = 0
    is_repaired: bool = False
    code: str = ""
    reason: str = ""
    spent: Spent = NOTHING_SPENT
    nearest_only: bool = False


NOTHING = Told(narration.NOTHING_FOUND)


class Narrator:
    """Asks judge."""

    def __init__(self, judge_stub: NarrationServiceStub, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._judge = judge_stub
        self._timeout_seconds = timeout_seconds

    async def narrate(self, tenant_id: UUID, task: judge.NarrationTask, evidence: Sequence[Exhibit]) -> Told:
        """Return the answer as a whole."""
        request = judge.NarrateAnswerRequest(tenant_id=str(tenant_id), task=task)
        answering = self._judge.NarrateAnswer(request, timeout=patience(self._timeout_seconds))
        return await whole(answering, evidence)

    def stream(
        self, tenant_id: UUID, task: judge.NarrationTask, evidence: Sequence[Exhibit]
    ) -> AsyncGenerator[str | Told, None]:
        """Yield the answer in guarded parts; last comes the whole."""
        request = judge.StreamNarrationRequest(tenant_id=str(tenant_id), task=task)
        return parts(self._judge.StreamNarration(request, timeout=patience(self._timeout_seconds)), evidence)


def patience(timeout_seconds: float) -> float:
    """Return how long to wait: less than the caller does."""
    call = calls.current()
    remaining = call.remaining_seconds() if call else None
    if remaining is None:
        return timeout_seconds
    return min(timeout_seconds, max(remaining - RESERVE_SECONDS, remaining / 2))


async def whole(answering: Awaitable[Whole], evidence: Sequence[Exhibit]) -> Told:
    """Return what judge gives as a whole."""
    try:
        with rpc_errors():
            response = await answering
    except CandorError as error:
        return _degraded(_code(error), evidence)
    return _told(response.narration, evidence)


async def parts(answering: Parts, evidence: Sequence[Exhibit]) -> AsyncGenerator[str | Told, None]:
    """Yield what judge gives in guarded parts; last comes the whole."""
    told = None
    try:
        with rpc_errors():
            async for message in answering:
                if message.WhichOneof("item") == "text":
                    yield message.text
                else:
                    told = _told(message.narration, evidence)
    except CandorError as error:
        told = _degraded(_code(error), evidence)
    finally:
        answering.cancel()  # for a caller that went away; one that has ended does not mind
    yield told or _degraded(UNEXPECTED, evidence)


def _told(given: judge.Narration, evidence: Sequence[Exhibit]) -> Told:
    took = spent(given.usage)
    if given.HasField("refusal"):
        return _degraded(given.refusal.code.lower(), evidence, given.attempts, took)
    repaired = given.grounding == judge.GROUNDING_REPAIRED
    return Told(
        given.answer,
        tuple(given.cited),
        given.model,
        given.attempts,
        repaired,
        spent=took,
        nearest_only=given.nearest_only,
    )


def _degraded(code: str, evidence: Sequence[Exhibit], attempts: int = 0, took: Spent = NOTHING_SPENT) -> Told:
    """List the memories plainly."""
    listed = narration.degraded_answer([exhibit.source for exhibit in evidence], code)
    reason = _TOLD.get(code, _GUARDED)
    return Told(listed.text, listed.markers, DEGRADED_MODEL, attempts, code=code, reason=reason, spent=took)


def _code(error: CandorError) -> str:
    """Return the public word for a failure of judge; only the word is logged."""
    code = UNEXPECTED
    if error.reason in _NAMED:
        code = error.reason.lower()
    elif error.reason == "DEADLINE_EXCEEDED":
        code = "upstream_timeout"
    elif isinstance(error, UpstreamUnavailable):
        code = error.metadata.get("cause", "")
        code = code if code in _TOLD else "upstream_unavailable"
    say = _log.error if code == UNEXPECTED else _log.info
    say("not narrated", code=code, reason=error.reason)
    return code

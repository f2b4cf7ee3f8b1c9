"""Tells ingest which memories were used, behind the answers that used them.

Rules: an answer never waits for it and never fails by it. What waits is bounded and sent in order; what finds no room,
or what ingest cannot take, is lost and counted: a use is a hint for ranking and forgetting, no fact. ingest counts a
use once for a request and a memory, so that sending again is harmless. On stop what waits is sent, within a time.
It does not know what a use changes.
Source: REQUIREMENTS B9.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog
from candor.ingest.v1.reinforcement_pb2 import ReinforceMemoriesRequest
from candor.ingest.v1.reinforcement_pb2_grpc import ReinforcementServiceStub
from prometheus_client import Counter

from shared.domain.errors import CandorError
from shared.rpc import wire
from shared.rpc.clients import rpc_errors

WAITING_MAX = 1_000  # answers; some seconds of work; chosen, untested
TIMEOUT_SECONDS = 5.0  # of one call; chosen, untested
DRAIN_SECONDS = 5.0  # for all that waits at the end; chosen, untested
USES = Counter(
    "candor_reinforcements_total",
    "Answers whose cited memories were to be reinforced: sent, failed, or dropped for want of room.",
    ("outcome",),
)
_log = structlog.stdlib.get_logger("candor.retrieve.reinforcement")


@dataclass(frozen=True, slots=True)
class Use:
    """The memories that one answer cites. `request_id` names the answer."""

    tenant_id: UUID
    request_id: str
    memory_ids: tuple[UUID, ...]
    at: datetime


class Reinforcement:
    """Sends uses one after another."""

    def __init__(self, ingest_stub: ReinforcementServiceStub) -> None:
        self._ingest = ingest_stub
        self._waiting: deque[Use] = deque()
        self._came = asyncio.Event()

    def note(self, use: Use) -> None:
        """Have a use sent soon; without memories there is nothing to send."""
        if not use.memory_ids:
            return
        if len(self._waiting) >= WAITING_MAX:
            USES.labels("dropped").inc()
            return
        self._waiting.append(use)
        self._came.set()

    async def run(self) -> None:
        """Send what comes, until cancelled."""
        while True:
            await self._send_waiting()
            self._came.clear()
            await self._came.wait()

    async def drain(self) -> None:
        """Send what still waits."""
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._send_waiting()
        except TimeoutError:
            USES.labels("dropped").inc(len(self._waiting))

    async def _send_waiting(self) -> None:
        while self._waiting:
            await self._send(self._waiting[0])  # it stays first until it was sent: a cancelled call is made again
            self._waiting.popleft()

    async def _send(self, use: Use) -> None:
        request = ReinforceMemoriesRequest(
            tenant_id=str(use.tenant_id),
            request_id=use.request_id,
            memory_ids=_texts(use.memory_ids),
            used_at=wire.to_timestamp(use.at),
        )
        try:
            with rpc_errors():
                await self._ingest.ReinforceMemories(request, timeout=TIMEOUT_SECONDS)
        except CandorError as error:
            _log.info("not reinforced", reason=error.reason, memories=len(use.memory_ids))
            USES.labels("failed").inc()
        else:
            USES.labels("sent").inc()


def _texts(memory_ids: Sequence[UUID]) -> list[str]:
    return [str(memory_id) for memory_id in memory_ids]

"""Whether requests can be served: a quick look, and a deep one that tries the models.

Rules: the quick look asks the roles that the gateway calls whether they are ready, and which models the others have;
in production a local stand-in that is not allowed by name is a failure. The deep one embeds and narrates once: its
answer is kept for a while, a good one longer, and whoever asks meanwhile shares it; it is charged to nobody. What is
told names roles and reasons, never addresses or secrets.
Source: REQUIREMENTS F4; archon-behaviour 1.4, 1.5.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import grpc
from candor.retrieve.v1 import providers_pb2 as pb

from shared.config import Environment, Settings
from shared.domain.errors import CandorError, UpstreamUnavailable
from shared.rpc import providers_stubs
from shared.rpc.clients import rpc_errors
from shared.rpc.probe import is_serving

RETRY_AFTER_SECONDS = 1.0  # services are polled every 5 s; chosen, untested
GOOD_SECONDS = 600.0  # archon-behaviour 1.5
BAD_SECONDS = 60.0  # archon-behaviour 1.5
PROBE_SECONDS = 30.0  # of both calls to models; chosen, untested
Failing = dict[str, str]
"""By who fails: why, as far as that is known."""


def not_ready(failing: Failing, retry_after_seconds: float = RETRY_AFTER_SECONDS) -> UpstreamUnavailable:
    """Return the error that names who is not ready."""
    told = ", ".join(f"{name} ({why})" if why else name for name, why in failing.items())
    reasons = {f"reason.{name}": why for name, why in failing.items() if why}
    named = {"failing": ",".join(failing), **reasons}
    return UpstreamUnavailable(
        "NOT_READY", f"Not ready: {told}.", metadata=named, retry_after_seconds=retry_after_seconds
    )


class QuickLook:
    """Asks over the gateway's own channels."""

    def __init__(self, channels: Mapping[str, grpc.aio.Channel], settings: Settings) -> None:
        self._channels = channels
        self._providers = providers_stubs.providers(channels["retrieve"])
        self._stand_ins = settings.env is not Environment.PRODUCTION
        self._allowed = settings.allow_local

    async def failing(self) -> Failing:
        """Return who cannot serve; empty: all can."""
        answers = await asyncio.gather(*(is_serving(channel) for channel in self._channels.values()))
        roles = {role: "" for role, serving in zip(self._channels, answers, strict=True) if not serving}
        return roles or await self._unfit()

    async def _unfit(self) -> Failing:
        try:
            with rpc_errors():
                answer = await self._providers.GetProviders(pb.GetProvidersRequest(), timeout=PROBE_SECONDS)
        except CandorError as error:
            return {"retrieve": error.reason}
        found: Failing = {}
        for one in answer.providers:
            if one.failure:
                found[one.role] = one.failure
            elif one.local and not self._stand_ins and one.role not in self._allowed:
                found[one.role] = "LOCAL_STAND_IN"
        return found


@dataclass(frozen=True, slots=True)
class Seen:
    """What a deep look found, and until when that counts."""

    failing: Failing
    checked_at: datetime
    until_seconds: float
    embedder: pb.ProbedModel
    narrator: pb.ProbedModel


class DeepLook:
    """Tries the models, at most once at a time."""

    def __init__(
        self,
        quick: QuickLook,
        retrieve: grpc.aio.Channel,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._quick = quick
        self._providers = providers_stubs.providers(retrieve)
        self._now = now
        self._clock = clock
        self._seen: Seen | None = None
        self._looking: asyncio.Task[Seen] | None = None

    async def look(self) -> tuple[Seen, bool]:
        """Return what was found, and whether it was found before."""
        if self._seen is not None and self._clock() < self._seen.until_seconds:
            return self._seen, True
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
            self._looking.add_done_callback(self._looked)
        return await asyncio.shield(self._looking), False  # one that goes away does not take it from the others

    def seconds_left(self, seen: Seen) -> float:
        """Return for how long what was found still counts."""
        return max(RETRY_AFTER_SECONDS, seen.until_seconds - self._clock())

    def _looked(self, task: asyncio.Task[Seen]) -> None:
        self._looking = None
        if not task.cancelled() and task.exception() is None:
            self._seen = task.result()

    async def _look(self) -> Seen:
        failing, probed = await self._quick.failing(), pb.ProbeProvidersResponse()
        if not failing:
            try:
                with rpc_errors():
                    probed = await self._providers.ProbeProviders(pb.ProbeProvidersRequest(), timeout=PROBE_SECONDS)
            except CandorError as error:
                failing = {"retrieve": error.reason}
            parts = (("embedder", probed.embedder), ("narrator", probed.narrator))
            failing |= {name: part.failure for name, part in parts if part.failure}
        until_seconds = self._clock() + (BAD_SECONDS if failing else GOOD_SECONDS)
        return Seen(failing, self._now(), until_seconds, probed.embedder, probed.narrator)

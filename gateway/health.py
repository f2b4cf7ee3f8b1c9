"""Alive and ready: for people, load balancers and container platforms.

Rules: `/health` says only that this process answers. `/ready` asks the services the gateway calls whether they are
ready; each answers for what it needs itself. The answer names services, never addresses. It does not know what a
service needs.
"""

import asyncio
from collections.abc import Mapping

import grpc
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.domain.errors import UpstreamUnavailable
from shared.rpc.probe import is_serving

RETRY_AFTER_SECONDS = 1.0  # services are polled every 5 s; chosen, untested


class Health:
    """The two questions, asked over the gateway's own channels."""

    def __init__(self, channels: Mapping[str, grpc.aio.Channel]) -> None:
        self._channels = channels

    async def health(self, request: Request) -> Response:
        """Answer that this process is alive."""
        return JSONResponse({"status": "ok"})

    async def ready(self, request: Request) -> Response:
        """Answer whether requests can be served. Raises: UpstreamUnavailable NOT_READY, naming who is not."""
        answers = await asyncio.gather(*(is_serving(channel) for channel in self._channels.values()))
        failing = [role for role, serving in zip(self._channels, answers, strict=True) if not serving]
        if failing:
            raise UpstreamUnavailable(
                "NOT_READY",
                f"Not ready: {', '.join(failing)}.",
                metadata={"failing": ",".join(failing)},
                retry_after_seconds=RETRY_AFTER_SECONDS,
            )
        return JSONResponse({"status": "ready", "checks": dict.fromkeys(self._channels, "ok")})

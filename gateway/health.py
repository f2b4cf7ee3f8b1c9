"""Alive and ready: for people, load balancers and container platforms.

Rules: `/health` says only that this process answers. `/ready` is a quick look, `/ready/deep` also tries the models
(readiness.py); whoever is not ready is named, with the reason as far as it is known. None needs a credential.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

import grpc
from candor.retrieve.v1 import providers_pb2 as pb
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway.readiness import GOOD_SECONDS, DeepLook, QuickLook, not_ready
from shared.config import Settings


class Health:
    """The three questions, asked over the gateway's own channels."""

    def __init__(
        self, channels: Mapping[str, grpc.aio.Channel], settings: Settings, now: Callable[[], datetime]
    ) -> None:
        self._roles = tuple(channels)
        self._quick = QuickLook(channels, settings)
        self._deep = DeepLook(self._quick, channels["retrieve"], now)

    async def health(self, request: Request) -> Response:
        """Answer that this process is alive."""
        return JSONResponse({"status": "ok"})

    async def ready(self, request: Request) -> Response:
        """Answer whether requests can be served. Raises: UpstreamUnavailable NOT_READY, naming who is not."""
        failing = await self._quick.failing()
        if failing:
            raise not_ready(failing)
        return JSONResponse({"status": "ready", "checks": dict.fromkeys(self._roles, "ok")})

    async def deep(self, request: Request) -> Response:
        """Answer whether the models answer, too. Raises: UpstreamUnavailable NOT_READY, naming what does not."""
        seen, was_known = await self._deep.look()
        if seen.failing:
            raise not_ready(seen.failing, self._deep.seconds_left(seen))
        checks = {
            "database": "operational",
            "embedder": _told(seen.embedder) | {"dimensions": seen.embedder.dimensions},
            "narrator": _told(seen.narrator) | {"grounding": seen.narrator.grounding},
        }
        at = seen.checked_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        told = {"status": "ready", "checkedAt": at, "cacheTtlSeconds": round(GOOD_SECONDS), "checks": checks}
        return JSONResponse(told | {"cached": was_known})


def _told(model: pb.ProbedModel) -> dict[str, object]:
    return {"status": "operational", "modelId": model.model}

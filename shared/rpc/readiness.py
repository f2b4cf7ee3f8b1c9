"""Whether a role can do its work: probes, polled, answered as gRPC health.

Rules: one failing probe makes every service of the role NOT_SERVING; all are asked once before the role is SERVING and
every 5 s after; a change is logged. Once draining, the answer stays NOT_SERVING. It does not know what the probes ask.
Source: the gRPC health checking protocol.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import structlog
from grpc.aio import AioRpcError
from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckResponse

from shared.domain.errors import CandorError

POLL_SECONDS = 5.0
PROBE_TIMEOUT_SECONDS = 5.0
"""A probe that hangs has failed; chosen, untested."""

_log = structlog.stdlib.get_logger("candor.readiness")


class Readiness:
    """Polls the probes of one role and keeps its health servicer true."""

    def __init__(self) -> None:
        self.servicer = health.aio.HealthServicer()
        self._probes: dict[str, Callable[[], Awaitable[object]]] = {}
        self._failing: dict[str, str] | None = None

    def add(self, name: str, probe: Callable[[], Awaitable[object]]) -> None:
        """Take a probe that raises while the role cannot serve."""
        self._probes[name] = probe

    async def begin(self, services: Iterable[str]) -> None:
        """Ask every probe once and set the first answer."""
        self._services = ("", *services)
        await self._ask()

    async def poll(self) -> None:
        """Ask again and again, until cancelled."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self._ask()

    async def end(self) -> None:
        """Answer NOT_SERVING from now on."""
        await self.servicer.enter_graceful_shutdown()

    async def _ask(self) -> None:
        answers = await asyncio.gather(*(self._failure(name) for name in self._probes))
        failing = {name: why for name, why in zip(self._probes, answers, strict=True) if why}
        if failing == self._failing:
            return
        self._failing = failing
        serving = HealthCheckResponse.NOT_SERVING if failing else HealthCheckResponse.SERVING
        _log.info("readiness", serving=not failing, failing=failing)
        for service in self._services:
            await self.servicer.set(service, serving)

    async def _failure(self, name: str) -> str:
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
                await self._probes[name]()
        except CandorError as error:
            return error.reason
        except AioRpcError as error:
            return error.code().name
        except TimeoutError:
            return "TIMEOUT"
        except Exception:  # noqa: BLE001  # a probe with a defect must not end the polling
            _log.exception("defect", probe=name)
            return "DEFECT"
        return ""

"""Asking a role whether it is ready: for the gateway, for start-up scripts and for container health checks.

Rules: one question, one answer within the time limit; an unreachable role is not ready. `python -m shared.rpc.probe
host:port` exits with 0 if it is. It does not know why a role is not ready: its log does.
"""

import asyncio
import sys

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse


async def is_serving(via: grpc.aio.Channel, *, timeout_seconds: float = 2.0) -> bool:
    """Return whether the role behind a channel says that it is SERVING."""
    try:
        answer = await _check(via)(HealthCheckRequest(), timeout=timeout_seconds)
    except grpc.aio.AioRpcError:
        return False
    return bool(answer.status == HealthCheckResponse.SERVING)


def _check(
    via: grpc.aio.Channel,
) -> grpc.aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse]:
    # By hand: the published types of the generated stub leave its methods out.
    return via.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )


async def ask(target: str) -> bool:
    """Return whether the role at `host:port` says that it is SERVING."""
    async with grpc.aio.insecure_channel(target) as via:
        return await is_serving(via)


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(ask(sys.argv[1])) else 1)

"""Channels and stubs: how one role calls another.

Rules: a call carries the request id of the call it serves and never outlives it: its time limit is what remains of the
current deadline, else 30 s. UNAVAILABLE is retried, twice, only for methods whose contract declares an idempotency
level; calls that ask models are not among them, since each costs tokens and judge itself repeats what may help.
Replicas are found by DNS and used in turn. It does not know what is called.

The time limit travels with each call, because a `timeout` in the service configuration does not reach the server
(measured). The id and the limit are set by a thin channel around gRPC's own: an interceptor costs a task per call. A
request over gRPC's retry buffer of 256 KiB is sent once.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar, cast

import grpc
from candor.audit.v1 import fields_pb2, fields_pb2_grpc
from candor.embed.v1 import embeddings_pb2, embeddings_pb2_grpc
from candor.ingest.v1 import (
    admin_pb2,
    admin_pb2_grpc,
    decisions_pb2_grpc,
    findings_pb2,
    findings_pb2_grpc,
    lifecycle_pb2_grpc,
    reinforcement_pb2,
    reinforcement_pb2_grpc,
    settings_pb2_grpc,
    turns_pb2,
    turns_pb2_grpc,
    verdicts_pb2,
)
from candor.ingest.v1 import memories_pb2 as writer_pb2
from candor.ingest.v1 import memories_pb2_grpc as writer_pb2_grpc
from candor.judge.v1 import extraction_pb2_grpc, models_pb2, models_pb2_grpc, narrate_pb2_grpc, rerank_pb2_grpc
from candor.retrieve.v1 import (
    access_pb2,
    access_pb2_grpc,
    answer_pb2_grpc,
    conflicts_pb2,
    conflicts_pb2_grpc,
    memories_pb2,
    memories_pb2_grpc,
    pairs_pb2,
    pnl_pb2,
    recall_pb2,
    recall_pb2_grpc,
)
from candor.retrieve.v1 import decisions_pb2_grpc as decision_reader_pb2_grpc
from candor.retrieve.v1 import findings_pb2_grpc as finding_reader_pb2_grpc
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions

from shared.rpc import context as calls
from shared.rpc import now_time
from shared.rpc.status import from_rpc_error

DEFAULT_TIMEOUT_SECONDS = 30.0
MAX_MESSAGE_BYTES = 20 * 1024 * 1024
"""Both ways: 16 MiB of JSON and its framing."""

_FILES: tuple[FileDescriptor, ...] = tuple(
    module.DESCRIPTOR
    for module in (
        fields_pb2,
        embeddings_pb2,
        admin_pb2,
        writer_pb2,
        reinforcement_pb2,
        findings_pb2,
        verdicts_pb2,
        turns_pb2,
        models_pb2,
        access_pb2,
        conflicts_pb2,
        memories_pb2,
        pairs_pb2,
        pnl_pb2,
        recall_pb2,
    )
)
_RETRY = {
    "maxAttempts": 3,
    "initialBackoff": "0.05s",
    "maxBackoff": "0.5s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


def channel(target: str, *, caller: str | None = None) -> grpc.aio.Channel:
    """Open a channel to `host:port`. `caller` is the role that calls; by default the one being started."""
    options = [
        ("grpc.service_config", json.dumps(_service_config())),
        ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
        ("grpc.dns_min_time_between_resolutions_ms", 5_000),
        ("grpc.primary_user_agent", f"candor-{caller or calls.role()}"),
    ]
    return _Channel(grpc.aio.insecure_channel(target if "://" in target else f"dns:///{target}", options))


@contextmanager
def rpc_errors() -> Iterator[None]:
    """Turn a failed call inside into the CandorError that it stands for."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error


def embeddings(via: grpc.aio.Channel) -> embeddings_pb2_grpc.EmbeddingsServiceStub:
    """Return the stub of embed's EmbeddingsService."""
    return embeddings_pb2_grpc.EmbeddingsServiceStub(via)


def models(via: grpc.aio.Channel) -> models_pb2_grpc.ModelsServiceStub:
    """Return the stub of judge's ModelsService."""
    return models_pb2_grpc.ModelsServiceStub(via)


def extraction(via: grpc.aio.Channel) -> extraction_pb2_grpc.ExtractionServiceStub:
    """Return the stub of judge's ExtractionService."""
    return extraction_pb2_grpc.ExtractionServiceStub(via)


def turns(via: grpc.aio.Channel) -> turns_pb2_grpc.TurnsServiceStub:
    """Return the stub of ingest's TurnsService."""
    return turns_pb2_grpc.TurnsServiceStub(via)


def reranker(via: grpc.aio.Channel) -> rerank_pb2_grpc.RerankServiceStub:
    """Return the stub of judge's RerankService."""
    return rerank_pb2_grpc.RerankServiceStub(via)


def narrator(via: grpc.aio.Channel) -> narrate_pb2_grpc.NarrationServiceStub:
    """Return the stub of judge's NarrationService."""
    return narrate_pb2_grpc.NarrationServiceStub(via)


def recall(via: grpc.aio.Channel) -> recall_pb2_grpc.RecallServiceStub:
    """Return the stub of retrieve's RecallService."""
    return recall_pb2_grpc.RecallServiceStub(via)


def answers(via: grpc.aio.Channel) -> answer_pb2_grpc.AnswerServiceStub:
    """Return the stub of retrieve's AnswerService."""
    return answer_pb2_grpc.AnswerServiceStub(via)


def memory_reader(via: grpc.aio.Channel) -> memories_pb2_grpc.MemoriesServiceStub:
    """Return the stub of retrieve's MemoriesService."""
    return memories_pb2_grpc.MemoriesServiceStub(via)


def conflicts(via: grpc.aio.Channel) -> conflicts_pb2_grpc.ConflictsServiceStub:
    """Return the stub of retrieve's ConflictsService."""
    return conflicts_pb2_grpc.ConflictsServiceStub(via)


def access(via: grpc.aio.Channel) -> access_pb2_grpc.AccessServiceStub:
    """Return the stub of retrieve's AccessService."""
    return access_pb2_grpc.AccessServiceStub(via)


def memory_writer(via: grpc.aio.Channel) -> writer_pb2_grpc.MemoriesServiceStub:
    """Return the stub of ingest's MemoriesService."""
    return writer_pb2_grpc.MemoriesServiceStub(via)


def reinforcement(via: grpc.aio.Channel) -> reinforcement_pb2_grpc.ReinforcementServiceStub:
    """Return the stub of ingest's ReinforcementService."""
    return reinforcement_pb2_grpc.ReinforcementServiceStub(via)


def admin(via: grpc.aio.Channel) -> admin_pb2_grpc.AdminServiceStub:
    """Return the stub of ingest's AdminService."""
    return admin_pb2_grpc.AdminServiceStub(via)


def settings(via: grpc.aio.Channel) -> settings_pb2_grpc.SettingsServiceStub:
    """Return the stub of ingest's SettingsService."""
    return settings_pb2_grpc.SettingsServiceStub(via)


def lifecycle(via: grpc.aio.Channel) -> lifecycle_pb2_grpc.LifecycleServiceStub:
    """Return the stub of ingest's LifecycleService."""
    return lifecycle_pb2_grpc.LifecycleServiceStub(via)


def decisions(via: grpc.aio.Channel) -> decisions_pb2_grpc.DecisionsServiceStub:
    """Return the stub of ingest's DecisionsService."""
    return decisions_pb2_grpc.DecisionsServiceStub(via)


def decision_reader(via: grpc.aio.Channel) -> decision_reader_pb2_grpc.DecisionsServiceStub:
    """Return the stub of retrieve's DecisionsService."""
    return decision_reader_pb2_grpc.DecisionsServiceStub(via)


def findings(via: grpc.aio.Channel) -> findings_pb2_grpc.FindingsServiceStub:
    """Return the stub of ingest's FindingsService."""
    return findings_pb2_grpc.FindingsServiceStub(via)


def finding_reader(via: grpc.aio.Channel) -> finding_reader_pb2_grpc.FindingsServiceStub:
    """Return the stub of retrieve's FindingsService."""
    return finding_reader_pb2_grpc.FindingsServiceStub(via)


def field_audit(via: grpc.aio.Channel) -> fields_pb2_grpc.FieldAuditServiceStub:
    """Return the stub of audit's FieldAuditService."""
    return fields_pb2_grpc.FieldAuditServiceStub(via)


def _service_config() -> dict[str, object]:
    names = [
        {"service": service.full_name, "method": method.name}
        for file in _FILES
        for service in file.services_by_name.values()
        for method in service.methods
        if method.GetOptions().idempotency_level != MethodOptions.IDEMPOTENCY_UNKNOWN
    ]
    return {
        "loadBalancingConfig": [{"round_robin": {}}],
        "methodConfig": [{"name": names, "retryPolicy": _RETRY}],
        # Fewer retries while most calls fail: each failure takes one token of ten, each success gives back a fifth.
        "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.2},
    }


def _forwarding(call: Callable[..., Any], default_seconds: float | None) -> Callable[..., Any]:
    def start(request: object = None, *, timeout: float | None = None, metadata: Any = None, **options: Any) -> Any:
        current = calls.current()
        remaining = current.remaining_seconds() if current else None
        if remaining is None:
            limit = default_seconds if timeout is None else timeout
        else:
            limit = remaining if timeout is None else min(timeout, remaining)
        if current is not None:
            metadata = (*(metadata or ()), (calls.REQUEST_ID_KEY, current.request_id))
            if current.now_time is not None:
                metadata = (*metadata, (calls.NOW_TIME_KEY, now_time.write(current.now_time)))
        return call(request, timeout=limit, metadata=metadata, **options)

    return start


class _Channel(grpc.aio.Channel):
    """gRPC's channel, whose calls carry the current request id and the remaining time."""

    def __init__(self, inner: grpc.aio.Channel) -> None:
        self._inner = inner

    def unary_unary(self, *names: Any, **options: Any) -> grpc.aio.UnaryUnaryMultiCallable[_Request, _Response]:
        call = _forwarding(self._inner.unary_unary(*names, **options), DEFAULT_TIMEOUT_SECONDS)
        return cast("grpc.aio.UnaryUnaryMultiCallable[_Request, _Response]", call)

    def unary_stream(self, *names: Any, **options: Any) -> grpc.aio.UnaryStreamMultiCallable[_Request, _Response]:
        call = _forwarding(self._inner.unary_stream(*names, **options), None)  # the server's own limit holds
        return cast("grpc.aio.UnaryStreamMultiCallable[_Request, _Response]", call)

    def stream_unary(self, *names: Any, **options: Any) -> grpc.aio.StreamUnaryMultiCallable[_Request, _Response]:
        call = _forwarding(self._inner.stream_unary(*names, **options), None)
        return cast("grpc.aio.StreamUnaryMultiCallable[_Request, _Response]", call)

    def stream_stream(self, *names: Any, **options: Any) -> grpc.aio.StreamStreamMultiCallable[_Request, _Response]:
        return self._inner.stream_stream(*names, **options)

    async def close(self, grace: float | None = None) -> None:
        await self._inner.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        return self._inner.get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        await self._inner.wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        await self._inner.channel_ready()

    async def __aenter__(self) -> "_Channel":
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self._inner.close()

"""Stubs of the services behind the life of memories, of keys and of quotas;
channels as in clients.py. It does not know what is called.
"""

import grpc
from candor.ingest.v1.consolidation_pb2_grpc import ConsolidationServiceStub
from candor.ingest.v1.demo_pb2_grpc import DemoServiceStub
from candor.ingest.v1.erasure_pb2_grpc import ErasureServiceStub
from candor.ingest.v1.forgetting_pb2_grpc import ForgettingServiceStub
from candor.ingest.v1.keys_pb2_grpc import KeysServiceStub
from candor.ingest.v1.quota_pb2_grpc import QuotaServiceStub
from candor.judge.v1.agent_pb2_grpc import AgentServiceStub as AgentStepsStub
from candor.judge.v1.conversation_pb2_grpc import ConversationServiceStub
from candor.judge.v1.documents_pb2_grpc import DocumentServiceStub
from candor.judge.v1.extraction_pb2_grpc import ExtractionServiceStub
from candor.judge.v1.summaries_pb2_grpc import SummariesServiceStub
from candor.retrieve.v1.agent_pb2_grpc import AgentServiceStub
from candor.retrieve.v1.chat_pb2_grpc import ChatServiceStub
from candor.retrieve.v1.timeline_pb2_grpc import TimelineServiceStub


def agents(via: grpc.aio.Channel) -> AgentServiceStub:
    """Return the stub of retrieve's AgentService."""
    return AgentServiceStub(via)


def agent_steps(via: grpc.aio.Channel) -> AgentStepsStub:
    """Return the stub of judge's AgentService."""
    return AgentStepsStub(via)


def chats(via: grpc.aio.Channel) -> ChatServiceStub:
    """Return the stub of retrieve's ChatService."""
    return ChatServiceStub(via)


def conversation(via: grpc.aio.Channel) -> ConversationServiceStub:
    """Return the stub of judge's ConversationService."""
    return ConversationServiceStub(via)


def document_reader(via: grpc.aio.Channel) -> DocumentServiceStub:
    """Return the stub of judge's DocumentService."""
    return DocumentServiceStub(via)


def extraction(via: grpc.aio.Channel) -> ExtractionServiceStub:
    """Return the stub of judge's ExtractionService."""
    return ExtractionServiceStub(via)


def summaries(via: grpc.aio.Channel) -> SummariesServiceStub:
    """Return the stub of judge's SummariesService."""
    return SummariesServiceStub(via)


def consolidation(via: grpc.aio.Channel) -> ConsolidationServiceStub:
    """Return the stub of ingest's ConsolidationService."""
    return ConsolidationServiceStub(via)


def demo(via: grpc.aio.Channel) -> DemoServiceStub:
    """Return the stub of ingest's DemoService."""
    return DemoServiceStub(via)


def erasure(via: grpc.aio.Channel) -> ErasureServiceStub:
    """Return the stub of ingest's ErasureService."""
    return ErasureServiceStub(via)


def forgetting(via: grpc.aio.Channel) -> ForgettingServiceStub:
    """Return the stub of ingest's ForgettingService."""
    return ForgettingServiceStub(via)


def timeline(via: grpc.aio.Channel) -> TimelineServiceStub:
    """Return the stub of retrieve's TimelineService."""
    return TimelineServiceStub(via)


def keys(via: grpc.aio.Channel) -> KeysServiceStub:
    """Return the stub of ingest's KeysService."""
    return KeysServiceStub(via)


def quota(via: grpc.aio.Channel) -> QuotaServiceStub:
    """Return the stub of ingest's QuotaService."""
    return QuotaServiceStub(via)

"""Stubs of the services behind the audit of meaning; channels as in clients.py. It does not know what is called."""

import grpc
from candor.audit.v1.meaning_pb2_grpc import MeaningAuditServiceStub
from candor.ingest.v1.verdicts_pb2_grpc import VerdictsServiceStub
from candor.judge.v1.contradictions_pb2_grpc import ContradictionsServiceStub
from candor.retrieve.v1.pairs_pb2_grpc import PairsServiceStub


def pairs(via: grpc.aio.Channel) -> PairsServiceStub:
    """Return the stub of retrieve's PairsService."""
    return PairsServiceStub(via)


def contradictions(via: grpc.aio.Channel) -> ContradictionsServiceStub:
    """Return the stub of judge's ContradictionsService."""
    return ContradictionsServiceStub(via)


def verdicts(via: grpc.aio.Channel) -> VerdictsServiceStub:
    """Return the stub of ingest's VerdictsService."""
    return VerdictsServiceStub(via)


def meaning_audit(via: grpc.aio.Channel) -> MeaningAuditServiceStub:
    """Return the stub of audit's MeaningAuditService."""
    return MeaningAuditServiceStub(via)

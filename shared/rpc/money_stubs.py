"""The stub of the service behind money; channels as in clients.py. It does not know what is called."""

import grpc
from candor.retrieve.v1.pnl_pb2_grpc import MoneyServiceStub


def money(via: grpc.aio.Channel) -> MoneyServiceStub:
    """Return the stub of retrieve's MoneyService."""
    return MoneyServiceStub(via)

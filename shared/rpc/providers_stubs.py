"""The stub of the service that knows the models; channels as in clients.py. It does not know what is called."""

import grpc
from candor.retrieve.v1.providers_pb2_grpc import ProvidersServiceStub


def providers(via: grpc.aio.Channel) -> ProvidersServiceStub:
    """Return the stub of retrieve's ProvidersService."""
    return ProvidersServiceStub(via)

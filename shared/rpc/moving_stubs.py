"""Stubs of the services that move a tenant; channels as in clients.py. It does not know what is called."""

import grpc
from candor.ingest.v1.archive_pb2_grpc import ArchiveServiceStub
from candor.retrieve.v1.export_pb2_grpc import ExportServiceStub


def exporter(via: grpc.aio.Channel) -> ExportServiceStub:
    """Return the stub of retrieve's ExportService."""
    return ExportServiceStub(via)


def importer(via: grpc.aio.Channel) -> ArchiveServiceStub:
    """Return the stub of ingest's ArchiveService."""
    return ArchiveServiceStub(via)

"""A judge that reads documents, for tests: the servicer with its processes, and what it says of a file."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import grpc
from candor.judge.v1 import documents_pb2 as pb

from services.judge.chat import Chat
from services.judge.document_desk import DocumentDesk
from services.judge.document_limits import DocumentLimits
from services.judge.document_model import ModelReader
from services.judge.documents import Documents
from shared.rpc.clients import rpc_errors
from shared.rpc.life_stubs import document_reader
from tests.services.running import role

TENANT = "00000000-0000-0000-0000-000000000007"
FIXTURES = Path(__file__).parents[3] / "fixtures" / "documents"
PATIENT = replace(DocumentLimits(), seconds=20.0)
"""Of a shared machine; the limit itself has tests of its own."""


@asynccontextmanager
async def reader(
    text: Chat | None = None, vision: Chat | None = None, *, limits: DocumentLimits = PATIENT
) -> AsyncIterator[grpc.aio.Channel]:
    desk = DocumentDesk(limits, processes=1)
    models = [None if chat is None else ModelReader(chat) for chat in (text, vision)]
    try:
        async with role("judge", Documents(desk, *models)) as via:
            yield via
    finally:
        await desk.close()
        for chat in (text, vision):
            if chat is not None:
                await chat.close()


async def read(via: grpc.aio.Channel, content: bytes, **declared: str) -> pb.ExtractDocumentResponse:
    told = pb.DeclaredDocument(**{"doc_id": "d-1", "filename": "paper", **declared})
    request = pb.ExtractDocumentRequest(tenant_id=TENANT, content=content, declared=told)
    with rpc_errors():
        return await document_reader(via).ExtractDocument(request)

"""The owner's invoices, for the stranger to look for in accounts; and what the stranger asks of those."""

import json
from collections.abc import Mapping, Sequence

import grpc
from candor.ingest.v1 import memories_pb2 as writing
from candor.memory.v1.memory_pb2 import KIND_INVOICE
from candor.retrieve.v1 import ledger_pb2 as ledger
from candor.retrieve.v1 import pnl_pb2 as pnl

from shared.rpc import clients, money_stubs
from tests.e2e.decided import Question


async def write(channel: grpc.aio.Channel, tenant_id: str, *, company: str, secret: str) -> list[str]:
    """Write two invoices of a secret vendor, over ingest; return their memories."""
    ids = []
    for number in (1, 2):
        metadata = {
            "type": "purchase",
            "vendor": f"{secret} Ltd",
            "invoice_number": f"{secret}-{number}",
            "total": number,
        }
        memory = writing.NewMemory(
            kind=KIND_INVOICE,
            content=f"Invoice {number} of {secret}.",
            company=company,
            period="2026-04",
            metadata=json.dumps(metadata | {"currency": "EUR"}),
        )
        request = writing.CreateMemoryRequest(tenant_id=tenant_id, memory=memory)
        ids.append((await clients.memory_writer(channel).CreateMemory(request)).memory.memory_id)
    return ids


async def token(channel: grpc.aio.Channel, tenant_id: str) -> str:
    """Return where a list of entries goes on, over retrieve."""
    asked = ledger.ListLedgerEntriesRequest(tenant_id=tenant_id, limit=1)
    return (await money_stubs.money(channel).ListLedgerEntries(asked)).next_page_token


def questions(memory_id: str, page_token: str, company: str) -> Mapping[str, Sequence[Question]]:
    """Return the questions to every RPC about money."""
    return {
        "retrieve.MoneyService.GetProfitAndLoss": [
            (pnl.GetProfitAndLossRequest(), "OK", True),
            (pnl.GetProfitAndLossRequest(company=company, period="2026"), "OK", True),
            (pnl.GetProfitAndLossRequest(format=pnl.REPORT_FORMAT_CSV), "OK", True),
        ],
        "retrieve.MoneyService.ListLedgerEntries": [
            (ledger.ListLedgerEntriesRequest(), "OK", True),
            (ledger.ListLedgerEntriesRequest(company=company), "OK", True),
            (ledger.ListLedgerEntriesRequest(memory_id=memory_id), "OK", False),
            (ledger.ListLedgerEntriesRequest(limit=1, page_token=page_token), "PAGE_TOKEN_INVALID", True),
        ],
    }

"""Answers that are no JSON: `Accept` and `format` mean the same, and a filled body is the whole answer."""

import pytest
from candor.retrieve.v1.pnl_pb2 import REPORT_FORMAT_CSV, GetProfitAndLossResponse

from gateway import contracts, openapi
from tests.gateway.conftest import Gateway

pytestmark = pytest.mark.anyio
CSV = "text/csv; charset=utf-8; header=present"
TABLE = 'a,"ü"\r\n'


@pytest.mark.parametrize(
    ("accept", "is_table"),
    [
        ("text/csv", True),
        ("Text/CSV; charset=utf-8", True),
        ("text/csv, */*", True),
        ("text/csv;q=0.9, application/json;q=0.5", True),
        ("text/csv, application/json", True),
        ("application/json, text/csv", False),
        ("application/json, text/csv;q=0.9", False),
        ("text/csv;q=0", False),
        ("text/csv;q=x", True),
        ("*/*", False),
        ("text/html", False),
        (",;,;q=", False),
        ("", False),
    ],
)
async def test_what_is_preferred_is_asked_for(gateway: Gateway, accept: str, is_table: bool) -> None:
    await gateway.client.get("/v1/pnl", headers={"accept": accept})
    [(_, request)] = gateway.script.asked
    assert request.format == (REPORT_FORMAT_CSV if is_table else 0)


async def test_a_table_is_the_whole_answer(gateway: Gateway) -> None:
    gateway.script.answers["GetProfitAndLoss"] = [GetProfitAndLossResponse(csv=TABLE)]
    for path, accept in (("/pnl?format=csv", "*/*"), ("/pnl", "text/csv")):
        answer = await gateway.client.get(path, headers={"accept": accept})
        assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, CSV, TABLE.encode())
        assert answer.headers["content-length"] == str(len(TABLE.encode()))
    assert [request.format for _, request in gateway.script.asked] == [REPORT_FORMAT_CSV] * 2


async def test_json_has_no_field_of_it(gateway: Gateway) -> None:
    gateway.script.answers["GetProfitAndLoss"] = [GetProfitAndLossResponse(net_profit="28100.00")]
    body = (await gateway.client.get("/v1/pnl", headers={"accept": "text/html"})).json()
    assert (body["netProfit"], body["currency"], body["byCurrency"], "csv" in body) == ("28100.00", None, [], False)
    wrong = await gateway.client.get("/v1/pnl", params={"format": "xlsx"}, headers={"accept": "text/csv"})
    assert (wrong.status_code, wrong.headers["content-type"]) == (400, "application/problem+json")


def test_the_document_names_both() -> None:
    found = openapi.document(contracts.bindings())["paths"]["/v1/pnl"]["get"]["responses"]["200"]["content"]
    assert list(found) == ["application/json", "text/csv"]

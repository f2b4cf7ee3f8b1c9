"""Forms: files become messages with their names and bytes, fields hold for all of them, and what is wrong is a 4xx."""

from typing import Any

import pytest
from candor.ingest.v1.documents_pb2 import IngestDocumentsRequest, IngestDocumentsResponse
from hypothesis import given
from hypothesis import strategies as st

from gateway import forms
from shared.domain.errors import CandorError
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio
PATHS = ("/v1/documents", "/ingest/documents")
FILES: Any = [("files", ("a.pdf", b"%PDF\x00\xff", "application/pdf")), ("documents", ("급여.csv", b"a,b\r\n1,2\r\n"))]
FORM = {"content-type": "multipart/form-data; boundary=x"}


def asked(gateway: Gateway) -> IngestDocumentsRequest:
    request: IngestDocumentsRequest = gateway.script.asked[-1][1]
    return request


@pytest.mark.parametrize("path", PATHS)
async def test_files_and_fields_become_a_request(gateway: Gateway, path: str) -> None:
    gateway.script.answers["IngestDocuments"] = [IngestDocumentsResponse(events=1)]
    fields = {"company": "Halden", "eventRef": "may", "declared_type": "payslip", "dryRun": "true", "reason": "why"}
    headers = {"idempotency-key": "form-1"}
    response = await gateway.client.post(path, files=FILES, data=fields, headers=headers)
    assert (response.status_code, response.json()["events"]) == (200, 1)
    request = asked(gateway)
    assert (request.tenant_id, request.request_id, request.dry_run, request.reason) == (TENANT, "form-1", True, "why")
    assert [(one.filename, one.data) for one in request.documents] == [
        ("a.pdf", b"%PDF\x00\xff"),
        ("급여.csv", b"a,b\r\n1,2\r\n"),
    ]
    assert {(one.company, one.event_ref, one.declared_type) for one in request.documents} == {
        ("Halden", "may", "payslip")
    }


async def test_a_json_body_still_is_one(gateway: Gateway) -> None:
    gateway.script.answers["IngestDocuments"] = [IngestDocumentsResponse()]
    document = {"docId": "d", "data": "JVBERg==", "content": ""}
    response = await gateway.client.post(PATHS[0], json={"documents": [document]})
    assert response.status_code == 200 and asked(gateway).documents[0].data == b"%PDF"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"colour": "red"}, "UNKNOWN_FIELD"),
        ({"dryRun": "perhaps"}, "WRONG_TYPE"),
        ({"tenantId": "x"}, "FIELD_NOT_ALLOWED"),
        ({"data": "x"}, "UNKNOWN_FIELD"),
        ({"eventRef": "a", "event_ref": "b"}, "DUPLICATE_FIELD"),
    ],
)
async def test_a_wrong_field_is_named(gateway: Gateway, fields: dict[str, str], reason: str) -> None:
    response = await gateway.client.post(PATHS[0], files=FILES, data=fields)
    assert (response.status_code, response.json()["reason"]) == (400, reason)
    assert gateway.script.asked == []


@pytest.mark.parametrize(
    "body",
    [
        b"nonsense",
        b"--x\r\n",
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\ncut',
        b'--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\nb\r\n--x--\r\n',
        b'--x\r\nContent-Disposition: form-data; name="company"\r\n\r\n\xff\xfe\r\n--x--\r\n',
    ],
)
async def test_a_bad_form_is_refused(gateway: Gateway, body: bytes) -> None:
    response = await gateway.client.post(PATHS[0], content=body, headers=FORM)
    assert (response.status_code, response.json()["reason"]) == (400, "FORM_INVALID")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "multipart/form-data"}, 400),
        (FORM | {"content-encoding": "gzip"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
async def test_headers_decide_first(gateway: Gateway, headers: dict[str, str], status: int) -> None:
    response = await gateway.client.post(PATHS[0], content=b"--x--\r\n", headers=headers)
    assert response.status_code == status


async def test_sizes_are_bounded(gateway: Gateway) -> None:
    many = [("files", (f"{n}.txt", b"x")) for n in range(forms.FILES_MAX + 1)]
    response = await gateway.client.post(PATHS[0], files=many)
    assert (response.status_code, response.json()["reason"]) == (413, "FORM_TOO_LARGE")
    response = await gateway.client.post(PATHS[0], files=FILES, data={"reason": "x" * (forms.FIELD_MAX_BYTES + 1)})
    assert (response.status_code, response.json()["reason"]) == (413, "FORM_TOO_LARGE")
    response = await gateway.client.post(PATHS[0], files=[("files", ("a", b"x" * (17 * 1024 * 1024)))])
    assert (response.status_code, response.json()["reason"]) == (413, "BODY_TOO_LARGE")


async def test_a_form_elsewhere_is_no_body(gateway: Gateway) -> None:
    response = await gateway.client.post("/v1/memories", files=FILES)
    assert response.status_code == 415


@given(st.binary(max_size=200), st.sampled_from([b"", b"--x\r\n", b'--x\r\nContent-Disposition: form-data; name="a"']))
def test_any_bytes_are_read_or_refused(body: bytes, head: bytes) -> None:
    try:
        forms.parse([(b"content-type", FORM["content-type"].encode())], head + body)
    except CandorError as error:
        assert error.reason in {"FORM_INVALID", "FORM_TOO_LARGE"}

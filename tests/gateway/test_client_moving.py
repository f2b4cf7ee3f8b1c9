"""What the clients send in parts and read as files: uploads that break off, archives that are cut, forms, accounts.

Rules: as in `test_client`: answers are written here, and the asynchronous client reads what the synchronous one does.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import httpx2
import pytest
import stamina

from gateway import client
from gateway.client import import_files, moving, problems, sending
from tests.gateway.test_client import answering, problem

pytestmark = pytest.mark.anyio
LINES = b"".join(b'{"content": "%d"}\n' % number for number in range(1, 6))
PROGRESS = {"importId": "i-1", "lines": 5, "written": 4, "existing": 1, "failed": 0, "errors": [], "nextLine": 6}


@pytest.fixture(autouse=True)
def without_waits() -> Iterator[None]:
    with stamina.set_testing(True, attempts=sending.ATTEMPTS):
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "memories.ndjson"
    made.write_bytes(LINES)
    return made


def archived(number: int, part: str = "memory") -> bytes:
    return b'{"result":{"part":"%s","record":{"n":"1.50"}},"resumeToken":"t-%d"}\n' % (part.encode(), number)


def test_an_upload_that_broke_off_goes_on_behind_the_last_committed_line(file: Path) -> None:
    told: list[int] = []
    candor, sent = answering(
        httpx2.ReadError("gone"),
        httpx2.Response(200, json={**PROGRESS, "nextLine": 3}),
        httpx2.Response(200, json=PROGRESS),
    )
    with candor:
        done = candor.import_memories(file, import_id="i-1", sent=told.append)
    assert (done.written, done.next_line) == (4, 6)
    first, asked, second = sent
    assert (first.url.params["firstLine"], first.content) == ("1", LINES)
    assert asked.url.path == "/v1/imports/i-1"
    assert (second.url.params["firstLine"], second.content) == ("3", b"".join(LINES.splitlines(keepends=True)[2:]))
    assert {request.headers["idempotency-key"] for request in (first, second)} == {"i-1"}
    assert told == [len(LINES), len(LINES)]


def test_an_upload_of_which_nothing_arrived_begins_again(file: Path) -> None:
    candor, sent = answering(
        httpx2.ConnectError("gone"), problem(404, "IMPORT_NOT_FOUND"), httpx2.Response(200, json=PROGRESS)
    )
    with candor:
        candor.import_memories(file, bulk=True)
    assert (sent[2].url.params["firstLine"], sent[2].url.params["mode"], sent[2].content) == ("1", "bulk", LINES)


def test_a_refused_upload_is_not_sent_again(file: Path) -> None:
    candor, sent = answering(problem(409, "IMPORT_RUNNING"))
    with candor, pytest.raises(problems.Conflict):
        candor.import_memories(file)
    assert len(sent) == 1


async def test_the_asynchronous_client_sends_the_same(file: Path) -> None:
    sent: list[bytes] = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(await request.aread())
        return httpx2.Response(200, json=PROGRESS)

    async with client.AsyncCandor("http://candor", "k", transport=httpx2.MockTransport(answer)) as candor:
        assert (await candor.import_memories(file)).lines == 5
    assert sent == [LINES]


def test_a_cut_archive_goes_on_behind_its_last_line() -> None:
    candor, sent = answering(
        httpx2.Response(200, content=archived(1) + archived(2)), httpx2.Response(200, content=archived(3, "end"))
    )
    with candor:
        lines = list(candor.archive())
    assert [line.text for line in lines] == ['{"part":"memory","record":{"n":"1.50"}}'] * 2 + [
        '{"part":"end","record":{"n":"1.50"}}'
    ]
    assert lines[-1].is_last
    assert "resumeToken" not in sent[0].url.params
    assert sent[1].url.params["resumeToken"] == "t-2"


def test_an_archive_that_is_cut_for_ever_is_given_up() -> None:
    cut = [httpx2.Response(200, content=b"") for _ in range(sending.ATTEMPTS)]
    candor, _ = answering(httpx2.Response(200, content=archived(1)), *cut)
    with candor, pytest.raises(problems.Unreachable, match="ARCHIVE_CUT"):
        list(candor.archive())


@pytest.mark.parametrize("line", [b"<html>", b'{"result": {}}', b'{"x":1}', b"[]", b"\xff"])
def test_what_is_no_archive_is_refused(line: bytes) -> None:
    with pytest.raises(problems.ServerFault, match="ANSWER_INVALID"):
        moving.archive_line(line)


def test_documents_go_up_as_a_form() -> None:
    answer = {"events": 1, "documents": [{"docId": "d-1", "status": "accepted"}], "jobId": ""}
    candor, sent = answering(problem(503, "OVERLOADED"), httpx2.Response(200, json=answer))
    with candor:
        read = candor.read_documents([("a.pdf", b"%PDF\x00"), ("b.csv", b"x")], company="Northwind", dry_run=True)
    assert read.documents[0].status == "accepted"
    first, second = sent
    assert first.content.partition(b"\r\n")[2].count(b'name="files"') == 2
    assert b'name="dryRun"\r\n\r\ntrue' in second.content
    assert b"%PDF\x00" in second.content
    assert second.headers["content-type"].startswith("multipart/form-data")
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]


def test_an_account_has_decimals_and_none_for_what_is_not_known() -> None:
    euro = {"currency": "EUR", "revenueTotal": "42700.00", "netCashOutflow": None}
    candor, sent = answering(httpx2.Response(200, json={"currencyStatus": "mixed", "byCurrency": [euro]}))
    with candor:
        account = candor.account(period="2026-05", known_at=datetime(2026, 6, 1, tzinfo=UTC))
    assert account.by_currency[0].revenue_total == Decimal("42700.00")
    assert (account.net_profit, account.unknown, account.by_currency[0].net_cash_outflow) == (None, None, None)
    assert sent[0].url.params["knownAt"] == "2026-06-01T00:00:00+00:00"


def test_simulated_time_travels_in_its_header() -> None:
    candor, sent = answering(httpx2.Response(200, json={"heard": {"session": "s-1"}, "reply": {"text": "Noted."}}))
    with candor:
        talk = candor.chat("Hello", now=datetime(2026, 5, 1, tzinfo=UTC))
        assert (talk.heard.session, talk.reply.text) == ("s-1", "Noted.")
        with pytest.raises(ValueError, match="now"):
            candor.chat("Hello", now=datetime(2026, 5, 1))  # noqa: DTZ001
    assert sent[0].headers["x-now-time"] == "2026-05-01T00:00:00+00:00"
    assert "now" not in json.loads(sent[0].content)


@pytest.mark.parametrize(
    ("text", "is_archive"),
    [
        ('{"part":"archive","record":{}}\n{"part":"end"}\n', True),
        ('{"result": {"part": "archive"}, "resumeToken": "x"}\n', True),
        ('{"kind":"note","content":"x","metadata":{"part":"archive"}}\n', False),
        ('{"kind":"note","content":"x"}\n{"part":"archive"}\n', False),
        ('"part":"archive"\n', False),
        ("[1]\n", False),
        ("", False),
    ],
)
def test_an_archive_tells_itself_by_its_first_line_alone(tmp_path: Path, text: str, is_archive: bool) -> None:
    file = tmp_path / "some.ndjson"
    file.write_text(text)
    assert import_files.is_archive(file) is is_archive

"""A secret told in every way there is; after its erasure a dump of the database and every log are searched for it.

The way of the dump is pg_dump's plain text, of all tables, as the superuser; bytes stand in it as hexadecimal digits.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import httpx2
from candor.ingest.v1 import verdicts_pb2 as pb
from candor.memory.v1.verdict_pb2 import VERDICT_CONSISTENT, PairVerdict

from shared.rpc import meaning_stubs
from shared.store import embedded
from shared.store.embedded_binaries import programs
from tests.e2e.asking import get, lines, patch, post
from tests.e2e.stack import Stack

SECRET = "Xanthippe"  # no word of any rule, list or fixture
CITY = f"User lives in {SECRET} Bay."


def held(stack: Stack) -> dict[str, list[str]]:
    """Return where the secret stands: lines of the dump by table, and logs by name."""
    server = embedded.attach(stack.own.home / "pg")
    assert server is not None
    databases = ("candor",)
    found: dict[str, list[str]] = {}
    for database in databases:
        command = [str(programs(None) / "pg_dump"), "--data-only", "--dbname", server.dsn(database)]
        dump = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        table = ""
        for line in dump.splitlines():
            if line.startswith("COPY "):
                table = line.split()[1].partition(".")[2]
            if is_in(line):
                found.setdefault(table, []).append(line)
    logs = [*(stack.own.home / "log").iterdir(), stack.own.home / "pg.log"]
    assert len(logs) > 5
    for path in logs:
        said = [line for line in path.read_text(errors="replace").splitlines() if is_in(line)]
        if said:
            found[path.name] = said
    return found


def is_in(line: str) -> bool:
    folded = line.casefold()
    spelled = SECRET.casefold()
    return any(form in folded for form in (spelled, spelled.encode().hex(), SECRET.encode().hex()))


async def judged(channel: grpc.aio.Channel, tenant_id: str, first: str, second: str) -> None:
    """Keep a verdict that quotes what it is about, as a judge that costs something has it kept."""
    sides = [pb.JudgedStatement(memory_id=one, statement_hash=one.encode()[:32]) for one in (first, second)]
    said = PairVerdict(verdict=VERDICT_CONSISTENT, confidence=0.9, reason=f"{SECRET} does both")
    pair = pb.JudgedPair(first=sides[0], second=sides[1], verdict=said)
    request = pb.RecordVerdictsRequest(tenant_id=tenant_id, model="m", prompt_version="v", verdicts=[pair])
    assert (await meaning_stubs.verdicts(channel).RecordVerdicts(request)).recorded == 1


def remember(client: httpx2.Client, content: str, *, reason: str = "", key: str | None = None, **given: Any) -> str:
    made = post(client, f"/v1/memories?reason={reason}", {"kind": "note", "content": content, **given}, key=key)
    return str(made["memory"]["memoryId"])


def invoice(client: httpx2.Client, total: str, **given: Any) -> str:
    text = f"Invoice INV-9 of Contoso for {total}."
    body = {"kind": "invoice", "company": "Contoso", "record": "INV-9", "metadata": {"remark": total}, **given}
    return remember(client, text, **body)


def test_a_planted_secret_is_in_no_table_and_no_log(
    stack: Stack, eventually: Callable[[Callable[[], bool]], None], tmp_path: Path
) -> None:
    _ = stack.own
    tenant = stack.new_tenant()
    with stack.client(tenant.key) as client:
        planted = plant(client, eventually)
        stack.call("ingest", lambda channel: judged(channel, tenant.tenant_id, *planted[:2]))
        before = held(stack)
        print({name: len(rows) for name, rows in sorted(before.items())})
        tables = {name.rstrip("0123456789").removesuffix("_p") for name in before}
        wanted = {
            "memory",
            "verdict",
            "memory_revision",
            "memory_tag",
            "assertion",
            "memory_event",
            "operation",
            "finding",
        }
        assert tables >= wanted | {"decision"}, tables
        assert not [name for name in before if name.endswith("log")], before

        receipt = post(client, "/v1/memories:erase", {"memoryIds": planted, "reason": "asked for"}, key="gone")

        assert receipt["erased"] >= len(planted)
        rows = {row["table"]: row["rows"] for row in receipt["rows"]}
        assert rows["memory"] == receipt["erased"]
        assert not is_in(json.dumps(receipt))
        assert held(stack) == {}
        hits = post(client, "/v1/recall", {"query": SECRET})["hits"]
        assert not is_in(json.dumps(hits))
        for path in ("/v1/memories", "/v1/findings", "/v1/decisions", "/v1/jobs", "/v1/timeline"):
            assert not is_in(json.dumps(get(client, path))), path
        for path in (f"/v1/memories/{planted[0]}/events", f"/v1/operations/{receipt['operationId']}"):
            assert not is_in(json.dumps(get(client, path))), path
        with client.stream("GET", "/v1/memories:stream") as exported:
            assert not is_in(exported.read().decode())
    assert held(stack) == {}  # nor has a log told of it meanwhile


def plant(client: httpx2.Client, eventually: Callable[[Callable[[], bool]], None]) -> list[str]:
    """Tell the secret in every way; return the memories that were told it, what was made of them left out."""
    ids: list[str] = []

    def told(content: str, **given: Any) -> str:
        ids.append(remember(client, content, reason=SECRET, key=f"key-{len(ids)}", **given))
        return ids[-1]

    first = told(f"{SECRET} keeps bees.", tags=[SECRET], session=SECRET, speaker=SECRET, company=f"{SECRET} Ltd")
    patch(client, f"/v1/memories/{first}", {"patch": {"content": f"{SECRET} keeps goats."}, "reason": SECRET})
    told(f"The gate code of {SECRET} is 4711.", metadata={"code": SECRET})
    batch = {"memories": [{"kind": "insight", "content": f"{SECRET} likes the sea."}]}
    ids.extend(one["memoryId"] for one in post(client, "/v1/memories:batch", batch, key="b")["memories"])
    for session in ("s1", "s2", "s3"):
        told(f"{SECRET} drinks tea.", session=session)
    shown = post(client, "/v1/memories:consolidate", {"preview": True}, key="shown")
    assert shown["digests"]
    post(client, "/v1/memories:consolidate", {"planId": shown["planId"], "reason": f"{SECRET} again"}, key="done")
    post(client, "/v1/memories:forget", {"preview": True, "memoryIds": [ids[1]], "reason": SECRET}, key="f")

    ids.extend([invoice(client, f"{SECRET} 5"), invoice(client, "nothing", session="other")])
    ids.append(invoice(client, "open", record="PAY-9", references=[f"{SECRET}-77"]))
    post(client, "/v1/audit:record", {})
    [finding] = get(client, "/v1/findings", kind="contradiction")["findings"]
    post(client, f"/v1/findings/{finding['findingId']}:acknowledge", {"reason": f"{SECRET} knows"}, key="ack")
    conflict = post(client, "/consistency", {})["contradictions"][0]
    decided = {
        "decisionId": "d-1",
        "company": "Contoso",
        "subject": conflict["subject"],
        "attribute": conflict["attribute"],
        "selectedMemoryId": ids[-3],
        "reason": f"{SECRET} is right",
    }
    post(client, "/resolve-conflict", decided, key="resolve")
    post(client, "/v1/decisions/d-1:undo", {"reason": f"not {SECRET}"}, key="undo")
    lead = told("The team is led.", record="TEAM", metadata={"lead": SECRET})
    remember(client, "Ask the lead.", record="REVIEWS", metadata={"depends_on": ["TEAM"]})
    follows = remember(client, "The team is led anew.", record="TEAM", metadata={"lead": "Bo"})
    led = {
        "subject": "TEAM",
        "attribute": "lead",
        "selectedMemoryId": follows,
        "reason": "told",
        "targetMemoryIds": [lead],
    }
    post(client, "/resolve-conflict", led)
    post(client, "/v1/audit:record", {})
    [stale] = get(client, "/v1/findings", kind="stale")["findings"]
    assert is_in(json.dumps(stale["stale"]["former"]))

    wrong = told(f"{SECRET} plays chess.")
    post(client, f"/v1/memories/{wrong}:invalidate", {"reason": f"{SECRET} does not"}, key="wrong")

    for text in (
        f"I live in {SECRET} Bay.",
        "I moved, I live in Oslo now.",
        f"Remember: the {SECRET} ferry leaves at 9.",
    ):
        ids.append(
            str(
                post(client, "/v1/turns", {"userText": text, "session": "t"}, key=f"turn-{len(ids)}")["memory"][
                    "memoryId"
                ]
            )
        )

    def is_read() -> bool:
        return all(job["status"] == "done" for job in get(client, "/v1/jobs")["jobs"] if job["kind"] == "enrich_turn")

    eventually(is_read)
    for message in (f"Who is {SECRET}?", f"My sister is called {SECRET}."):
        said = post(client, "/v1/chat", {"message": message, "session": "chat"}, key=f"chat-{len(ids)}")
        ids.append(said["heard"]["turnId"])
    eventually(is_read)
    post(client, "/v1/answer", {"question": f"What does {SECRET} drink?"})
    lines(client, "POST", "/v1/audit/meaning:record", json={})
    return ids

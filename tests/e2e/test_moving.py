"""A tenant moves over HTTP: the body of an export goes into another tenant as it came, and nobody else sees it."""

import json

from tests.e2e.stack import Stack

NDJSON = {"Content-Type": "application/x-ndjson"}
FACTS = [
    {"kind": "note", "content": "The red lighthouse stands on cape seven.", "tags": ["sea"]},
    {"kind": "invoice", "content": "INV-7 is over 18400.00.", "record": "INV-7", "metadata": {"total": 18400.5}},
]


def results(body: str) -> list[str]:
    """Return the results of an export's lines, as they stand there."""
    lines = [line.partition(',"resumeToken":')[0].removeprefix('{"result":') for line in body.splitlines()]
    assert all(json.loads(line)["part"] for line in lines)
    return lines


def test_an_export_goes_into_another_tenant_as_it_came(stack: Stack) -> None:
    source, target = stack.new_tenant(), stack.new_tenant()
    with stack.client(source.key) as client:
        made = [client.post("/v1/memories", json=fact).json() for fact in FACTS]
        memory_id = made[-1]["memory"]["memoryId"]
        patched = client.patch(f"/v1/memories/{memory_id}", json={"patch": {"content": "INV-7: 18,400 euros."}})
        assert patched.status_code == 200, patched.text
        body = client.get("/v1/export").text
        token = json.loads(body.splitlines()[3])["resumeToken"]
        rest = client.get("/v1/export", params={"resumeToken": token}).text
        assert results(rest) == results(body)[4:]
        refused = client.post("/v1/import", content=body, headers=NDJSON)
        assert (refused.status_code, refused.json()["reason"]) == (409, "TENANT_NOT_EMPTY")
    with stack.client(target.key) as client:
        stolen = client.get("/v1/export", params={"resumeToken": token})
        assert (stolen.status_code, stolen.json()["reason"]) == (400, "RESUME_TOKEN_INVALID")
        looked = client.post("/v1/import?dryRun=true", content=body, headers=NDJSON).json()
        assert (looked["complete"], looked["memories"], looked["failed"]) == (True, 2, 0)
        assert len(client.get("/v1/export").text.splitlines()) == 2
        headers = {**NDJSON, "Idempotency-Key": "move"}
        cut = client.post("/v1/import", content="\n".join(body.splitlines()[:4]), headers=headers).json()
        assert (cut["complete"], cut["nextLine"]) == (False, 5)
        whole = client.post("/v1/import", content="\n".join(results(body)), headers=headers).json()
        assert (whole["complete"], whole["memories"], whole["importId"]) == (True, 2, "move")
        assert results(client.get("/v1/export").text) == results(body)
        told = client.get("/v1/imports/move").json()
        assert (told["complete"], told["mode"]) == (True, "archive")
        found = client.post("/v1/recall", json={"query": "where is the red lighthouse?"}).json()
        assert "lighthouse" in json.dumps(found["hits"][0])
        events = client.get(f"/v1/memories/{memory_id}/events").json()["events"]
        assert [event["action"] for event in events] == ["created", "updated", "imported"]

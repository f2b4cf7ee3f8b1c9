"""Nothing of a tenant's content, ids or keys stands in metrics, and nothing of its content or keys in logs.

Rules: a Candor of its own with the metrics of every process on; the secret goes in by every kind of place: contents,
labels, metadata, paths, queries, headers, wrong requests, a wrong key. Source: REQUIREMENTS G3.
"""

import re
import socket
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from services import dev, processes
from services.processes import Started
from tests.e2e.asking import post
from tests.e2e.stack import Stack, bearer, started

SECRET = "quetzalcoatl" + uuid.uuid4().hex[:8]
MEASURED = frozenset({*dev.ROLES, "gateway"})
LABELS = re.compile(r"^(candor_\w+)\{(.*)\} ", re.MULTILINE)


@pytest.fixture(scope="module")
def ports() -> dict[str, int]:
    return {}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, ports: dict[str, int]) -> Iterator[Stack]:
    """Start a Candor whose processes each serve their metrics."""
    spawn = processes.spawn

    def spawn_measured(home: Path, name: str, module: str, variables: Mapping[str, str]) -> Started:
        if name not in MEASURED:
            return spawn(home, name, module, variables)
        with socket.create_server(("127.0.0.1", 0)) as free:
            ports[name] = free.getsockname()[1]
        return spawn(home, name, module, {**variables, "CANDOR_METRICS_PORT": str(ports[name])})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "spawn", spawn_measured)
        with started(tmp_path_factory.mktemp("measured")) as stack:
            yield stack


@pytest.fixture(scope="module")
def texts(measured: Stack, ports: dict[str, int]) -> tuple[str, str, list[str]]:
    """Use everything with the secret; return all metrics, all logs, and what names the tenant."""
    tenant = measured.new_tenant(key_name=SECRET)
    wrong_key = f"ck_{SECRET}" + "x" * 20
    with measured.client(tenant.key) as client:
        ids = []
        for amount in (8400, 8900):
            memory = {
                "kind": "note",
                "content": f"The word is {SECRET}, {amount}.",
                "company": SECRET,
                "record": SECRET,
                "session": SECRET,
                "speaker": SECRET,
                "tags": [SECRET],
                "sourceRef": SECRET,
                "metadata": {SECRET: amount},
            }
            written = client.post("/v1/memories", json=memory, headers={"Idempotency-Key": f"{SECRET}-{amount}"})
            ids.append(written.json()["memory"]["memoryId"])
        for path in ("/v1/recall", "/v1/answer", "/v1/chat", "/v1/turns", "/v1/audit", "/v1/audit/meaning"):
            body = {"query": SECRET, "question": SECRET, "message": SECRET, "userText": f"I live in {SECRET}."}
            fields = {"/v1/recall": "query", "/v1/answer": "question", "/v1/chat": "message", "/v1/turns": "userText"}
            post(client, path, {fields[path]: body[fields[path]]} if path in fields else {"company": SECRET})
        post(client, "/v1/audit:record", {})
        wrong = [
            client.get(f"/v1/{SECRET}"),
            client.get(f"/v1/memories/{SECRET}"),
            client.get("/v1/memories", params={SECRET: SECRET}),
            client.get("/v1/memories", params={"kind": SECRET}),
            client.post("/v1/memories", json={"kind": SECRET, SECRET: SECRET}),
            client.post("/v1/memories", content=SECRET, headers={"Content-Type": SECRET}),
            client.post("/v1/recall", json={"query": SECRET, "pageToken": SECRET}),
            client.request(SECRET.upper(), "/v1/memories"),
            client.get("/v1/memories", headers={**bearer(wrong_key)}),
            client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": SECRET, "params": {}}),
            client.post("/v1/documents", files={"files": (f"{SECRET}.pdf", f"%PDF {SECRET}".encode())}),
        ]
        assert {answer.status_code // 100 for answer in wrong} <= {2, 4}
    metrics = ""
    for port in ports.values():
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            metrics += answer.read().decode()
    logs = "\n".join(path.read_text() for path in (measured.own.home / "log").glob("*.log"))
    return metrics, logs, [*ids, tenant.tenant_id, tenant.key, wrong_key]


def test_every_process_serves_metrics_and_logs(texts: tuple[str, str, list[str]], ports: dict[str, int]) -> None:
    metrics, logs, _ = texts
    assert set(ports) == MEASURED
    for rpc in ("CreateMemory", "RecallMemories", "GetAuditReport", "EmbedTexts"):
        assert re.search(rf"candor_rpc_total{{.*{rpc}.*}} [1-9]", metrics)
        assert rpc in logs


def test_no_metric_holds_anything_of_a_tenant(texts: tuple[str, str, list[str]]) -> None:
    metrics, _, named = texts
    assert SECRET not in metrics
    assert [name for name in named if name in metrics] == []
    for name, labels in LABELS.findall(metrics):
        assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", labels), (name, labels)


def test_no_log_holds_content_or_a_key(texts: tuple[str, str, list[str]]) -> None:
    _, logs, named = texts
    assert [line for line in logs.splitlines() if SECRET.lower() in line.lower()] == []
    assert [line for key in named[-2:] for line in logs.splitlines() if key in line] == []

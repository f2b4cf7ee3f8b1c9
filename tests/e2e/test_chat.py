"""Talk over HTTP with every role real: recorded, remembered in the session, answered from memory, streamed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2

from tests.e2e.asking import get, lines, post
from tests.e2e.stack import Stack, Tenant

FACT = "I keep my bicycle in the cellar of the old brewery."
QUESTION = "Where do I keep my bicycle?"


def events(client: httpx2.Client, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Read a stream as server-sent events."""
    with client.stream("POST", path, json=body, headers={"Accept": "text/event-stream"}) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        return [json.loads(line.removeprefix("data: ")) for line in answer.iter_lines() if line.startswith("data: ")]


def test_a_talk_is_recorded_remembered_and_answered(stack: Stack, client: httpx2.Client) -> None:
    _ = stack.own  # whose narrator is known
    first = post(client, "/v1/chat", {"message": FACT}, key="one")
    session, turn_id = first["heard"]["session"], first["heard"]["turnId"]
    again = post(client, "/v1/chat", {"message": FACT, "session": session}, key="two")
    assert first["reply"]["text"] == "Noted."
    assert first["reply"]["replyId"]
    assert first["heard"]["turnsUsed"] == 0
    assert again["heard"]["turnsUsed"] == 2
    same = post(client, "/v1/chat", {"message": FACT, "session": session}, key="two")
    assert (same["heard"]["turnId"], same["heard"]["turnsUsed"]) == (again["heard"]["turnId"], 2)
    turn = get(client, f"/v1/memories/{turn_id}")["memory"]
    assert (turn["kind"], turn["content"], turn["session"], turn["speaker"]) == ("turn", FACT, session, "user")
    asked = post(client, "/v1/chat", {"message": QUESTION, "session": "another talk", "reinforce": False})
    assert "old brewery" in asked["reply"]["text"]
    assert asked["reply"]["degradationCode"] is None
    assert asked["reply"]["citations"][0]["marker"] == "[1]"
    kept = get(client, f"/v1/memories/{asked['reply']['replyId']}")["memory"]
    assert (kept["speaker"], kept["session"]) == ("assistant", "another talk")
    assert kept["derivedFrom"] == [citation["memoryId"] for citation in asked["reply"]["citations"]]


def test_lines_and_events_say_what_the_whole_reply_says(stack: Stack, client: httpx2.Client) -> None:
    _ = stack.own
    post(client, "/v1/chat", {"message": "My locker at the station has the number 4711."})
    body = {"message": "What is the number of my locker at the station?"}
    whole = post(client, "/v1/chat", body)["reply"]
    for read in (lines(client, "POST", "/v1/chat:stream", json=body), events(client, "/v1/chat:stream", body)):
        heard, *texts, last = [line["result"] for line in read]
        assert heard["heard"]["turnId"]
        assert "".join(text["text"] for text in texts) == last["reply"]["text"]
        assert "4711" in last["reply"]["text"]
        assert last["reply"]["modelId"] == whole["modelId"]


def test_the_terminal_talks_and_names_what_is_refused(
    stack: Stack, client: httpx2.Client, tenant: Tenant, tmp_path: Path
) -> None:
    _ = stack.own
    post(client, "/v1/chat", {"message": "My ferry leaves from the northern pier."})
    key = tmp_path / "key"
    key.write_text(tenant.key)
    command = [sys.executable, "-m", "gateway.client", "--url", stack.url, "--key-file", str(key), "chat"]

    def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *arguments], input=typed, capture_output=True, text=True, check=False)

    told = run(typed="From which pier does my ferry leave?\n\nThanks.\n")
    assert (told.returncode, told.stderr) == (0, "")
    assert "northern pier" in told.stdout
    assert "  [1] My ferry leaves from the northern pier." in told.stdout
    assert told.stdout.endswith("Noted.\n")
    refused = run("--as-of", "2026-05-01", "Hello")
    assert (refused.returncode, refused.stdout) == (6, "")
    assert "NOW_TIME_REFUSED" in refused.stderr

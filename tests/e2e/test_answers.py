"""Answers over HTTP: whole, by the reference's route, streamed as lines and as events, and after everything was killed.

Without a model the memories' own sentences answer; with one, behind the tests' OpenAI-compatible server, its words.
"""

import json
import os
import uuid
from collections.abc import Iterator
from typing import Any

import httpx2
import orjson
import pytest

from services import dev
from tests.e2e.asking import lines, post
from tests.e2e.stack import Stack, started
from tests.openai_server import CHAT, PROMPT_TOKENS, OpenAIServer

RECORD = "INV-5521"
QUESTION = f"what do we owe on {RECORD}?"
OFFLINE = "extractive-narrator-1"


def remember(client: httpx2.Client, company: str, amount: str, day: int) -> str:
    """Write what one document says of the invoice."""
    memory = {
        "kind": "document",
        "content": f"Invoice {RECORD} from Halden Paper: EUR {amount} is due.",
        "company": company,
        "record": RECORD,
        "sourceRef": f"inbox/{day}.pdf",
        "metadata": {"amount": int(amount), "currency": "EUR"},
        "observedAt": f"2026-04-{day:02}T09:00:00Z",
    }
    return str(post(client, "/v1/memories", memory)["memory"]["memoryId"])


def test_an_answer_is_grounded_and_cited(stack: Stack, client: httpx2.Client, company: str) -> None:
    _ = stack.own  # whose narrator is known
    written = remember(client, company, "8400", 1)
    told = post(client, "/v1/answer", {"question": QUESTION, "company": company})
    assert told["answer"] == f"As of 2026-04-01: Invoice {RECORD} from Halden Paper: EUR 8400 is due. [1]"
    (citation,) = told["citations"]
    assert (citation["marker"], citation["memoryId"], citation["sourceRef"]) == ("[1]", written, "inbox/1.pdf")
    assert (citation["kind"], citation["content"]) == ("document", told["hits"][0]["memory"]["content"])
    assert told["grounding"] == {"status": "passed", "attempts": 1}
    assert told["modelId"] == OFFLINE
    assert told["consistency"] == {"ok": True, "contradictions": []}
    assert (told["degraded"], told["degradationCode"], told["conflicts"]) == (None, None, [])
    assert (told["retrieval"]["strategy"], told["retrieval"]["returnedCount"]) == ("hybrid", 1)
    assert told["retrieval"]["reranker"]["status"] in ("applied", "disabled")
    assert set(told["usage"]) == {"calls", "promptTokens", "completionTokens", "milliseconds"}


def test_the_route_of_the_reference_takes_its_words(stack: Stack, client: httpx2.Client, company: str) -> None:
    _ = stack.own
    remember(client, company, "8400", 1)
    remember(client, company, "8900", 10)
    body = {"question": QUESTION, "company": company, "kind": "document", "limit": 5, "hybrid": True, "rerank": True}
    told = post(client, "/recall", body)
    assert "memory disagrees: 8400" in told["answer"]
    assert {citation["sourceRef"] for citation in told["citations"]} == {"inbox/1.pdf", "inbox/10.pdf"}
    assert not told["consistency"]["ok"]
    (found,) = told["consistency"]["contradictions"]
    assert found == told["conflicts"][0]
    assert (found["resolution"]["recommendedValue"], found["resolution"]["rule"]) == (8900, "recency")
    dense = post(client, "/recall", {"question": QUESTION, "company": company, "hybrid": False})
    assert dense["retrieval"]["strategy"] == "dense"


def test_nothing_found_is_said(client: httpx2.Client, company: str) -> None:
    told = post(client, "/v1/answer", {"question": QUESTION, "company": company})
    assert (told["hits"], told["citations"], told["grounding"], told["usage"]["calls"]) == ([], [], None, 0)
    assert told["answer"]


def test_a_stream_brings_what_was_found_then_the_answer(stack: Stack, client: httpx2.Client, company: str) -> None:
    _ = stack.own
    remember(client, company, "8400", 1)
    body = {"question": QUESTION, "company": company}
    read = [line["result"] for line in lines(client, "POST", "/v1/answer:stream", json=body)]
    assert [next(iter(result)) for result in read] == ["found", "text", "answer"]
    with client.stream("POST", "/v1/answer:stream", json=body, headers={"Accept": "text/event-stream"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = [json.loads(line.removeprefix("data: ")) for line in answer.iter_lines() if line]
    assert [next(iter(event["result"])) for event in events] == ["found", "text", "answer"]
    assert events[1] == {"result": {"text": read[1]["text"]}}
    assert events[2]["result"]["answer"]["citations"] == read[2]["answer"]["citations"]


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A Candor of its own: it is killed here, and started again with a model."""
    if "E2E_URL" in os.environ:
        pytest.skip("E2E_URL names a Candor that this test must not kill")
    with started(tmp_path_factory.mktemp("mortal")) as own:
        yield own


def narrate(body: dict[str, Any]) -> str:
    """Answer from the evidence that was sent, as an honest model would."""
    evidence = orjson.loads(body["messages"][1]["content"].removeprefix("<evidence>\n").removesuffix("\n</evidence>"))
    first = evidence["memories"][0]
    (contest,) = first["contested"]
    sides = " or ".join(f"EUR {side['value']} [{side['markers'][0]}]" for side in contest["values"])
    (marker,) = next(side["markers"] for side in contest["values"] if side["value"] == contest["policyWouldTrust"])
    trusted = f"The policy would trust EUR {contest['policyWouldTrust']} [{marker}]."
    return f"Memory disagrees about {RECORD}: {sides}. {trusted}"


def test_after_everything_was_killed_a_new_process_answers_grounded_and_cited(mortal: Stack) -> None:
    company = f"Northwind {uuid.uuid4()}"
    asked = {"question": QUESTION, "company": company, "rerank": False}
    with mortal.client() as client:
        written = {remember(client, company, "8400", 1), remember(client, company, "8900", 10)}
    dev.kill(mortal.own)
    mortal.restart()
    with mortal.client() as client:
        offline = post(client, "/v1/answer", asked)
    assert offline["grounding"] == {"status": "passed", "attempts": 1}
    assert {citation["memoryId"] for citation in offline["citations"]} == written
    assert "EUR 8900 is due. [" in offline["answer"]
    dev.kill(mortal.own)
    with OpenAIServer() as server, pytest.MonkeyPatch.context() as environment:
        environment.setenv("CANDOR_JUDGE_PROVIDER", "openai")
        environment.setenv("OPENAI_BASE_URL", server.base_url)
        environment.setenv("OPENAI_API_KEY", "a-key")
        environment.setenv("CANDOR_CHAT_MODEL", "loopback-model")
        server.say_ever(narrate)
        mortal.restart()
        with mortal.client() as client:
            online = post(client, "/v1/answer", asked)
    assert (online["modelId"], online["degradationCode"]) == ("loopback-model", None)
    assert online["grounding"] == {"status": "passed", "attempts": 1}
    assert {citation["memoryId"] for citation in online["citations"]} == written
    assert online["answer"].startswith(f"Memory disagrees about {RECORD}: EUR 8400 [")
    assert (online["usage"]["calls"], online["usage"]["promptTokens"]) == (1, PROMPT_TOKENS)
    (request,) = server.bodies(CHAT)
    assert request["model"] == "loopback-model"

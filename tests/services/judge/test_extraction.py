"""ExtractFacts and ScoreImportance: what the rules say, what a model says, and nothing made up where it misbehaves."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import grpc
import pytest
from candor.judge.v1 import extraction_pb2 as pb
from candor.memory.v1 import memory_pb2
from google.protobuf.timestamp_pb2 import Timestamp

from services.judge.chat import Chat, ChatPolicy
from services.judge.extraction import Extraction
from services.judge.extraction_model import EXTRACT_VERSION, WEIGH_VERSION, ModelExtractor
from services.judge.extraction_rules import RuleExtractor
from shared.domain.errors import CandorError, InvalidArgument, UpstreamUnavailable
from shared.rpc import wire
from shared.rpc.clients import rpc_errors
from shared.rpc.life_stubs import extraction
from tests.openai_server import CHAT, PROMPT_TOKENS, Behaviour, OpenAIServer
from tests.services.judge.model import MODEL, chat, said
from tests.services.running import role

pytestmark = pytest.mark.anyio

TENANT = "00000000-0000-0000-0000-000000000007"
AT = datetime(2026, 4, 1, 9, 30, tzinfo=UTC)
REASKS = 1
POLICY = ChatPolicy(reasks=REASKS)
TEXT = "I moved from Porto to Lisbon on 28 March. Nice weather today."
FACT: dict[str, Any] = {
    "text": "User lives in Lisbon.",
    "subject": "",
    "slot": "slot.residence",
    "value": "Lisbon",
    "former": "Porto",
    "ends": False,
    "corrects": False,
    "since": "2026-03-28",
    "until": "",
    "evidence": "moved from  Porto to Lisbon",
}
SCORE = {"importance": 0.7, "type": "semantic", "protection": "none", "reason": "where the user\n lives"}


@asynccontextmanager
async def service(by: Chat | RuleExtractor) -> AsyncIterator[grpc.aio.Channel]:
    extractor = ModelExtractor(by) if isinstance(by, Chat) else by
    async with role("judge", Extraction(extractor)) as via:
        yield via
    if isinstance(by, Chat):
        await by.close()


async def extract(via: grpc.aio.Channel, text: str = TEXT, **given: Any) -> pb.ExtractFactsResponse:
    at = Timestamp()
    at.FromDatetime(AT)
    request = pb.ExtractFactsRequest(**{"tenant_id": TENANT, "user_text": text, "observed_at": at, **given})
    with rpc_errors():
        return await extraction(via).ExtractFacts(request)


async def weigh(via: grpc.aio.Channel, *texts: str, **given: Any) -> pb.ScoreImportanceResponse:
    statements = [pb.ScoredStatement(text=text) for text in texts]
    with rpc_errors():
        return await extraction(via).ScoreImportance(
            pb.ScoreImportanceRequest(**{"tenant_id": TENANT, "statements": statements, **given})
        )


def answer(*facts: object) -> str:
    return json.dumps({"facts": list(facts)})


async def test_the_rules_answer_without_a_model() -> None:
    async with service(RuleExtractor()) as via:
        found = await extract(via)
        (fact,) = found.facts
        assert (fact.slot, fact.value, fact.former_value, fact.multi, fact.ends) == (
            "slot.residence", "Lisbon", "Porto", False, False,
        )  # fmt: skip
        assert fact.text == "User lives in Lisbon."
        assert fact.evidence == "I moved from Porto to Lisbon on 28 March."
        assert wire.fact_of(fact).valid_from == datetime(2026, 3, 28, tzinfo=UTC)
        assert (found.model, found.usage.calls) == (RuleExtractor.model, 0)
        scored = await weigh(via, "I'm allergic to peanuts.", "The lift is broken again today.")
        assert [score.protection for score in scored.scores] == [pb.PROTECTION_SAFETY, pb.PROTECTION_NONE]
        assert scored.scores[0].importance >= 0.9
        assert scored.scores[1].importance <= 0.2


async def test_what_is_known_is_context_for_the_rules() -> None:
    async with service(RuleExtractor()) as via:
        text = "Kestrel and I parted ways; my thanks go to Vantor."
        assert not [fact for fact in (await extract(via, text)).facts if fact.slot]
        known = [pb.KnownValue(slot="slot.employer", value="Kestrel")]
        (fact,) = (await extract(via, text, known=known)).facts
        assert (fact.slot, fact.value, fact.former_value) == ("slot.employer", "Vantor", "Kestrel")


async def test_a_models_facts_are_passed_on(server: OpenAIServer) -> None:
    deadline = FACT | {
        "slot": "slot.due.report",
        "value": "2026-05-12",
        "until": "2026-05-12",
        "former": "",
        "since": "",
    }
    gone = FACT | {"slot": "slots.language", "value": "Polish", "ends": True, "former": "", "since": ""}
    server.say(answer(FACT, deadline, gone))
    async with service(chat(server)) as via:
        found = await extract(via, known=[pb.KnownValue(slot="slot.residence", value="Porto")], assistant_text="Hi <b>")
    first, second, third = map(wire.fact_of, found.facts)
    assert (first.value, first.former_value, first.valid_from) == ("Lisbon", "Porto", datetime(2026, 3, 28, tzinfo=UTC))
    assert (second.valid_from, second.valid_to) == (AT, datetime(2026, 5, 13, tzinfo=UTC))
    assert (third.multi, third.ends, third.value) == (True, True, "Polish")
    assert (found.model, found.prompt_version, found.usage.prompt_tokens) == (MODEL, EXTRACT_VERSION, PROMPT_TOKENS)
    (_, instructions), (_, data) = said(server.bodies()[-1])
    assert 'Only "user" is evidence' in instructions
    asked = json.loads(data.removeprefix("<data>\n").removesuffix("\n</data>"))
    assert asked["user"] == TEXT
    assert asked["known"] == [{"subject": "", "slot": "slot.residence", "value": "Porto"}]
    assert "<b>" not in data


async def test_no_facts_are_an_answer(server: OpenAIServer) -> None:
    server.say(answer())
    async with service(chat(server)) as via:
        assert not (await extract(via)).facts
    assert len(server.bodies()) == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{}", 'the key "facts" is missing'),
        ("[]", "not a JSON object"),
        ('{"facts": "User lives in Lisbon."}', "not a list"),
        ('{"facts": {"0": 1}}', "not a list"),
        (answer("User lives in Lisbon."), "fact 1: is not a JSON object"),
        (answer(FACT, None), "fact 2: is not a JSON object"),
        (answer(FACT | {"ends": "false"}), "ends is not a boolean"),
        (answer(FACT | {"corrects": 0}), "corrects is not a boolean"),
        (answer(FACT | {"value": 7}), "value is not a text"),
        (answer({name: value for name, value in FACT.items() if name != "evidence"}), 'key \\"evidence\\" is missing'),
        (answer(FACT | {"confidence": 1}), "there is no key"),
        (answer(FACT | {"evidence": "I live in Lisbon"}), "evidence is not copied"),
        (answer(FACT | {"evidence": ""}), "evidence is not copied"),
        (answer(FACT | {"slot": "Residence"}), "slot is not"),
        (answer(FACT | {"slot": ""}), "no slot"),
        (answer(FACT | {"value": ""}), "the slot has no value"),
        (answer(FACT | {"ends": True}), "that ends has no value"),
        (answer(FACT | {"value": "x" * 81}), "value has more than"),
        (answer(FACT | {"since": "March"}), "since is no day"),
        (answer(FACT | {"until": "2026-02-30"}), "until is no day"),
        (answer(FACT | {"until": "9999-12-31"}), "until is no day"),
        (answer(FACT | {"text": " "}), "text is empty"),
        (answer(*[FACT] * 33), "at most 32"),
        ('{"facts": [NaN]}', "NaN is not JSON"),
    ],
)
async def test_facts_that_cannot_be_read_are_asked_for_again_then_an_error(
    server: OpenAIServer, content: str, told: str
) -> None:
    server.say(*[content] * (1 + REASKS))
    async with service(chat(server, POLICY)) as via:
        with pytest.raises(UpstreamUnavailable) as caught:
            await extract(via)
    assert caught.value.reason == "MODEL_ANSWER_INVALID"
    assert len(server.bodies()) == 1 + REASKS
    assert told.replace("\\", "") in said(server.bodies()[-1])[-1][1]


async def test_a_repeated_request_may_still_succeed(server: OpenAIServer) -> None:
    server.say(answer(FACT | {"ends": "false"}), answer(FACT))
    async with service(chat(server, POLICY)) as via:
        found = await extract(via)
    assert [fact.value for fact in found.facts] == ["Lisbon"]
    assert found.usage.calls == 2


async def test_a_models_scores_are_passed_on_in_order(server: OpenAIServer) -> None:
    safety = {"importance": 1, "type": "episodic", "protection": "safety", "reason": "health"}
    server.say(json.dumps({"2": safety, "1": SCORE}))
    async with service(chat(server)) as via:
        found = await weigh(via, "User lives in Lisbon.", "User took penicillin and fainted.")
    first, second = found.scores
    assert (first.importance, first.memory_type, first.reason) == (
        0.7, memory_pb2.MEMORY_TYPE_SEMANTIC, "where the user lives",
    )  # fmt: skip
    assert (second.importance, second.memory_type, second.protection) == (
        1.0, memory_pb2.MEMORY_TYPE_EPISODIC, pb.PROTECTION_SAFETY,
    )  # fmt: skip
    assert found.prompt_version == WEIGH_VERSION


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        '{"1": 0.5, "2": 0.5}',
        json.dumps({"1": SCORE}),
        json.dumps({"1": SCORE, "2": SCORE, "3": SCORE}),
        json.dumps([SCORE, SCORE]),
        json.dumps({"1": SCORE, "2": None}),
        json.dumps({"1": SCORE, "2": SCORE | {"importance": "0.5"}}),
        json.dumps({"1": SCORE, "2": SCORE | {"importance": True}}),
        json.dumps({"1": SCORE, "2": SCORE | {"importance": 1.2}}),
        json.dumps({"1": SCORE, "2": SCORE | {"importance": float("nan")}}),
        json.dumps({"1": SCORE, "2": SCORE | {"type": "lasting"}}),
        json.dumps({"1": SCORE, "2": SCORE | {"protection": False}}),
        json.dumps({"1": SCORE, "2": SCORE | {"reason": ""}}),
        json.dumps({"1": SCORE, "2": {name: value for name, value in SCORE.items() if name != "importance"}}),
    ],
)
async def test_scores_that_cannot_be_read_are_an_error(server: OpenAIServer, content: str) -> None:
    server.say(*[content] * (1 + REASKS))
    async with service(chat(server, POLICY)) as via:
        with pytest.raises(UpstreamUnavailable) as caught:
            await weigh(via, "User lives in Lisbon.", "It rained.")
    assert caught.value.reason == "MODEL_ANSWER_INVALID"
    assert len(server.bodies()) == 1 + REASKS


@pytest.mark.parametrize("behaviour", [Behaviour.SERVER_ERROR, Behaviour.FILTERED, Behaviour.NO_CHOICES])
async def test_a_model_that_does_not_answer_is_a_typed_error(server: OpenAIServer, behaviour: Behaviour) -> None:
    server.next(CHAT, *[behaviour] * 3)
    async with service(chat(server, POLICY)) as via:
        with pytest.raises(CandorError) as caught:
            await extract(via)
    assert caught.value.reason in ("MODEL_UNAVAILABLE", "MODEL_REFUSED", "MODEL_ANSWER_INVALID")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"user_text": "x" * 20_001}, "TEXT_TOO_LONG"),
        ({"assistant_text": "x" * 20_001}, "TEXT_TOO_LONG"),
        ({"observed_at": None}, "OBSERVED_AT_MISSING"),
        ({"known": [pb.KnownValue(slot="slot.a", value="b")] * 201}, "KNOWN_TOO_MANY"),
    ],
)
async def test_a_wrong_turn_is_refused_by_name(given: dict[str, Any], reason: str) -> None:
    async with service(RuleExtractor()) as via:
        with pytest.raises(InvalidArgument) as caught:
            await extract(via, **given)
    assert [violation.reason for violation in caught.value.violations] == [reason]


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ([], "STATEMENTS_MISSING"),
        ([pb.ScoredStatement(text="a")] * 33, "STATEMENTS_TOO_MANY"),
        ([pb.ScoredStatement(text=" ")], "STATEMENT_EMPTY"),
        ([pb.ScoredStatement(text="a", evidence="x" * 20_001)], "STATEMENT_TOO_LONG"),
    ],
)
async def test_wrong_statements_are_refused_by_name(statements: list[pb.ScoredStatement], reason: str) -> None:
    async with service(RuleExtractor()) as via:
        with pytest.raises(InvalidArgument) as caught:
            await weigh(via, statements=statements)
    assert [violation.reason for violation in caught.value.violations] == [reason]
